#!/bin/sh
# Makes the release in which it is the one that runs, one process after the other (docs/operate/go-live.md). Ends at a
# process that does not serve, so that the other goes on with the release before.
set -eu
release=$(readlink -f "$(dirname "$0")/..")
before=$(readlink -f /opt/event/current)
ln -sfn "${release##*/}" /opt/event/current
cp "$release"/packaging/systemd/* /etc/systemd/system/
systemctl daemon-reload
for port in 3001 3002; do
  if ! { systemctl restart "event-api@$port" &&
    curl -fsS --retry 30 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$port/healthz"; }; then
    echo "switch: event-api@$port does not serve; see journalctl -u event-api@$port. Back: $before/packaging/switch.sh" >&2
    exit 1
  fi
done
systemctl try-restart event-deploy
