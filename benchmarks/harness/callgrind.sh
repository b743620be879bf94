#!/usr/bin/env bash
# Instructions per operation of every arm, counted by valgrind: the same on a loaded machine as on an idle one.
# Two runs that differ only in the number of operations are subtracted, so that set-up drops out.
set -euo pipefail

if [ $# -lt 1 ] || [ "$1" = --help ]; then
  cat <<'TEXT'
bash benchmarks/harness/callgrind.sh PROGRAM [CONTROL]

  PROGRAM  quark-bench-sqlite-instructions, as benchmarks/run.sh builds it
  CONTROL  one of them, such as FindByPK (default: all)

Prints a table. Target: FindByPK at most 130 instructions over the hand-written code.
TEXT
  exit $(($# < 1 ? 2 : 0))
fi
program=$1
only=${2:-}
command -v valgrind >/dev/null || { echo "valgrind is missing (Debian/Ubuntu: apt install valgrind)" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

count() { # <control> <arm> <times>
  LD_BIND_NOW=1 valgrind --tool=callgrind --callgrind-out-file="$scratch/out" \
    "$program" "$@" 2>"$scratch/log" >/dev/null || { cat "$scratch/log" >&2; exit 1; }
  awk '/^summary:|^totals:/ { print $2; exit }' "$scratch/out"
}

echo "| operation | arm | instructions | over hand-written | |"
echo "|---|---|---|---|---|"
"$program" | awk -F'\t' 'NF == 2' | while IFS=$'\t' read -r control arm; do
  [ -z "$only" ] || [ "$control" = "$only" ] || continue
  case $control in
    InsertBatch1000) few=4 many=24 ;;
    InsertBatch*) few=20 many=120 ;;
    ListWhere*) few=200 many=1000 ;;
    *) few=1000 many=5000 ;;
  esac
  echo "$control, $arm ..." >&2
  each=$((($(count "$control" "$arm" "$many") - $(count "$control" "$arm" "$few")) / (many - few)))
  case $arm in hand-written | "hand-written, row by row") base=$each ;; esac
  verdict=
  if [ "$control" = FindByPK ] && [ "$arm" = quark ]; then
    [ $((each - base)) -le 130 ] && verdict="target 130: met" || verdict="target 130: missed"
  fi
  printf '| %s | %s | %d | %+d (%+.1f %%) | %s |\n' "$control" "$arm" "$each" $((each - base)) \
    "$(awk -v a="$each" -v b="$base" 'BEGIN { print 100 * (a - b) / b }')" "$verdict"
done
