// What is kept for one connection of libpqxx: prepared statements and the database's own types. Private to
// src/engine/pqxx.
#pragma once

#include <quark/exec/statement_cache.hpp>

#include <atomic>

#include "pqxx.hpp"
#include "quark/engine/pqxx/session.hpp"

namespace quark::pqxx_bridge {

/// A prepared statement: what the server said of it.
struct Prepared {
  std::string name;
  std::string text;         // as it is sent: with casts, and with its rows as records
  std::vector<Form> forms;  // of the parameters that it was prepared for
  std::vector<postgres::Type> parameters;
  bool as_records = false;
  bool ready = false;
};

/// libpqxx's connection has no place for what belongs to others, so this stands beside it, by the connection's address
/// and the process that serves it: a connection that was opened at the same address later, or anew, is another one.
/// Were both the same by chance, libpqxx would not know the statements' names, and they would be prepared again.
struct State {
  using Place = CachedStatement<Prepared*>;

  const void* connection = nullptr;
  int backend = 0;
  std::uint64_t used = 0;
  std::atomic<int> owners{1};

  std::vector<Place*> slots;
  TextCache<Prepared*> texts;
  std::vector<postgres::Type> types;  // of this database that have no fixed number
  std::vector<std::pair<postgres::Oid, std::string>> array_names;

  ~State();

  /// What is known of the transaction's connection; empty when it is a new one. Counted: give it back by release().
  static State* of(::pqxx::transaction_base& transaction);
  static void release(State* state) noexcept;

  Place* place_of(::pqxx::transaction_base& transaction, const Statement& statement, const Slot* slot);
  /// Prepares for these parameters, and asks for the types that the server takes them as. Two round trips.
  void prepare(::pqxx::transaction_base& transaction, Prepared& prepared, const Statement& statement,
               const std::vector<std::string>& casts, bool as_records);
  /// What a type is; asks the database once about its own.
  postgres::Type type_of(::pqxx::transaction_base& transaction, postgres::Oid oid);
  /// The name of the array type of a type, for a cast; empty where there is none. Asks the database once.
  std::string array_name(::pqxx::transaction_base& transaction, postgres::Oid element);

 private:
  static void forget(::pqxx::transaction_base& transaction, Prepared& prepared) noexcept;
  static void drop(::pqxx::transaction_base& transaction, Prepared* prepared) noexcept;
};

/// The names by which a statement's parameters are cast, where it is not for the server to tell their types.
std::vector<std::string> declared_types(const Statement& statement, const Param* params, std::size_t count);
/// Whether a statement was prepared for parameters of these forms.
bool is_prepared_for(const Prepared& prepared, const Param* params, std::size_t count, bool as_records);
/// The text of a statement that gives its rows as records.
std::string as_records(const Statement& statement, std::string_view text);

}  // namespace quark::pqxx_bridge
