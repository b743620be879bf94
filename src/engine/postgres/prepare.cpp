// Preparing a statement: its name, the types of its parameters and columns, and forgetting it again.
#include <quark/engine/postgres_values.hpp>
#include <quark/exec/error.hpp>

#include <cinttypes>
#include <cstdio>

#include "columns.hpp"
#include "errors.hpp"
#include "quark/engine/postgres/session.hpp"

namespace quark::postgres {
namespace {

// FNV-1a. The same text and types have the same name in every process: behind a pooler, where a connection finds
// statements that others prepared, the same name must mean the same statement.
std::uint64_t hash_of(std::string_view text, const std::vector<Oid>& oids) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const char c : text) add(static_cast<unsigned char>(c));
  for (const Oid oid : oids)
    for (unsigned shift = 0; shift < 32; shift += 8) add(static_cast<unsigned char>(oid >> shift));
  return hash;
}

std::string name_of(std::uint64_t hash, std::size_t length, std::uint32_t generation) {
  char name[64];
  const int size = std::snprintf(name, sizeof name, "quark_%016" PRIx64 "_%zu_%u", hash, length, generation);
  return std::string(name, static_cast<std::size_t>(size));
}

}  // namespace

bool is_prepared_for(const Prepared& prepared, const Param* params, std::size_t count) {
  if (!prepared.ready || prepared.forms.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (prepared.forms[i] != params[i].form && prepared.forms[i] != prepared_form(params[i])) return false;
  return true;
}

Session::KnownName* Session::known(std::uint64_t hash) {
  for (KnownName& n : names_)
    if (n.hash == hash) return &n;
  return nullptr;
}

void Session::prepare(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count) {
  std::vector<Oid> oids(count);
  // What goes into a column has its type: with another one the server would convert it, and round.
  const std::vector<bool> written = written_parameters(statement, count);
  for (std::size_t i = 0; i < count; ++i)
    if (!written[i]) oids[i] = declared_type(params[i]);
  prepare_as(prepared, statement, oids);
  prepared.forms.resize(count);
  for (std::size_t i = 0; i < count; ++i) prepared.forms[i] = prepared_form(params[i]);
}

void Session::prepare_as(Prepared& prepared, const Statement& statement, const std::vector<Oid>& oids) {
  if (prepared.ready) forget(prepared);
  const std::string text(statement.text);
  for (bool again = false;; again = true) {
    bool parse = true;
    if (keeps_statements_) {
      prepared.hash = hash_of(statement.text, oids);
      if (known(prepared.hash) == nullptr) names_.push_back({prepared.hash, 0, 0, false, {}});
      KnownName& name = *known(prepared.hash);
      parse = !name.prepared;
      name.name = name_of(prepared.hash, text.size(), name.generation);
      prepared.name = name.name;
    }
    // Parse and Describe, and a BEGIN that waits, in one round trip.
    const bool began = !pending_.empty();
    const std::string look = look_at_columns(statement);
    Result columns;
    const Result result = in_pipeline(
        [&] {
          return (!parse || PQsendPrepare(connection_, prepared.name.c_str(), text.c_str(),
                                          static_cast<int>(oids.size()), oids.data()) != 0) &&
                 PQsendDescribePrepared(connection_, prepared.name.c_str()) != 0 &&
                 (look.empty() || send_look(connection_, look));
        },
        look.empty() ? nullptr : &columns);
    if (!result.good()) {
      const std::string_view state = sqlstate(result.get());
      if (!keeps_statements_ || (state != state_duplicate_statement && state != state_undefined_statement))
        fail(result.get(), statement);
      // Somebody else has prepared it on this server connection, or it is gone: now we know.
      known(prepared.hash)->prepared = state == state_duplicate_statement;
      if (again || began || PQtransactionStatus(connection_) != PQTRANS_IDLE) refuse_stale(result, statement);
      continue;
    }
    if (keeps_statements_) known(prepared.hash)->prepared = true;

    // All or nothing: looking a type up may fail.
    std::vector<Type> parameters;
    for (int i = 0; i < PQnparams(result.get()); ++i) parameters.push_back(type_of(PQparamtype(result.get(), i)));
    if (columns.get() != nullptr) take_modifiers(parameters, statement, columns);
    check_columns(prepared, result);
    prepared.parameters = std::move(parameters);
    if (keeps_statements_) ++known(prepared.hash)->uses;
    prepared.ready = true;
    return;
  }
}

void Session::forget(Prepared& prepared) {
  prepared.ready = false;
  if (!keeps_statements_) return;
  if (KnownName* name = known(prepared.hash); name != nullptr && name->uses > 0) --name->uses;
  // In a transaction an error would cost the caller's work: names that nobody uses wait for a better moment.
  if (!pending_.empty() || PQtransactionStatus(connection_) != PQTRANS_IDLE) return;
  for (std::size_t i = 0; i < names_.size();) {
    if (names_[i].uses > 0) {
      ++i;
      continue;
    }
    if (names_[i].prepared) PQclear(PQexec(connection_, ("DEALLOCATE " + names_[i].name).c_str()));
    names_[i] = names_.back();
    names_.pop_back();
  }
}

void Session::release(Prepared* prepared) noexcept {
  if (prepared == nullptr) return;
  try {
    if (prepared->ready) forget(*prepared);
  } catch (...) {
    // No memory for a few words: the statement stays at the server.
  }
  delete prepared;
}

bool Session::forget_if_stale(Prepared& prepared, const Result& result) {
  const std::string_view state = sqlstate(result.get());
  const bool vanished = state == state_undefined_statement;
  if (!vanished && !is_changed_plan(result.get())) return false;
  if (KnownName* name = known(prepared.hash)) {
    // A statement that is there still, with an old plan, keeps its name: the new one gets another.
    if (!vanished) ++name->generation;
    name->prepared = false;
    if (name->uses > 0) --name->uses;
  }
  prepared.ready = false;
  return true;
}

}  // namespace quark::postgres
