// Opening by a URL, and plain SQL.
#include "quark/engine/database/connection.hpp"

#include <quark/exec/error.hpp>
#include <quark/exec/pool.hpp>

#include <string>

namespace quark {
namespace {

/// What stands before "://" or ":", if it is letters: never a password.
std::string_view scheme_of(std::string_view url) {
  std::size_t end = 0;
  while (end < url.size() && ((url[end] >= 'a' && url[end] <= 'z') || (url[end] >= '0' && url[end] <= '9'))) ++end;
  return end < url.size() && url[end] == ':' ? url.substr(0, end) : std::string_view();
}

[[noreturn, maybe_unused]] void refuse_engine(std::string_view name) {
  detail::throw_unsupported({}, "this installation of quark::database was built without " + std::string(name));
}

}  // namespace

DatabaseOptions::DatabaseOptions(std::string_view url) {
  const std::string_view scheme = scheme_of(url);
  if (scheme == "sqlite") {
#if defined(QUARK_DATABASE_SQLITE)
    options_ = sqlite::parse_url(url);
#else
    refuse_engine("SQLite");
#endif
  } else if (scheme == "postgres" || scheme == "postgresql") {
#if defined(QUARK_DATABASE_POSTGRES)
    postgres::Options options;
    options.url = url;
    options_ = std::move(options);
#else
    refuse_engine("PostgreSQL");
#endif
  } else if (scheme == "mysql" || scheme == "mariadb") {
#if defined(QUARK_DATABASE_MYSQL)
    options_ = mysql::parse_url(url);
#else
    refuse_engine("MySQL");
#endif
  } else {
    detail::throw_misuse("a database's URL begins with sqlite://, postgres:// or mysql://" +
                         (scheme.empty() ? std::string() : ", not with " + std::string(scheme) + ":"));
  }
}

void adjust_pool([[maybe_unused]] const DatabaseOptions& options, [[maybe_unused]] PoolOptions& pool) {
#if defined(QUARK_DATABASE_SQLITE)
  if (const auto* file = options.get_if<sqlite::Options>()) sqlite::adjust_pool(*file, pool);
#endif
}

std::uint64_t Database::execute(std::string_view sql) {
  return session().pick_connection([&](auto& connection) { return connection.execute(sql); });
}

void Database::interrupt() noexcept {
  if (session_ != nullptr) session_->pick_connection([](auto& connection) { connection.interrupt(); });
}

}  // namespace quark
