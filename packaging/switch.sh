#!/bin/sh
# Makes the release in which it is the one that runs, one process after the other (docs/operate/go-live.md). At a process
# that does not serve it goes back to the release before, with which the other has gone on.
set -eu
release=$(readlink -f "$(dirname "$0")/..")
before=$(readlink -f /opt/event/current)
run() {
  ln -sfn "${1##*/}" /opt/event/current
  cp "$1"/packaging/systemd/* /etc/systemd/system/
  systemctl daemon-reload
}
run "$release"
for port in 3001 3002; do
  if ! { systemctl restart "event-api@$port" &&
    curl -fsS --retry 30 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$port/healthz"; }; then
    echo "switch: event-api@$port does not serve; see journalctl -u event-api@$port" >&2
    [ ! -d "$before" ] || { run "$before" && systemctl restart "event-api@$port"; }
    exit 1
  fi
done
systemctl try-restart event-deploy
