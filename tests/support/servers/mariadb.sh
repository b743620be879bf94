# A private MariaDB, on a loopback port and a Unix socket. Sourced by supervise.sh.

# The time zone is none that a session would have by chance: what stores or reads a time must set its own.
MARIADB_SETTINGS=(
  --character-set-server=utf8mb4 --default-time-zone=+05:45
  --skip-networking=0 --bind-address=127.0.0.1 --skip-name-resolve --max-connections=100
  --innodb-flush-log-at-trx-commit=0 --innodb-flush-method=nosync --innodb-doublewrite=0 --sync-binlog=0
  --innodb-buffer-pool-size=64M --innodb-log-file-size=16M --innodb-fast-shutdown=2
)

start_mariadb() {
  local where=$folder/mariadb install
  if ! mariadb_program=$(mariadb_server) || ! install=$(command -v mariadb-install-db); then
    fail "MariaDB was not found (mariadbd and mariadb-install-db)"
  fi
  as_server_user mkdir "$where" "$where/tmp"
  as_server_user "$install" --no-defaults --datadir="$where/data" --auth-root-authentication-method=normal \
    --skip-test-db --skip-name-resolve --innodb-log-file-size=16M --innodb-flush-method=nosync \
    >"$where/install.log" 2>&1 || fail "MariaDB: mariadb-install-db failed" "$where/install.log"
  cat >"$where/init.sql" <<'SQL'
CREATE DATABASE IF NOT EXISTS quark;
CREATE USER IF NOT EXISTS quark@'%' IDENTIFIED BY 'secret';
GRANT ALL ON *.* TO quark@'%' WITH GRANT OPTION;
SQL
  serve mariadb TERM "$where/log"
  tell "QUARK_TEST_MYSQL=mysql://quark:secret@127.0.0.1:$port/quark" "QUARK_TEST_MYSQL_SOCKET=$where/socket"
}

launch_mariadb() {
  exec_as_server_user "$mariadb_program" --no-defaults --datadir="$where/data" --tmpdir="$where/tmp" \
    --socket="$where/socket" --pid-file="$where/pid" --port="$port" --init-file="$where/init.sql" \
    "${MARIADB_SETTINGS[@]}"
}

# It says so itself after it has run init.sql, and no client is needed to ask.
mariadb_answers() { grep -q 'ready for connections' "$where/log"; }
