#!/usr/bin/env bash
# What prove -- go-live has in place of systemd: starts and stops services as their units say, without the hardening.
set -euo pipefail

settings() { sed -nE "s/^$2=//p" "$1" | sed "s/%%/\x01/g; s/%i/$instance/g; s|%d|$credentials|g; s/\x01/%/g"; }

stop() {
  [ -e "/run/$1.pid" ] || return 0
  pid=$(cat "/run/$1.pid")
  kill -TERM "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm "/run/$1.pid"
}

start() {
  unit=${1%.service}
  instance=${unit#*@}
  file=/etc/systemd/system/${unit/@*/@}.service
  credentials=/run/credentials/$unit
  user=$(settings "$file" User)
  install -d -o "$user" -m 0700 "$credentials"
  for pair in $(settings "$file" LoadCredential); do install -o "$user" -m 0400 "${pair#*:}" "$credentials/${pair%%:*}"; done
  state=$(settings "$file" StateDirectory)
  [ -z "$state" ] || install -d -o "$user" -m 0700 "/var/lib/$state"
  variables=("PATH=$PATH" "CREDENTIALS_DIRECTORY=$credentials" "STATE_DIRECTORY=/var/lib/$state")
  for given in $(settings "$file" EnvironmentFile); do mapfile -t -O "${#variables[@]}" variables < <(grep -E '^[A-Z]' "$given"); done
  for pair in $(settings "$file" Environment); do variables+=("$pair"); done
  eval "set -- $(settings "$file" ExecStart)"
  as=(setpriv "--reuid=$user" "--regid=$user" --clear-groups env -i "${variables[@]}" "$@")
  if grep -q '^Type=oneshot' "$file"; then "${as[@]}"; return; fi
  setsid "${as[@]}" >> "/var/log/$unit.log" 2>&1 < /dev/null &
  echo $! > "/run/$unit.pid"
}

verb=$1
shift
for unit in "$@"; do
  case $verb:$unit in
    *:--now | *.timer) ;;
    restart:postgresql) pg_ctlcluster 15 main restart || pg_ctlcluster 15 main start ;;
    restart:nginx) nginx -s stop 2> /dev/null || true; nginx ;;
    stop:*) stop "$unit" ;;
    *) stop "$unit"; start "$unit" ;;
  esac
done
