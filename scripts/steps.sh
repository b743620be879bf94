# Shell functions: says which step runs, how long it took, and stops at the first that fails.
# Sourced by tests/run.sh and docs/examples/run.sh.

# step <what it does> <command...>
step() {
  local title=$1 started=$SECONDS status=0
  shift
  printf '\n==> %s\n' "$title"
  # A separate shell: `set -e` stays in force inside the command, which `if` or `||` would undo.
  set +e
  (set -e; "$@")
  status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    printf '!!! failed after %s s (exit code %s): %s\n' $((SECONDS - started)) "$status" "$title" >&2
    exit "$status"
  fi
  printf '    done in %s s: %s\n' $((SECONDS - started)) "$title"
}

# How many compilers at once: one per core, and about 1.5 GB of memory for each.
parallel_jobs() {
  local cores memory=1000
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  if [ -r /proc/meminfo ]; then
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
  fi
  [ "$memory" -ge 1 ] || memory=1
  [ "$cores" -le "$memory" ] && echo "$cores" || echo "$memory"
}
