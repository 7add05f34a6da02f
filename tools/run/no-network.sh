#!/usr/bin/env bash
# no-network.sh COMMAND...: runs a command where a sniffer sees everything but loopback, and fails if a packet was sent.
set -euo pipefail
[ "${1:-}" = inside ] || exec unshare -nm "$0" inside "$@"
shift
# A resolver on loopback would get the questions for names unseen.
resolver=$(mktemp)
echo 'nameserver 192.0.2.1' > "$resolver"
chmod 644 "$resolver"
mount --bind "$resolver" /etc/resolv.conf
ip link set lo up
ip link add out type veth peer name sink
echo 1 > /proc/sys/net/ipv6/conf/sink/disable_ipv6
ip link set out addrgenmode none
ip addr add 192.0.2.2/24 dev out
ip link set out up
ip link set sink up
ip route add default via 192.0.2.1
ip addr add 2001:db8::2/64 dev out nodad
ip route add default via 2001:db8::1
for router in 192.0.2.1 2001:db8::1; do
  ip neigh replace $router lladdr 02:00:00:00:00:01 dev out nud permanent
done
packets=$(mktemp)
trap 'rm -f "$packets" "$resolver"' EXIT
tcpdump -i out -U -w "$packets" 2> /dev/null &
sniffer=$!
# Sends packets to a port until the sniffer has written one. It then sees every later packet, and has written every earlier one.
prove_sniffer() { # port
  until [ "$(tcpdump -nr "$packets" "udp dst port $1" 2> /dev/null)" ]; do
    kill -0 "$sniffer" || exit 1 # tcpdump has ended
    echo > "/dev/udp/192.0.2.1/$1"
    sleep 0.1
  done
}

prove_sniffer 9
code=0
"$@" || code=$?
prove_sniffer 10
kill "$sniffer" && wait "$sniffer" || true
# The kernel reports its multicast groups to ff02::16.
others='not (udp and dst host 192.0.2.1 and (dst port 9 or 10)) and not dst host ff02::16'
count=$(tcpdump -nr "$packets" "$others" 2> /dev/null | tee -a /dev/stderr | wc -l)
echo "$count packets were sent"
[ "$code" = 0 ] && [ "$count" = 0 ]
