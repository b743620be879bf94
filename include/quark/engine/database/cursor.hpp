// The rows of a statement whose engine was chosen at run time: pick() hands out the engine's own cursor, once per
// statement.
#pragma once

#include <quark/engine/database/engines.hpp>
#include <quark/sql/dialect.hpp>

namespace quark::database {

class Cursor {
 public:
  static constexpr AnyEngine engine = any_engine;
  template <class Native>
  explicit Cursor(Native& native) : chosen_(Native::engine), native_(&native) {}

  /// Calls `read` with the cursor of the engine.
  template <class Read>
  void pick(Read&& read) {
    switch (chosen_) {
#if defined(QUARK_DATABASE_SQLITE)
      case Engine::sqlite: read(*static_cast<sqlite::Cursor*>(native_)); break;
#endif
#if defined(QUARK_DATABASE_POSTGRES)
      case Engine::postgres: read(*static_cast<postgres::Cursor*>(native_)); break;
#endif
#if defined(QUARK_DATABASE_MYSQL)
      case Engine::mysql: read(*static_cast<mysql::Cursor*>(native_)); break;
#endif
      default: __builtin_unreachable();
    }
  }

 private:
  Engine chosen_;
  void* native_;
};

}  // namespace quark::database
