#!/usr/bin/env bash
# npm run release: packs one commit into dist/event-VERSION-COMMIT.tar.gz, with the same bytes in whichever folder it is
# built. --dirty also packs files that differ from the commit.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-} in
  '' | --dirty) ;;
  -h | --help) sed -n '2,3s/^# //p' tools/release/main.sh && exit ;;
  *) echo "release: $1 is unknown; see npm run release -- --help" >&2 && exit 2 ;;
esac
tar --version | grep -q GNU || { echo 'release: GNU tar is required' >&2; exit 1; }
# Not the dist folders that another branch leaves.
pages=(*/rspack.config.js)
pages=("${pages[@]%/rspack.config.js}")
# Of folders that are packed whole, ignored files too.
different=$(git status --short --untracked-files=all && git ls-files --others --ignored --exclude-standard -- \
  packaging api/migrations shared/campaign/public "${pages[@]/%//public}")
if [[ $different && ${1:-} != --dirty ]]; then
  { echo 'release: these files are not as in the commit, so nobody could build the archive again:'
    echo "$different"
    echo 'Commit or remove them, or pack them with: npm run release -- --dirty'; } >&2
  exit 1
fi
commit=$(git rev-parse --short=12 HEAD)${different:+-dirty}
name=event-$(node -p "require('./api/package.json').version")-$commit
folder=dist/$name

npm run build
rm -rf dist
mkdir -p "$folder/site"
cp -r api/dist "$folder/api"
cp -r deploy-server/dist "$folder/deploy"
cp -r packaging "$folder/packaging"
cp api/alerts.yml "$folder/packaging/"
for page in "${pages[@]}"; do cp -r "$page/dist" "$folder/site/$page"; done
node --import tsx tools/release/sbom.ts "$folder" {api,deploy-server}/dist "${pages[@]/%//dist}"

tar --create --directory dist --format=gnu --sort=name --mtime="@$(git log -1 --format=%ct)" \
  --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' "$name" | gzip -9n > "dist/$name.tar.gz"
sha256sum "dist/$name.tar.gz"
