// A statement as the execution layer sees it: text, kind, table — a constant without templates.
// A leaf: sql/ makes statements, exec/ and the engines run them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace quark {

/// What a statement does, for middleware and error reports.
enum class StatementKind : std::uint8_t {
  select, insert, update, remove, upsert, ddl, begin, commit, rollback, savepoint, other,
};

/// The kind's name: "select", "insert", ...
constexpr std::string_view to_string(StatementKind kind) {
  constexpr std::string_view names[] = {"select", "insert", "update",   "remove",  "upsert",    "ddl",
                                        "begin",  "commit", "rollback", "savepoint", "other"};
  return names[static_cast<std::size_t>(kind)];
}

/// The dense number of a statement in a connection's array of prepared handles; given on first use.
struct Slot {
  mutable std::atomic<std::uint32_t> number{0};  // 0: not given yet

  [[gnu::always_inline]] std::uint32_t get() const {
    const std::uint32_t n = number.load(std::memory_order_relaxed);
    return n != 0 ? n : assign();
  }

 private:
  [[gnu::cold]] std::uint32_t assign() const;
};

struct Statement;

/// A statement in the spelling of one engine.
struct Spelling {
  const Statement* statement = nullptr;  // null: the engine can't do it
  const Slot* slot = nullptr;
  std::string_view refusal{};  // why
};

/// A Decimal among the columns of a statement's model.
struct DecimalColumn {
  std::string_view name{};
  int precision = 0;        // digits of the type
  bool calculated = false;  // the statement adds it up, to others or over rows
};

/// One statement.
struct Statement {
  std::string_view text{};
  std::string_view table{};
  std::string_view operation{};  // what was called: "find", "create_batch", ...
  StatementKind kind = StatementKind::other;
  std::string_view made_key{};  // INSERT: the key column whose value the database makes
  /// Where " RETURNING ..." begins in the text; its size where there is none. A server that doesn't know the clause
  /// gets the text without it.
  std::size_t returning = std::string_view::npos;
  bool streams = false;  // the rows are handed out one by one and must not all be held in memory
  bool reads_assigned = false;  // an UPDATE whose outcome depends on whether its assignments see each other's work
  const void* shape = nullptr;  // what param_column reads
  /// The column that parameter `index` belongs to; empty when none. Only asked for error reports.
  std::string_view (*param_column)(const Statement&, std::size_t index) = nullptr;
  /// The name of the unique constraint over these columns ("a, b", in any order), as the model declares it; empty when
  /// none. Only asked for error reports, of engines that tell columns and no name.
  std::string (*unique_name)(const Statement&, std::string_view columns) = nullptr;
  /// Of a statement whose engine is chosen at run time: one per Engine, in their order. It has no text of its own.
  const Spelling* spellings = nullptr;
  /// Calls `visit` for each Decimal of the model; null when it has none. Only asked when a statement is prepared, by an
  /// engine that has several forms for them.
  void (*decimals)(const Statement&, void (*visit)(void* context, const DecimalColumn&), void* context) = nullptr;
};

}  // namespace quark
