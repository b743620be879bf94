#!/usr/bin/env bash
# Starts database servers in a folder of their own, says how to reach them, and stops and removes them
# when its input ends. Called by ../with_servers.sh, which is on the other side of both FIFOs.
#
#   supervise.sh <folder of the FIFOs> <server...>
set -uo pipefail

talk=$1
shift
# Whatever the user's own client and server settings are, they are not meant for these servers.
unset "${!PG@}" "${!MYSQL_@}" "${!MARIADB_@}"
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../../scripts/packages.sh"
source "$here/postgres.sh"
source "$here/mariadb.sh"
source "$here/pgbouncer.sh"
source "$here/disk.sh"

START_SECONDS=60  # a server that does not answer within them has failed
folder=           # everything that the servers write
running=()        # "<pid> <signal that stops it> <name>", in the order of starting
mounted=()        # folders that are file systems of their own
declare -A ports  # of servers, by name

# --- the life of the supervisor --------------------------------------------------------------

tell() { printf '%s\n' "$@"; }

# fail <reason> [log file]: tells it, with the end of the log. The exit cleans up.
fail() {
  tell failed "with_servers.sh: $1"
  if [ -s "${2:-}" ]; then
    tell "The end of its log:"
    tail -n 30 "$2"
  fi
  exit 1
}

clean_up() {
  local i pid signal
  for ((i = ${#running[@]} - 1; i >= 0; i--)); do
    read -r pid signal _ <<<"${running[i]}"
    stop "$pid" "$signal"
  done
  for i in "${mounted[@]}"; do umount "$i" 2>/dev/null || umount -l "$i"; done
  rm -rf "$talk" "$folder"
}
# A handler, not '': an ignored signal would be ignored by the servers too. PIPE comes when nobody is
# left to hear our answers.
trap : PIPE
trap 'exit 1' INT TERM HUP
trap clean_up EXIT

# stop <pid> <signal>: one of our own children, so that its number can't be another's by now.
stop() {
  kill -"$2" "$1" 2>/dev/null
  within 10 not kill -0 "$1" || kill -KILL "$1" 2>/dev/null
  wait "$1" 2>/dev/null
}

# --- what the servers share ------------------------------------------------------------------

not() { ! "$@" 2>/dev/null; }

# within <seconds> <command...>: asks until the command succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.02
  done
}

# PostgreSQL and pgbouncer refuse to run as root: then all servers run as somebody with few rights.
server_user=
if [ "$(id -u)" -eq 0 ]; then
  server_user=nobody
  ! id postgres >/dev/null 2>&1 || server_user=postgres
fi
exec_as_server_user() {
  if [ -z "$server_user" ]; then
    exec "$@"
  fi
  exec setpriv --reuid="$server_user" --regid="$(id -g "$server_user")" --clear-groups -- "$@"
}
as_server_user() { (exec_as_server_user "$@"); }

# In memory where there is room: /dev/shm has 64 MB in many containers, which is too little. A path must
# be short, since that of a Unix socket ends after 107 bytes, and open to the user of the servers.
make_folder() {
  local base
  for base in /dev/shm "${TMPDIR:-/tmp}" /tmp; do
    [ "$base" != /dev/shm ] || [ "$(free_megabytes "$base")" -ge 1024 ] || continue
    [ "${#base}" -le 60 ] || continue
    folder=$(mktemp -d "$base/quark-servers.XXXXXX" 2>/dev/null) || continue
    [ -z "$server_user" ] || chown "$server_user" "$folder"
    if as_server_user mkdir "$folder/try" 2>/dev/null; then
      return
    fi
    rm -rf "$folder"
  done
  folder=
  fail "there is no folder for the servers: /dev/shm, TMPDIR and /tmp were tried"
}
free_megabytes() { df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4; found = 1 } END { if (!found) print 0 }'; }

# A port that nobody listens on now. It lies below those that the system gives to outgoing connections.
free_port() {
  local port
  while port=$((RANDOM % 12000 + 20000)); (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

# serve <name> <signal that stops it> <log>: runs `launch_<name>` in the background, a function that ends
# in exec_as_server_user, and waits until `<name>_answers` succeeds. Both find the port in `port`. Whoever
# takes it before the server does makes the server end, and another one is tried.
serve() {
  local name=$1 signal=$2 log=$3 attempt
  for attempt in 1 2 3 4 5; do
    port=$(free_port)
    ports[$name]=$port
    ! launch "$name" "$signal" "$log" || return 0
    ! kill -0 "$pid" 2>/dev/null || fail "$name does not answer after $START_SECONDS s" "$log"
    unset "running[-1]"
    grep -qi 'address already in use' "$log" || break
  done
  fail "$name does not start (attempt $attempt)" "$log"
}

# launch <name> <signal that stops it> <log>: one attempt, on the port in `port`; leaves its process in `pid`.
launch() {
  local name=$1 log=$3 end
  : >"$log"  # at once: what an earlier start has said must not be read
  "launch_$name" </dev/null >"$log" 2>&1 &
  pid=$!
  running+=("$pid $2 $name")
  end=$((SECONDS + START_SECONDS))
  while kill -0 "$pid" 2>/dev/null && [ "$SECONDS" -lt "$end" ]; do
    ! "${name}_answers" >/dev/null 2>&1 || return 0
    sleep 0.02
  done
  return 1
}

# --- servers that a test stops and starts ------------------------------------------------------

# stop_server <name> <signal>
stop_server() {
  local i pid name
  for i in "${!running[@]}"; do
    read -r pid _ name <<<"${running[i]}"
    [ "$name" = "$1" ] || continue
    stop "$pid" "$2"
    unset "running[i]"
    running=("${running[@]}")
    return
  done
  return 1
}
# start_server <name> <signal that stops it>: again, with its files and on its port.
start_server() {
  local where=$folder/$1 port=${ports[$1]} pid
  launch "$1" "$2" "$where/log"
}

# A line is "<number> stop|start <name> <signal>"; the answer is the file answer.<number>: "done", or the end of the log.
obey() {
  local number verb name signal
  while IFS=' ' read -r number verb name signal; do
    case "$verb" in
      stop) stop_server "$name" "$signal" && echo done >"$talk/new" ;;
      start) start_server "$name" "$signal" && echo done >"$talk/new" ;;
    esac
    [ -e "$talk/new" ] || { echo "can't $verb $name"; tail -n 30 "$folder/$name/log"; } >"$talk/new" 2>&1
    mv "$talk/new" "$talk/answer.$number"
  done
}

make_folder
cd "$folder" || exit 1
export TMPDIR=$folder  # the user's may be closed to the user of the servers
for server in "$@"; do
  # pgbouncer may have started its PostgreSQL already.
  [ -d "$folder/$server" ] || "start_$server"
done
tell ready
# Until the end of whoever started us. On one line with the end, so that the shell needs no more of this file, which may
# be another by then.
obey; exit 0
