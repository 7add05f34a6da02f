#!/bin/sh
# Packs every package that others install, and checks its exports (publint) and types (@arethetypeswrong/cli).
set -eu
cd "$(dirname "$0")/.."
packed=.cache/packages
rm -rf $packed
mkdir -p $packed
npm pack --silent --ignore-scripts=false --pack-destination $packed -w mf-megalive -w shared -w build -w deploy -w deploy-server
for package in $packed/*; do npx --yes publint@0.3.25 "$package" --strict; done
npx --yes @arethetypeswrong/cli@0.18.5 $packed/*megalive* --profile esm-only
