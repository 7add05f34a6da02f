#!/usr/bin/env bash
# npm run prove -- go-live: executes each named code block of docs/operate/go-live.md in order, as root in namespaces and over
# copies of this machine's folders, so that nothing of it changes. Both servers are addresses of one network namespace.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
for program in unshare nginx pg_ctlcluster openssl curl setpriv prometheus prometheus-{alertmanager,{node,postgres,blackbox}-exporter}; do
  PATH=$PATH:/usr/sbin command -v "$program" > /dev/null || { echo "prove -- go-live: $program is required (Debian: nginx postgresql-15 openssl curl util-linux, and Prometheus with its exporters)" >&2; exit 1; }
done
if [ "${1:-}" != inside ]; then exec unshare --mount --net --pid --fork --mount-proc "$0" inside; fi

node=$(command -v node)
# Without the programs of npm's packages, which npm puts in front.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
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
mkdir -p "$work/root"
mount --bind "$root" "$work/root"
root=$work/root
mount -t tmpfs -o mode=1777 tmpfs /tmp

# What comes to the web server: the archive, and the next one.
release=$(basename "$root"/dist/event-*.tar.gz .tar.gz)
next=event-1.0.1-next
cp "$root/dist/$release.tar.gz" /tmp/
mkdir "$work/next"
tar -xzf "/tmp/$release.tar.gz" -C "$work/next"
mv "$work/next/$release" "$work/next/$next"
sed -i '0,/version: "1.0.0"/s//version: "1.0.1"/' "$work/next/$next"/api/*.mjs
# Otherwise a new version alone would make a build another one.
if grep -rlF '"1.0.0"' "$work/next/$next/site" --exclude=build.json --exclude-dir=source-maps; then
  echo 'not proved: a build has its version in a file' >&2; exit 1
fi
# All packages have the next version, and one page of mf-auth another title.
sed -i 's/"version": *"[^"]*"/"version": "1.0.1-next"/' "$work/next/$next"/site/*/build.json
sed -i '0,/"title": *"[^"]*"/s//"title": "Next title"/' "$work/next/$next/site/mf-auth/build.json"
# The shell has another first script, which pages carry inline.
node - "$work/next/$next/site/shell" << 'END'
const { readFileSync, writeFileSync } = require('node:fs')
const { createHash } = require('node:crypto')
const folder = process.argv[2]
const build = JSON.parse(readFileSync(`${folder}/build.json`))
const text = `${readFileSync(`${folder}/${build.firstScript}`)};`
build.firstScript = 'first.next.js'
const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`
build.files['first.next.js'] = { integrity, bytes: Buffer.byteLength(text), immutable: true }
writeFileSync(`${folder}/first.next.js`, text)
writeFileSync(`${folder}/build.json`, JSON.stringify(build))
END
sed -i '0,/summary: .*/s//summary: Next summary/' "$work/next/$next/packaging/alerts.yml"
printf -- '-- Up Migration\nALTER TABLE ticket ADD COLUMN next text;\n' > "$work/next/$next/api/migrations/0999_next.sql"
tar -czf "/tmp/$next.tar.gz" -C "$work/next" "$next"

# Each block is a function: a person pastes it into a shell that has nothing of the others.
{
  # A proxy that answers nothing.
  echo "export http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9"
  echo "set -euo pipefail; export OPERATOR=proof; release=$release next=$next"
  cat << 'END'
fail() { echo "not proved: $*" >&2; exit 1; }
execute() {
  echo "## $1"
  for part in before block after; do
    if declare -F "${part}_$1" > /dev/null; then "${part}_$1"; fi
  done
}
# A person's shell goes on after an error.
execute_carelessly() { bash -c "$(declare -f "block_$1"); block_$1"; }
site() { curl --noproxy '*' -fsS --cacert /etc/ssl/certs/event.pem --resolve event.example:443:127.0.0.1 "https://event.example$1" "${@:2}"; }
page() { site /login "$@"; }
require_own_directives() { [ "$(site /own)" = own ] || fail "$1 nginx has lost the operator's directives"; }
# Browsers execute an inline script only where the policy has its hash.
require_allowed_scripts() {
  page -i | node -e '
    const [head, ...rest] = require("node:fs").readFileSync(0, "utf8").split("\r\n\r\n")
    const scripts = [...rest.join("").matchAll(/<script>([^]*?)<\/script>/g)]
    const hashOf = (kind, text) => `${kind}-${require("node:crypto").createHash(kind).update(text).digest("base64")}`
    const isAllowed = ([, text]) => ["sha256", "sha384"].some((kind) => head.includes(hashOf(kind, text)))
    process.exitCode = scripts.length > 1 && scripts.every(isAllowed) ? 0 : 1' || fail "$1 nginx refuses the first script"
}
claim_again() {
  curl --noproxy '*' -fsS --retry 30 --retry-all-errors --retry-delay 1 http://127.0.0.1:300{1,2}/healthz > /dev/null
  block_claim
}

# Node's archive has an owner, whom the folders that it shares with Debian must not get.
apt-get() { :; }
before_programs() {
  mkdir -p /tmp/node/bin
  touch /tmp/node/bin/of-node
  curl() { tar -cJ --owner=1001 --group=1001 -C /tmp node; }
}
after_programs() {
  unset -f curl
  [ "$(stat -c %U /usr/bin /usr/bin/of-node | uniq)" = root ] || fail "Node's archive takes /usr"
}
before_secrets() { cp /etc/postgresql/15/main/server.pem /etc/event/database.pem; }
# Before its tables are there, the API does not serve.
before_api() {
  if "/opt/event/$release/packaging/switch.sh"; then fail 'a release that does not serve was switched to'; fi
}
after_nginx() {
  nginx -T 2> /dev/null | grep 'worker_connections 20480'
  mv /srv/event/site /srv/event/away
  execute_carelessly nginx || true
  mv /srv/event/away /srv/event/site
  nginx -t
  [[ $(page) == *'<form'* ]] || fail 'a failed deploy takes the site away'
}
after_site() { deploy history | grep -w "$OPERATOR"; }
after_members() { event audit | grep -w "$OPERATOR"; }
after_claim() { before=$(claim_again); }
require_named_addresses() {
  if ss -Hltun | grep -E '(0\.0\.0\.0|\*|\[::\]):9[0-9]{3} '; then fail 'a program without a password listens on all addresses'; fi
}
after_exporters() {
  curl --noproxy '*' -fsS --retry 30 --retry-all-errors --retry-delay 1 http://10.0.0.10:9187/metrics | grep -x 'pg_up 1'
  curl --noproxy '*' -fsS http://10.0.0.10:9100/metrics > /dev/null
  require_named_addresses
}
before_watch() {
  if amtool check-config "/opt/event/$release/packaging/alertmanager.yml"; then fail 'alerts may go nowhere'; fi
  # As while the key is replaced.
  sed -i 's/$/,the-former-reports-key/' /etc/event/reports-key
  # That of the database server goes on.
  rm /run/prometheus-node-exporter.pid
}
query() { promtool query instant http://127.0.0.1:9090 "$1"; }
after_watch() {
  for port in 9090/-/ready 9093/-/ready 9100/metrics 9115/metrics; do
    curl --noproxy '*' -fsS --retry 30 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$port" > /dev/null
  done
  require_named_addresses
  deploy health mf-auth
  deploy errors mf-auth
  deploy token add ann --packages '*'
  (cd / && deploy token revoke ann) || fail 'another access file is read in another folder'
  # The site is asked each minute.
  for _ in {1..80}; do
    watched=$(query 'count(up{instance=~"(127|10).0.0.1.*:.*|https://event.example/"} == 1) == 6')
    [ -z "$watched" ] || break
    sleep 1
  done
  down=$(query 'up == 0')
  [[ $watched && ! $down ]] || fail "Prometheus does not get what it watches: $down"
}
after_page() { amtool --alertmanager.url=http://127.0.0.1:9093 alert | grep '^test'; }
after_backup() {
  systemctl stop event-api@3001 event-api@3002
  cp /var/lib/event-backup/event-*.dump /tmp/event.dump
  (cd /tmp && block_dump)
  event verify
  block_since | grep -w 'first members'
  systemctl start event-api@3001 event-api@3002
  [ "$before" = "$(claim_again)" ] || fail 'the dump lacks the claim'
}
before_upgrade() {
  install -d /etc/nginx/event.d
  echo 'location = /own { return 200 own; }' > /etc/nginx/event.d/own.conf
  cp -r "/opt/event/$release/site/mf-megalive" /tmp/mf-megalive
  sed -i '0,/"version": *"[^"]*"/s//"version": "0.9.0"/' /tmp/mf-megalive/build.json
  deploy publish /tmp/mf-megalive
  deploy publish /opt/event/current/site/mf-megalive
  deploy rollback mf-megalive
}
after_upgrade() {
  [[ $(page) == *'<title>Next title'* ]] || fail 'the next site is not served'
  require_allowed_scripts 'after the upgrade'
  require_own_directives 'after the upgrade'
  [[ $(curl --noproxy '*' -fsS http://127.0.0.1:9090/api/v1/rules) == *'Next summary'* ]] || fail 'Prometheus has the old rules'
  deploy status | grep -E 'mf-megalive +0\.9\.0' || fail 'a rollback does not outlast the upgrade'
  # Another deploy, without another build.
  sed -i "s/?.remove(), 1000)/?.remove(), 1001)/" "/opt/event/$next/deploy/deploy.mjs"
  event-nginx
  page | grep -F 'remove(), 1001)' || fail "event-nginx leaves another deploy's pages"
  require_allowed_scripts 'after an update of deploy alone'
}
after_back() {
  [[ $(page) != *'Next title'* ]] || fail 'the site did not go back'
  deploy notice Back --until "$(TZ=Asia/Ho_Chi_Minh date -d '1 hour' +%FT%H:%M)"
  page | grep -F 'remove(), 1000)' || fail "the page is not the former deploy's"
  require_allowed_scripts 'after going back'
  require_own_directives 'after going back'
  cp -r "/opt/event/$next" /opt/event/event-broken
  for fault in "process.exit(1)" "await new Promise(() => import('node:net').then((net) => net.createServer().listen(3002)))"; do
    sed -i "1i if (process.env.PORT === '3002') $fault" /opt/event/event-broken/api/api.mjs
    if /opt/event/event-broken/packaging/switch.sh; then fail "a release was switched to that does at its start: $fault"; fi
    sed -i 1d /opt/event/event-broken/api/api.mjs
  done
  for port in 3001 3002; do
    [[ $(curl --noproxy '*' -fsS "http://127.0.0.1:$port/livez") == *'"version":"1.0.0"'* ]] || fail "$port does not have the release before"
  done
}

lose_the_disk() {
  pg_ctlcluster 15 main stop -m immediate
  rm -rf /var/lib/postgresql/15/main/* /etc/cron.daily/event-base
  chown -R 4242 /srv/backup/*
}
# By a member of a later import than the base backup.
claim_as_last() (
  eval "$(declare -f block_claim | sed s/first01/last01/g)"
  claim_again
)
# A claim before the moment; a change and a base backup after it. The first try restores to before the claim.
before_restore() {
  too_early=$(date '+%F %T%:z')
  printf 'username,last_bank_number\nlast01,1234\n' > /tmp/last.csv
  event import members /tmp/last.csv --reason 'before the moment'
  code=$(claim_as_last | grep -oE '[0-9A-Z]{4}(-[0-9A-Z]{4}){2}')
  sleep 2
  moment=$(date '+%F %T%:z')
  sleep 2
  printf 'username,last_bank_number\nlater01,1234\n' > /tmp/later.csv
  event import members /tmp/later.csv --reason 'after the moment'
  /etc/cron.daily/event-base
  sleep 62
  lose_the_disk
  (
    moment=$too_early
    block_restore
  )
  if event show last01; then fail 'the first try restores a later member'; fi
}
# Then a second disk is lost.
after_restore() {
  [ "$before" = "$(claim_again)" ] || fail 'the claim is lost'
  [[ $(claim_as_last) == *"$code"* ]] || fail 'a claim after the base backup is lost'
  if event show later01; then fail 'the restore has later changes'; fi
  block_base
  event import members /tmp/later.csv --reason 'between both disks'
  sleep 62
  lose_the_disk
  moment=
  block_restore
  event show later01 > /dev/null || fail 'the second restore lacks a change'
  execute opening
  [[ $(event export tickets) == *"$code"* ]] || fail 'the second restore lacks a claim'
  if event export tickets | grep first01; then fail "the rehearsal's ticket takes part"; fi
}
END
  awk '/^```sh [a-z]/ { name = $2; print "block_" name "() ("; inside = 1; next }
    /^```/ { if (inside) print ")"; inside = 0 } inside' "$root"/docs/operate/{event,go-live}.md \
    | sed "s/event-1\.0\.0-COMMIT/$release/g; s/event-1\.0\.1-COMMIT/$next/g; s/NUMBER/2/"
  # The block `opening` comes last, since claims are taken until then.
  for name in $(sed -n 's/^```sh \([a-z]\)/\1/p' "$root/docs/operate/go-live.md"); do
    [ "$name" = opening ] || echo "execute $name"
  done
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
expect '^ok .*recount'
expect 'event-[0-9]{8}-[0-9]{6}\.dump'
echo 'proved: the guide leads from bare servers to a claim over HTTPS, to the next version and back, and to a moment before a lost disk'
