#!/bin/sh
# Makes the release in which it is the one that runs, one process after the other (docs/operate/go-live.md). At a process
# that does not serve it goes back to the release before, the failed process first: the other serves meanwhile.
set -eu
release=$(readlink -f "$(dirname "$0")/..")
before=$(readlink -e /opt/event/current || true)
run() {
  ln -sfn "${1##*/}" /opt/event/current
  cp "$1"/packaging/systemd/* /etc/systemd/system/
  systemctl daemon-reload
}
restart() {
  systemctl restart "event-api@$1" &&
    curl --noproxy '*' -fsS -m 6 --retry 30 --retry-max-time 60 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$1/healthz"
}
run "$release"
restarted=''
for port in 3001 3002; do
  restarted="$port $restarted"
  if ! restart "$port"; then
    echo "switch: event-api@$port does not serve; see journalctl -u event-api@$port" >&2
    if [ -n "$before" ]; then
      run "$before"
      for port in $restarted; do restart "$port"; done
    fi
    exit 1
  fi
done
systemctl try-restart event-deploy
# /etc/prometheus/alerts.yml is a link to the current release.
if systemctl is-active --quiet prometheus; then systemctl reload prometheus; fi
