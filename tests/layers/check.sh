#!/usr/bin/env bash
# The arrows between the folders, as docs/map.md draws them: an #include may only point along them.
#   model <- types <- sql <- query <- relation,  exec <- engine,  query -> exec,  schema -> below query
# The core never includes an engine, an engine never includes query, and no engine another one, but for
# engine/database, which is made of all of them.
# Run by ctest as `layers`. With "--self-test" as second argument it checks its own rules.
#
#   check.sh <repository> [--self-test]
set -euo pipefail
root=$1
cd "$root"

# Leaves: any layer may include them. They include leaves only. Those of types/ are what engines
# and types exchange: cells, and plain values that know no model.
leaves="fwd version types/cell types/scratch types/calendar types/chrono_text types/decimal_value types/uuid_value
  types/json_value sql/statement exec/error exec/row_source"
leaves=${leaves//[[:space:]]/ }

# layer -> what it may include besides leaves and itself.
declare -A may=(
  [leaf]=""
  [model]=""
  [types]="model"
  [sql]="model types"
  [exec]=""
  [engine]="exec"                       # the concept, engine/engine.hpp
  [engine/]="exec engine dialect"       # one engine, engine/<name>/ (plus itself)
  [query]="model types sql exec engine"
  [relation]="model types sql exec engine query"
  [schema]="model types sql exec engine"
  [quark]="model types sql exec engine query relation schema"  # the umbrella, quark.hpp
  [umbrella/]="quark exec dialect"      # <name>.hpp of one engine (plus that engine)
)

# The layer of a path below include/quark or src, without its extension.
layer_of() {
  local path=$1
  case " $leaves " in *" $path "*) echo leaf; return ;; esac
  case "$path" in
    sql/dialect | sql/dialect_*) echo dialect ;;
    engine/*/*) path=${path#engine/}; echo "engine/${path%%/*}" ;;
    */*) echo "${path%%/*}" ;;
    quark) echo quark ;;
    *) echo "umbrella/$path" ;;
  esac
}

# Prints why `from` must not include `to`; silent when it may.
judge() {
  local from to key
  from=$(layer_of "$1") to=$(layer_of "$2")
  [ "$to" = leaf ] && return
  [ "$from" = "$to" ] && return
  [ "$from" = dialect ] && from=sql     # a dialect is part of sql, but an engine may know its own
  key=$from
  [[ $from == engine/* ]] && key=engine/
  [[ $from == engine/database && $to == engine/* ]] && return
  [[ $from == umbrella/* ]] && key=umbrella/ && [ "$to" = "engine/${from#umbrella/}" ] && return
  if [ -z "${may[$key]+known}" ]; then
    echo "$1: the folder $from is in no layer; add it to tests/layers/check.sh"
    return
  fi
  case " ${may[$key]} " in *" $to "*) return ;; esac
  [ "$to" = dialect ] && [[ " $from ${may[$key]} " == *" sql "* ]] && return
  echo "$1 ($from) must not include $2 ($to)"
}

if [ "${2:-}" = --self-test ]; then
  failed=0
  expect() { # refused|allowed from to
    local said
    said=$(judge "$2" "$3")
    if { [ "$1" = refused ] && [ -z "$said" ]; } || { [ "$1" = allowed ] && [ -n "$said" ]; }; then
      echo "self-test: $2 -> $3 should be $1"
      failed=1
    fi
  }
  expect allowed types/optional model/fields
  expect allowed query/for exec/executor
  expect allowed engine/sqlite/connection exec/middleware
  expect allowed engine/sqlite/connection sql/dialect_sqlite
  expect allowed engine/sqlite/cells types/cell
  expect allowed sql/select sql/dialect
  expect allowed model/fields exec/error
  expect allowed schema/create sql/dialect
  expect refused model/fields types/text
  expect refused types/text sql/select
  expect refused sql/select query/for
  expect refused sql/select exec/executor
  expect refused exec/executor engine/sqlite/connection
  expect refused exec/executor query/for
  expect refused query/for engine/sqlite/connection
  expect refused query/for sqlite
  expect refused quark engine/sqlite/connection
  expect allowed sqlite engine/sqlite/connection
  expect allowed sqlite quark
  expect refused sqlite engine/mysql/connection
  expect refused types/cell types/text
  expect refused engine/sqlite/cells types/text
  expect refused engine/sqlite/connection query/for
  expect refused engine/sqlite/connection sql/render
  expect refused engine/mysql/connection engine/sqlite/connection
  expect allowed engine/database/session engine/sqlite/connection
  expect refused engine/sqlite/connection engine/database/session
  expect refused engine/database/session query/for
  expect refused exec/error exec/middleware
  expect refused query/for relation/preload
  exit $failed
fi

found=0
count=0
include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'
while IFS=: read -r file line; do
  target=${line#*[<\"]}
  target=${target%%[>\"]*}
  case "$target" in
    quark/*) target=${target#quark/} ;;
    *..*) echo "$file: includes $target; write it as <quark/...>"; found=$((found + 1)); continue ;;
    *) continue ;;  # not ours, or a private header beside a source file
  esac
  source=${file#include/quark/}
  source=${source#src/}
  count=$((count + 1))
  why=$(judge "${source%.*}" "${target%.hpp}")
  if [ -n "$why" ]; then
    echo "$file: $why"
    found=$((found + 1))
  fi
done < <(grep -rE --include='*.hpp' --include='*.cpp' "$include" include src)

echo "$count includes looked at, $found against the arrows"
[ "$found" -eq 0 ] && [ "$count" -gt 0 ]
