#!/usr/bin/env bash
# npm run prove -- release: builds the commit in two new folders, and fails unless both archives have the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for copy in one another; do
  git clone -q . "$folder/$copy"
  # A link would lead the bundler back to this folder's paths.
  for modules in node_modules */node_modules; do cp -a "$modules" "$folder/$copy/$modules"; done
  (cd "$folder/$copy" && npm run release)
done
cmp "$folder"/{one,another}/dist/event-*.tar.gz
listed=$(tar -tzf "$folder"/one/dist/event-*.tar.gz)
for file in api.mjs event.mjs deploy.mjs 0001_event.sql sbom.cdx.json licences.txt event-api@.service backup.sh switch.sh bin/event bin/deploy admission/http.conf alerts.yml build.json; do
  grep -q "/$file\$" <<< "$listed" || { echo "not proved: the archive misses $file" >&2; exit 1; }
done
sbom=$(tar -xzOf "$folder"/one/dist/event-*.tar.gz --wildcards '*/sbom.cdx.json')
for part in zod pg p-limit playwright-core react axios @fontsource/be-vietnam-pro; do
  grep -q "\"name\": \"$part\"" <<< "$sbom" || { echo "not proved: the SBOM misses $part" >&2; exit 1; }
done
if grep -E '"name": "(jest|jsdom|embedded-postgres|@playwright/test)"' <<< "$sbom"; then
  echo 'not proved: the SBOM names what is not in the archive' >&2; exit 1
fi
echo 'proved: two builds of one commit have the same bytes'
