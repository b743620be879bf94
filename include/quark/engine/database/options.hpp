// How a quark::Database is opened: a URL, or the options of one engine.
#pragma once

#include <quark/engine/database/engines.hpp>

#include <string>
#include <string_view>
#include <variant>

namespace quark {

/// A URL, or the options of an engine. Made implicitly of either, so that it need not be named.
class DatabaseOptions {
 public:
  /// "sqlite:///var/lib/app.db", "postgres://user:password@host:port/database", "mysql://user:password@host/database".
  /// Throws Misuse for text that is none of these, Unsupported for an engine that this installation doesn't have; the
  /// password is never in the message.
  DatabaseOptions(std::string_view url);
  DatabaseOptions(const std::string& url) : DatabaseOptions(std::string_view(url)) {}
  DatabaseOptions(const char* url) : DatabaseOptions(std::string_view(url)) {}
#if defined(QUARK_DATABASE_SQLITE)
  DatabaseOptions(sqlite::Options options) : options_(std::move(options)) {}
#endif
#if defined(QUARK_DATABASE_POSTGRES)
  DatabaseOptions(postgres::Options options) : options_(std::move(options)) {}
#endif
#if defined(QUARK_DATABASE_MYSQL)
  DatabaseOptions(mysql::Options options) : options_(std::move(options)) {}
#endif

  /// Calls `fn` with the options of the engine: sqlite::Options&, postgres::Options& or mysql::Options&.
  template <class F>
  void visit(F&& fn) {
#if defined(QUARK_DATABASE_SQLITE)
    if (auto* options = get_if<sqlite::Options>()) fn(*options);
#endif
#if defined(QUARK_DATABASE_POSTGRES)
    if (auto* options = get_if<postgres::Options>()) fn(*options);
#endif
#if defined(QUARK_DATABASE_MYSQL)
    if (auto* options = get_if<mysql::Options>()) fn(*options);
#endif
  }
  /// The options of one engine, to look at or to change: options.get_if<quark::postgres::Options>(); null when it is
  /// another engine.
  template <class Options>
  Options* get_if() & {
    return std::get_if<Options>(&options_);
  }
  template <class Options>
  const Options* get_if() const& {
    return std::get_if<Options>(&options_);
  }
  // Of a temporary the pointer would be to what is gone.
  template <class Options>
  const Options* get_if() const&& = delete;

 private:
  std::variant<std::monostate
#if defined(QUARK_DATABASE_SQLITE)
               ,
               sqlite::Options
#endif
#if defined(QUARK_DATABASE_POSTGRES)
               ,
               postgres::Options
#endif
#if defined(QUARK_DATABASE_MYSQL)
               ,
               mysql::Options
#endif
               >
      options_;
};

/// For quark::Pool; see sqlite::adjust_pool.
void adjust_pool(const DatabaseOptions& options, PoolOptions& pool);

}  // namespace quark
