#!/usr/bin/env bash
# What prove -- go-live has in place of systemd: starts and stops services by their units, without the mounts.
set -euo pipefail

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
  as_unit=(/usr/lib/event-tests/run-as-unit.py "$file" "$instance")
  if grep -q '^Type=oneshot' "$file"; then "${as_unit[@]}"; return; fi
  setsid "${as_unit[@]}" >> "/var/log/$unit.log" 2>&1 < /dev/null &
  echo $! > "/run/$unit.pid"
}

verb=$1
shift
for unit in "$@"; do
  case $verb:$unit in
    *:--* | *.timer | enable:* | try-restart:*) ;;
    is-active:*) [ -e "/run/$unit.pid" ] ;;
    reload:prometheus) kill -HUP "$(cat "/run/$unit.pid")" ;;
    restart:postgresql) pg_ctlcluster 15 main restart || pg_ctlcluster 15 main start ;;
    stop:postgresql) pg_ctlcluster 15 main stop -m fast || true ;;
    start:postgresql) pg_ctlcluster 15 main start ;;
    re*:nginx) nginx -s stop 2> /dev/null || true; nginx ;;
    restart:prometheus*)
      stop "$unit"
      (
        set -a
        # shellcheck source=/dev/null
        . "/etc/default/$unit"
        # shellcheck disable=SC2086
        setsid setpriv --reuid=prometheus --regid=prometheus --init-groups "/usr/bin/$unit" ${ARGS:-} >> "/var/log/event-$unit.log" 2>&1 < /dev/null &
        echo $! > "/run/$unit.pid"
      )
      ;;
    stop:*) stop "$unit" ;;
    *) stop "$unit"; start "$unit" ;;
  esac
done
