#!/usr/bin/env bash
# npm run prove -- go-live: executes each named code block of docs/operate/go-live.md in order, as root in namespaces and over
# copies of this machine's folders, so that nothing of it changes. Both servers are addresses of one network namespace.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
for program in unshare nginx pg_ctlcluster openssl curl setpriv; do
  PATH=$PATH:/usr/sbin command -v "$program" > /dev/null || { echo "prove -- go-live: $program is required (Debian: nginx postgresql-15 openssl curl util-linux)" >&2; exit 1; }
done
if [ "${1:-}" != inside ]; then exec unshare --mount --net --pid --fork --mount-proc "$0" inside; fi

export PATH=$PATH:/usr/sbin
node=$(command -v node)
mount -t tmpfs tmpfs /run
work=/run/go-live
mkdir "$work"
cp "$node" "$work/node"
for folder in /etc /opt /srv /var /usr; do
  mkdir -p "$work$folder/upper" "$work$folder/work"
  mount -t overlay overlay -o "lowerdir=$folder,upperdir=$work$folder/upper,workdir=$work$folder/work" "$folder"
done
rm -f /usr/bin/node /usr/local/bin/node
cp "$work/node" /usr/bin/node
cp "$root/tools/release/systemctl.sh" /usr/bin/systemctl
install -D "$root/tools/release/run-as-unit.py" /usr/lib/event-tests/run-as-unit.py
ip link set lo up
ip address add 10.0.0.10/32 dev lo
ip address add 10.0.0.11/32 dev lo
# So that the one comes to the other by its own address.
ip route replace local 10.0.0.10 dev lo table local src 10.0.0.11
install -d -o postgres /run/postgresql
mkdir -p /etc/event "$work/root"
mount --bind "$root" "$work/root"
root=$work/root
mount -t tmpfs -o mode=1777 tmpfs /tmp

# What the two machines exchange: the archive, the next one, and the database's certificate.
cp "$root/dist/event-1.0.0.tar.gz" /tmp/
mkdir "$work/next"
tar -xzf /tmp/event-1.0.0.tar.gz -C "$work/next"
mv "$work"/next/event-1.0.0 "$work"/next/event-1.0.1
sed -i '0,/version: "1.0.0"/s//version: "1.0.1"/' "$work"/next/event-1.0.1/api/*.mjs
printf -- '-- Up Migration\nALTER TABLE ticket ADD COLUMN next text;\n' > "$work/next/event-1.0.1/api/migrations/0999_next.sql"
tar -czf /tmp/event-1.0.1.tar.gz -C "$work/next" event-1.0.1
ln -s /etc/postgresql/15/main/server.pem /etc/event/database.pem

# One shell, as a person would type them: functions of one block are used in the next.
{
  echo 'set -euo pipefail'
  awk '/^```sh [a-z]/ { print "echo \"## " $2 "\""; inside = 1; next } /^```/ { inside = 0 } inside' "$root/docs/operate/go-live.md"
} > "$work/guide.sh"
if ! bash "$work/guide.sh" 2>&1 | tee "$work/output"; then
  tail -n 20 /var/log/event-*.log /var/log/nginx/error.log /var/log/postgresql/*.log >&2 || true
  exit 1
fi

expect() { grep -qE "$1" "$work/output" || { echo "not proved: the guide did not print $1" >&2; exit 1; }; }
expect '^applied 0001_event$'
expect '"version":"1\.0\.0"'
expect '"data":.*[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}'
expect '^applied 0999_next$'
expect 'event-[0-9]{8}-[0-9]{6}\.dump'
echo 'proved: the guide leads from bare servers to a claim over HTTPS, to the next version and back'
