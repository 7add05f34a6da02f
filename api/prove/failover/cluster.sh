#!/usr/bin/env bash
# The cluster of docs/operate/cluster.md as ordinary processes: each machine is a loopback address and a folder.
# cluster.sh FOLDER NET IS_SYNCHRONOUS configure | start PATH | signal NAME PATH [TITLE] | stop | print FILE
set -euo pipefail
folder=$1 net=$2 is_synchronous=$3 verb=$4
shift 4
guide=$(dirname "$0")/../../../docs/operate/cluster.md
export PATH=$PATH:/usr/sbin:/usr/lib/postgresql/15/bin

# A file of the guide, as a node has it. All callers on loopback are 127.0.0.1.
print() {
  awk -v start='^```[a-z]+ '"$1"'$' '$0 ~ start { inside = 1; next } /^```/ { inside = 0 } inside' "$guide" | sed -E "
    s/(synchronous_mode[a-z_]*: )true/\1$is_synchronous/
    s/NODE/$2/g; s/ADDRESS/$net${2: -1}/g
    s#10\.0\.0\.0/24#127.0.0.0/8#g; s/10\.0\.0\./$net/g
    s#/var/(lib|run)/#$folder/$2/#g"
}

# Processes are found by the folder in which they run. Prints how many got the signal.
send() {
  count=0
  for process in /proc/[0-9]*; do
    cwd=$(readlink "$process/cwd" 2> /dev/null) || continue
    [[ $cwd/ == $folder/$2/* ]] && tr '\0' ' ' < "$process/cmdline" 2> /dev/null | grep -q -- "${3:-}" || continue
    kill "-$1" "${process#/proc/}" 2> /dev/null && count=$((count + 1))
  done
  echo "$count"
}

case $verb in
  print) print "$1" node1 ;;
  signal) send "$@" ;;
  stop)
    for name in node1 node2 node3 haproxy; do
      while [ "$(send KILL "$name")" != 0 ]; do :; done
      rm -rf "${folder:?}/$name"
    done
    ;;
  configure)
    for program in etcd patroni haproxy postgres; do
      command -v "$program" > /dev/null || { echo "$program is required; Debian 12: apt-get install --no-install-recommends etcd-server patroni haproxy postgresql-15" >&2; exit 1; }
    done
    mkdir -p "$folder"/node{1,2,3}/{etcd,patroni,postgresql} "$folder"/{haproxy,log}
    for node in node1 node2 node3; do
      print /etc/patroni/config.yml "$node" > "$folder/$node/patroni/config.yml"
      print /etc/default/etcd "$node" > "$folder/$node/etcd/variables"
    done
    print /etc/haproxy/haproxy.cfg node1 > "$folder/haproxy/haproxy.cfg"
    [ "$(id -u)" != 0 ] || chown -R postgres:postgres "$folder"
    ;;
  start)
    cd "$folder/$1"
    variables=("PATH=$PATH" LANG=C.UTF-8 "HOME=$PWD")
    case $1 in
      */etcd) mapfile -t -O 3 variables < variables; program=(etcd) ;;
      */patroni) program=(patroni config.yml) ;;
      haproxy) program=(haproxy -db -f haproxy.cfg) ;;
    esac
    as=()
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid=postgres --regid=postgres --init-groups)
    # In a session of its own: Ctrl-C ends the proof, and that ends these.
    setsid "${as[@]}" env -i "${variables[@]}" "${program[@]}" >> "$folder/log/${1/\//-}" 2>&1 < /dev/null &
    ;;
esac
