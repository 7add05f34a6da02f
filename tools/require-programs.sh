#!/bin/sh
# Checks that the programs which tests start are there; `require-programs.sh browsers` those of the end-to-end tests.
# As root on Debian it installs the missing ones.
missing=''
need() { # program, Debian packages
  PATH="$PATH:/usr/sbin" command -v "$1" > /dev/null || missing="$missing $2"
}
# The names of deploy/src/browser/find-browser.ts.
for name in chrome-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome; do
  command -v "$name" > /dev/null && CHROMIUM_PATH=${CHROMIUM_PATH:-$name}
done
[ -n "${CHROMIUM_PATH:-}" ] || need chromium-headless-shell chromium-headless-shell
if [ "${1:-}" = browsers ]; then
  [ -z "${NIGHTLY:-}" ] || need chromium chromium
  need firefox-esr firefox-esr
  need WebKitWebDriver webkit2gtk-driver
  need Xvfb 'xvfb xauth'
else
  need promtool prometheus
  need systemd-analyze systemd
  need pg_dump postgresql-client
  need nginx nginx-light
  need openssl openssl
  need git git
  # Python's own module: units run under their filters (tools/release/run-as-unit.py).
  /usr/bin/python3 -c 'import seccomp' 2> /dev/null || missing="$missing python3-seccomp"
fi
[ -z "$missing" ] && exit
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "Installing$missing"
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  for _ in 1 2 3; do
    apt-get -o Acquire::Retries=3 update -qq
    # shellcheck disable=SC2086 # one word for each package
    apt-get -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 install -y -qq --no-install-recommends $missing > /dev/null && exit
    # Another update may hold the lists, as after the machine's start.
    sleep 10
  done
fi
echo "The tests need programs of these Debian packages:$missing (or CHROMIUM_PATH with a Chromium). Run: sudo apt-get install$missing" >&2
# Without them, tests in Firefox and WebKit are skipped, and any other Chromium will do.
[ "${1:-}" = browsers ]
