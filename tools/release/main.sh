#!/usr/bin/env bash
# npm run release: packs one commit into dist/event-VERSION.tar.gz, with the same bytes in whichever folder it is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
tar --version | grep -q GNU || { echo 'release: GNU tar is required' >&2; exit 1; }
name=event-$(node -p "require('./api/package.json').version")
folder=dist/$name

npm run build
rm -rf dist
mkdir -p "$folder/site"
cp -r api/dist "$folder/api"
cp -r deploy-server/dist "$folder/deploy"
cp -r packaging "$folder/packaging"
cp api/alerts.yml "$folder/packaging/"
for page in shell mf-*; do cp -r "$page/dist" "$folder/site/$page"; done
# Without what differs between two runs: a random number, the time, and the folder's name.
npm sbom --omit dev --sbom-format cyclonedx | node -e '
  const { serialNumber, metadata: { timestamp, ...metadata }, ...sbom } = JSON.parse(require("fs").readFileSync(0))
  metadata.component.name = "anniversary"
  console.log(JSON.stringify({ ...sbom, metadata }, null, 2))' > "$folder/sbom.cdx.json"

tar --create --directory dist --format=gnu --sort=name --mtime="@$(git log -1 --format=%ct)" \
  --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' "$name" | gzip -9n > "dist/$name.tar.gz"
sha256sum "dist/$name.tar.gz"
