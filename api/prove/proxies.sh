#!/usr/bin/env bash
# Runs nginx and HAProxy before the API's ports 3811 and 3812 until it is stopped: nginx on 3801 with the configuration that
# `deploy nginx` generates, HAProxy on 3802 with that of the packaging, and nginx on 3803 with its own defaults.
# proxies.sh run DATABASE_URL | build FOLDER VERSION (the artifact as `current`, and as `next` with another version)
set -euo pipefail
cd "$(dirname "$0")/../.."
export PATH=$PATH:/usr/sbin
if [ "$1" = build ]; then
  npm run build --silent -w @anniversary/api
  for name in current next; do cp -r api/dist "$2/$name"; done
  sed -i -E "0,/version: \"[0-9.]+\"/s//version: \"$3\"/" "$2/next/api.mjs"
  exit
fi
for program in nginx haproxy pg_dump; do
  command -v "$program" > /dev/null || { echo "$program is required (Debian: apt-get install nginx haproxy postgresql-client)" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null; wait; rm -rf "$work"' EXIT
trap exit TERM INT HUP

deploy() { node deploy/bin/deploy.js --site "$work/site" "$@"; }
deploy publish ./shell ./mf-auth ./mf-missions ./mf-history ./mf-megalive > "$work/published"
deploy nginx --listen 127.0.0.1:3801 --api 127.0.0.1:3811 --api 127.0.0.1:3812 > "$work/generated.conf"
# A dead server is left alone for ten seconds, and a 502 is shown.
sed -E 's/^(  server \S+) .*;/\1;/; /error_page[^;]* 50[24]/d; s/:3801/:3803/' "$work/generated.conf" > "$work/defaults.conf"
for name in generated defaults; do
  mkdir "$work/$name"
  {
    [ "$(id -u)" != 0 ] || echo 'user root;'
    echo "daemon off; pid $work/$name/pid; error_log $work/$name/log; events { } http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $work/$name/$kind;"; done
    cat "$work/$name.conf"
    echo '}'
  } > "$work/$name/nginx.conf"
  nginx -p "$work/$name" -c "$work/$name/nginx.conf" &
done
sed 's/:8080/:3802/; s/:3001/:3811/; s/:3002/:3812/' packaging/haproxy.cfg > "$work/haproxy.cfg"
haproxy -q -db -f "$work/haproxy.cfg" &

# Dumps again and again, slowly: a dump locks every table against a change of its columns until it ends.
while sleep 1; do
  # One that meets the breaking migration fails.
  pg_dump --dbname="$2" | (sleep 2; cat > /dev/null) && echo dumped
done
