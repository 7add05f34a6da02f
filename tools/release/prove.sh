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
tar -tzf "$folder"/one/dist/event-*.tar.gz | grep -E '/(api.mjs|event.mjs|deploy.mjs|0001_event.sql|sbom.cdx.json|event-api@.service|alerts.yml|build.json)$'
echo 'proved: two builds of one commit have the same bytes'
