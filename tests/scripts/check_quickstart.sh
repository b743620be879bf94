#!/usr/bin/env bash
# docs/examples/run.sh as the README promises it: from any directory, twice, into a folder of one's
# choice whose name has a space, with nothing left beside it. Run by ctest as scripts.quickstart.
#
#   check_quickstart.sh <repository> <folder for scratch files>
set -euo pipefail
root=$1 scratch=$2
export QUARK_BUILD_DIR=$scratch/build QUARK_INSTALL_PACKAGES=no
unset QUARK_REFLECTION
mkdir -p "$scratch"
rm -f "$scratch/build/examples/docs/examples/quickstart.db"

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

if ! [ -r /usr/share/zoneinfo/zone1970.tab ]; then
  echo "left out: this machine has no time zone tables"
  exit 77
fi
before=$(ls -A "$root")
cd /
for run in first second; do
  bash "$root/docs/examples/run.sh" >"$scratch/$run.out" 2>&1 ||
    fail "the $run run: exit code $?: $(tail -n 20 "$scratch/$run.out")"
  counts=$(sed -n 's/^    now: *\([0-9]*\) countries and \([0-9]*\) zones$/\1 \2/p' "$scratch/$run.out")
  read -r countries zones <<<"$counts" || fail "the $run run says nothing about countries and zones"
  [ "$countries" -gt 200 ] && [ "$zones" -gt 200 ] || fail "the $run run: $countries countries, $zones zones"
  [ "$run" = first ] && first=$counts
  [ "$counts" = "$first" ] || fail "the second run counts $counts instead of $first"
done
grep -q 'before: 0 countries and 0 zones' "$scratch/first.out" || fail "the first run found a database"
grep -q "before: $countries countries" "$scratch/second.out" || fail "the second run found no database"
grep -q 'ninja: no work to do' "$scratch/second.out" || fail "the second run built again"
[ "$(ls -A "$root")" = "$before" ] || fail "something was left in the repository"
echo "two runs from /: $countries countries and $zones zones"
