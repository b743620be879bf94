// What differs between the engines' SQL: data, read by the one renderer. A new engine adds a value here.
#pragma once

#include <cstdint>
#include <string_view>

namespace quark {

/// The engines that SQL text can be made for.
enum class Engine : std::uint8_t { sqlite, postgres, mysql };

/// Stands for an Engine where it isn't known before run time: the engine of a quark::Database's session.
struct AnyEngine {};
inline constexpr AnyEngine any_engine{};

/// Whether a session or cursor leaves the choice of its engine to run time; it says then by pick(fn) which one it is.
template <class S>
inline constexpr bool is_any = requires(AnyEngine& engine) { engine = S::engine; };

/// The engine of a session.
template <class S>
constexpr Engine engine_of([[maybe_unused]] const S& session) {
  if constexpr (is_any<S>) {
    return session.chosen_engine();
  } else {
    return S::engine;
  }
}

/// An engine's spelling.
struct Dialect {
  Engine engine;
  std::string_view name;
  char quote;                      // around identifiers
  bool numbered;                   // $1, $2 instead of ?
  bool tells_key;                  // of an INSERT, without RETURNING
  std::string_view same;           // between two operands: equal, NULLs included
  std::string_view not_same;       // empty: NOT (a same b)
  std::string_view offset_only;    // what stands before OFFSET when there is no limit
  std::string_view integer_division;
  bool concat_function;            // CONCAT(a, b) instead of a || b
  std::uint32_t max_name;          // bytes (PostgreSQL) or characters (MySQL) of an identifier; 0: no limit
};

namespace dialects {

inline constexpr Dialect sqlite{.engine = Engine::sqlite,
                                .name = "SQLite",
                                .quote = '"',
                                .numbered = false,
                                .tells_key = true,
                                .same = " IS ",
                                .not_same = " IS NOT ",
                                .offset_only = " LIMIT -1",
                                .integer_division = " / ",
                                .concat_function = false,
                                .max_name = 0};
inline constexpr Dialect postgres{.engine = Engine::postgres,
                                  .name = "PostgreSQL",
                                  .quote = '"',
                                  .numbered = true,
                                  .tells_key = false,
                                  .same = " IS NOT DISTINCT FROM ",
                                  .not_same = " IS DISTINCT FROM ",
                                  .offset_only = "",
                                  .integer_division = " / ",
                                  .concat_function = false,
                                  .max_name = 63};
inline constexpr Dialect mysql{.engine = Engine::mysql,
                               .name = "MySQL",
                               .quote = '`',
                               .numbered = false,
                               .tells_key = true,
                               .same = " <=> ",
                               .not_same = "",
                               .offset_only = " LIMIT 18446744073709551615",
                               .integer_division = " DIV ",
                               .concat_function = true,
                               .max_name = 64};

}  // namespace dialects

/// The dialect of an engine.
constexpr const Dialect& dialect_of(Engine engine) {
  return engine == Engine::sqlite     ? dialects::sqlite
         : engine == Engine::postgres ? dialects::postgres
                                      : dialects::mysql;
}

}  // namespace quark
