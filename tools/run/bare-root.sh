#!/usr/bin/env bash
# The README's two commands on a bare Debian root: debootstrap's minimal base, git and certificates, with this machine's
# Node, npm and addresses of registries. Needs debootstrap and root.
set -u
root="$(mktemp -d)/bare"
mounts='proc dev sys dev/pts'
clean() {
  for mount in $(printf '%s\n' $mounts | tac); do umount "$root/$mount" 2> /dev/null; done
  mount | grep -q " $root/" || rm -rf "$(dirname "$root")"
}
trap clean EXIT
mkdir "$root"
sources=$(find /etc/apt/sources.list.d /etc/apt/sources.list -name '*.sources' -o -name 'sources.list' -size +0 | head -1)
mirror=$(grep -ohE 'https?://[^ ]+' "$sources" | head -1)
debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" "$mirror" > "$root.log" 2>&1 || {
  tail -1 "$root.log"
  exit 1
}

# Copies files to the same place in the new root.
share() {
  local file
  for file in "$@"; do
    [ -f "$file" ] && mkdir -p "$root$(dirname "$file")" && cp "$file" "$root$file"
  done
}
cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
cp -r /usr/share/keyrings/. "$root/usr/share/keyrings/"
cp -r /etc/ssl/certs/. "$root/etc/ssl/certs/"
share /etc/apt/sources.list /etc/resolv.conf /etc/hosts /etc/npmrc /usr/etc/npmrc ~/.npmrc "${NODE_EXTRA_CA_CERTS:-}" "${SSL_CERT_FILE:-}"
cp "$(command -v node)" "$root/usr/bin/node"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/lib/node_modules"
cp -r "$npm" "$root/usr/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
git clone -q "$(dirname "$0")/../.." "$root/root/app"
for mount in $mounts; do mount --bind "/$mount" "$root/$mount"; done

cat > "$root/root/both.sh" << 'SCRIPT'
set -eu
cd /root/app
npm ci --no-audit --no-fund
PORT=0 npm start > /tmp/start.log 2>&1 &
start=$!
for _ in $(seq 600); do
  address=$(sed -n 's/^Ready on //p' /tmp/start.log)
  [ -n "$address" ] || ! kill -0 $start 2> /dev/null || { sleep 0.5; continue; }
  break
done
cat /tmp/start.log
node -e "fetch('$address/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"
kill -INT $start
wait $start || true
npm test
SCRIPT
chroot "$root" /bin/bash /root/both.sh
