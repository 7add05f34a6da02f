#!/usr/bin/env bash
# npm run prove -- image: builds the image from the release without a daemon, and runs it: not as root, it answers, and ends
# with 0 at SIGTERM. Its base is Debian with this machine's Node, since a pipeline may have no registry.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in buildah mmdebstrap pg_ctlcluster; do
  command -v "$program" > /dev/null || { echo "prove -- image: $program is required (Debian: apt-get install $program)" >&2; exit 1; }
done
work=$(mktemp -d)
pids=
trap 'kill $pids 2> /dev/null || true; runuser -u postgres -- /usr/lib/postgresql/15/bin/pg_ctl -D "$work/data" -m immediate stop > /dev/null 2>&1 || true; rm -rf "$work"' EXIT
base=${BASE_TAR:-$work/base.tar}
[ -e "$base" ] || mmdebstrap --mode=root --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$base"

store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
cp "$(command -v node)" "$work/node"
container=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add "$container" "$base" / > /dev/null
buildah "${store[@]}" copy "$container" "$work/node" /usr/bin/node > /dev/null
buildah "${store[@]}" commit --rm "$container" localhost/node > /dev/null
buildah "${store[@]}" bud --format docker --isolation chroot --pull-never --build-arg BASE=localhost/node -t localhost/event-api \
  -f packaging/Containerfile dist/event-*/
buildah "${store[@]}" inspect --type image localhost/event-api | grep -q '"User": "65534:65534"'
buildah "${store[@]}" images

install -d -o postgres "$work/data"
chmod 755 "$work"
runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb -D "$work/data" -A trust > /dev/null
runuser -u postgres -- /usr/lib/postgresql/15/bin/pg_ctl -D "$work/data" -o "-p 54329 -k $work/data" -l "$work/data/log" -w start > /dev/null || { cat "$work/data/log" >&2; exit 1; }

container=$(buildah "${store[@]}" from --pull-never localhost/event-api)
buildah "${store[@]}" run --isolation chroot --network host --env DATABASE_URL=postgres://postgres@127.0.0.1:54329/postgres \
  --env LOGIN_PEPPER=the-pepper-of-the-proofs --env PORT=30329 "$container" -- node /opt/event/api/api.mjs > "$work/log" 2>&1 &
running=$!
pids=$running
curl -fsS --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:30329/healthz
api=$(pgrep --newest --full '/opt/event/api/api.mjs$')
[ "$(stat -c %u "/proc/$api")" = 65534 ] || { echo 'not proved: the image runs as another user' >&2; exit 1; }
kill -TERM "$api"
wait "$running" || { cat "$work/log" >&2; echo 'not proved: SIGTERM does not end with 0' >&2; exit 1; }
echo 'proved: the image builds, runs as nobody, answers and ends with 0'
