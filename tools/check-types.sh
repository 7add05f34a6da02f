#!/usr/bin/env bash
# Checks the types of every package. Packages that share a file report its errors twice, so each line is printed once.
# A compiler that crashes, or is missing, may print nothing.
set -o pipefail
cd "$(dirname "$0")/.." || exit
node_modules/.bin/tsc -b --pretty false --builders 2 --checkers 1 ./*/tsconfig.json tools/new-remote/templates/remote tools/new-remote/examples/mf-vue |
  awk '!seen[$0]++; END { exit NR > 0 }'
