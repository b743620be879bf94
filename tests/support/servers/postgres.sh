# A private PostgreSQL: 14 or newer, on a loopback port and a Unix socket. Sourced by supervise.sh.

# Nothing here outlives the tests, so nothing needs to reach a disk.
POSTGRES_SETTINGS=(
  -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off
  -c shared_buffers=64MB -c max_connections=100 -c listen_addresses=127.0.0.1
  -c timezone=UTC -c log_timezone=UTC -c lc_messages=C
  # Shared memory of parallel queries as files in our folder: gone with it, even after SIGKILL.
  -c dynamic_shared_memory_type=mmap
)

start_postgres() {
  local where=$folder/postgres
  postgres_bin=$(postgres_programs) ||
    fail "PostgreSQL 14 or newer was not found (initdb and postgres in PATH or /usr/lib/postgresql/*/bin)"
  as_server_user mkdir "$where"
  make_postgres_cluster C.UTF-8 || make_postgres_cluster C || fail "initdb failed" "$where/initdb.log"
  # Immediate shutdown (QUIT) writes nothing, but takes the shared memory along.
  serve postgres QUIT "$where/log"
  tell "QUARK_TEST_POSTGRES=postgres://quark@127.0.0.1:$port/quark" "QUARK_TEST_POSTGRES_SOCKET=$where"
  # For pgbouncer.
  export QUARK_TEST_POSTGRES=postgres://quark@127.0.0.1:$port/quark
}

launch_postgres() {
  exec_as_server_user "$postgres_bin/postgres" -D "$where/data" -p "$port" -k "$where" "${POSTGRES_SETTINGS[@]}"
}

postgres_answers() { grep -q 'ready to accept connections' "$where/log"; }

make_postgres_cluster() { # <locale>
  rm -rf "$where/data"
  as_server_user "$postgres_bin/initdb" -D "$where/data" -U quark -A trust -E UTF8 --locale="$1" --no-sync \
    --no-instructions >"$where/initdb.log" 2>&1 || return 1
  # Everybody is trusted but one, so that a refused login can be tested. The first line that fits counts.
  sed -i '1i host all quark_login all scram-sha-256' "$where/data/pg_hba.conf"
  # Single-user mode: no server has to run for it.
  printf '%s\n' "CREATE ROLE quark_login LOGIN PASSWORD 'secret';" 'CREATE DATABASE quark;' |
    as_server_user "$postgres_bin/postgres" --single -D "$where/data" -c fsync=off postgres >>"$where/initdb.log" 2>&1
}
