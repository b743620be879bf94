// Finding what is kept for a connection, and preparing statements on it.
#include "state.hpp"

#include <quark/exec/error.hpp>

#include <charconv>
#include <functional>
#include <mutex>

#include "errors.hpp"
#include "scan.hpp"

namespace quark::pqxx_bridge {
namespace {

// So many connections are remembered; of one that was forgotten the statements are prepared anew.
constexpr std::size_t most_connections = 1024;
// Prepared statements for run-time text, per connection.
constexpr std::size_t most_texts = 64;

struct Registry {
  std::mutex mutex;
  std::vector<State*> states;
  std::uint64_t clock = 0;
};
// Never destroyed: connections may be used until the very end of the program.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

// Unlike any name that was ever used on the same connection, by whatever State: a name that is gone, or whose statement
// has other types by now, is never met again.
std::string new_name() {
  static std::atomic<std::uint64_t> number{0};
  return "quark_pqxx_" + std::to_string(++number);
}

postgres::Oid number(const ::pqxx::field& field) {
  postgres::Oid out = 0;
  std::from_chars(field.c_str(), field.c_str() + field.size(), out);
  return out;
}

postgres::Encoded as_text(const std::string& value) {
  return {value.c_str(), static_cast<int>(value.size()), false};
}

std::string type_name(postgres::Oid oid) {
  switch (oid) {
    case postgres::oid::boolean: return "pg_catalog.bool";
    case postgres::oid::i64: return "pg_catalog.int8";
    case postgres::oid::f32: return "pg_catalog.float4";
    case postgres::oid::f64: return "pg_catalog.float8";
    case postgres::oid::bytes: return "pg_catalog.bytea";
    case postgres::oid::date: return "pg_catalog.date";
    case postgres::oid::uuid: return "pg_catalog.uuid";
    case postgres::oid::numeric: return "pg_catalog.numeric";
    default: break;
  }
  const postgres::Type type = postgres::fixed_type(oid);
  if (type.kind != postgres::Kind::array) return {};
  return type_name(type.element) + "[]";
}

}  // namespace

State::~State() {
  for (Place* place : slots) {
    if (place == nullptr) continue;
    delete place->handle;
    delete place;
  }
  texts.clear([](const Prepared* prepared) { delete prepared; });
}

State* State::of(::pqxx::transaction_base& transaction) {
  auto& connection = transaction.conn();
  const void* const address = &connection;
  const int backend = connection.backendpid();
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  State** oldest = nullptr;
  for (State*& state : all.states) {
    if (state->connection == address) {
      if (state->backend != backend) {
        auto* const fresh = new State;
        release(std::exchange(state, fresh));
        state->connection = address;
        state->backend = backend;
      }
      state->used = ++all.clock;
      ++state->owners;
      return state;
    }
    if (oldest == nullptr || state->used < (*oldest)->used) oldest = &state;
  }
  if (all.states.size() >= most_connections) {
    release(*oldest);
    *oldest = all.states.back();
    all.states.pop_back();
  }
  all.states.reserve(all.states.size() + 1);
  auto* const state = new State;
  state->connection = address;
  state->backend = backend;
  state->used = ++all.clock;
  state->owners = 2;
  all.states.push_back(state);
  return state;
}

void State::release(State* state) noexcept {
  if (state != nullptr && --state->owners == 0) delete state;
}

State::Place* State::place_of(::pqxx::transaction_base& transaction, const Statement& statement, const Slot* slot) {
  if (slot != nullptr) {
    const std::size_t at = slot->get();
    if (at >= slots.size()) slots.resize(at + 16, nullptr);
    if (slots[at] == nullptr) slots[at] = new Place{};
    return slots[at];
  }
  return texts.find(statement.text, std::hash<std::string_view>{}(statement.text), most_texts,
                    [&](Prepared* prepared) { drop(transaction, prepared); });
}

void State::drop(::pqxx::transaction_base& transaction, Prepared* prepared) noexcept {
  if (prepared != nullptr && prepared->ready) forget(transaction, *prepared);
  delete prepared;
}

// A DEALLOCATE of what isn't there (any more: DISCARD, DEALLOCATE ALL) would cost the caller's transaction.
void State::forget(::pqxx::transaction_base& transaction, Prepared& prepared) noexcept {
  prepared.ready = false;
  try {
    Arguments arguments;
    arguments.add(as_text(prepared.name));
    const ::pqxx::result found =
        arguments.execute(transaction, "SELECT 1 FROM pg_catalog.pg_prepared_statements WHERE name = $1");
    if (found.size() > 0) unprepare(transaction, prepared.name);
  } catch (...) {
    // The transaction has failed, which the statement that comes will say.
  }
}

void State::prepare(::pqxx::transaction_base& transaction, Prepared& prepared, const Statement& statement,
                    const std::vector<std::string>& casts, bool records) {
  if (prepared.ready) forget(transaction, prepared);  // it was for parameters of other forms
  const std::string text = with_types(statement.text, casts);
  std::string sent = records ? pqxx_bridge::as_records(statement, text) : text;
  const std::string name = new_name();
  std::vector<postgres::Type> parameters;
  translated(statement, [&] {
    pqxx_bridge::prepare(transaction, name, sent);
    if (casts.empty()) return;
    Arguments arguments;
    arguments.add(as_text(name));
    const ::pqxx::result result = arguments.execute(
        transaction,
        "SELECT p.oid::pg_catalog.text FROM pg_catalog.pg_prepared_statements s, "
        "pg_catalog.unnest(s.parameter_types::pg_catalog.oid[]) WITH ORDINALITY p(oid, place) "
        "WHERE s.name = $1 ORDER BY p.place");
    for (const auto& row : result) parameters.push_back({number(row[0])});
  });
  for (postgres::Type& type : parameters) type = type_of(transaction, type.oid);
  if (parameters.size() != casts.size()) detail::throw_misuse("the server takes another number of parameters");
  prepared.name = name;
  prepared.text = std::move(sent);
  prepared.parameters = std::move(parameters);
  prepared.as_records = records;
  prepared.ready = true;
}

postgres::Type State::type_of(::pqxx::transaction_base& transaction, postgres::Oid oid) {
  using postgres::Kind;
  using postgres::Type;
  if (oid < postgres::first_of_database) return postgres::fixed_type(oid);
  for (const Type& t : types)
    if (t.oid == oid) return t;

  // Enums and citext send their text; a domain is what it is based on.
  Statement statement;
  const std::string text =
      "SELECT t.typtype = 'd', t.typbasetype::pg_catalog.oid::pg_catalog.text, "
      "t.typelem::pg_catalog.oid::pg_catalog.text, "
      "t.typcategory = 'A', p.proname IN ('enum_send', 'textsend', 'citextsend', 'varcharsend', "
      "'bpcharsend') "
      "FROM pg_catalog.pg_type t JOIN pg_catalog.pg_proc p ON p.oid = t.typsend WHERE t.oid = " +
      std::to_string(oid);
  statement.text = text;
  const ::pqxx::result result = translated(statement, [&] { return Arguments().execute(transaction, text); });
  Type type{oid, Kind::other};
  if (result.size() == 1) {
    const auto row = result[0];
    const auto is = [&row](int column) { return *row[column].c_str() == 't'; };
    if (is(0)) {
      type = type_of(transaction, number(row[1]));
      type.oid = oid;
    } else if (is(3)) {
      type.kind = Kind::array;
      type.element = number(row[2]);
      type.element_kind = type_of(transaction, type.element).kind;
    } else if (is(4)) {
      type.kind = Kind::text;
    }
  }
  types.push_back(type);
  return type;
}

std::string State::array_name(::pqxx::transaction_base& transaction, postgres::Oid element) {
  for (const auto& [oid, name] : array_names)
    if (oid == element) return name;
  Statement statement;
  const std::string text =
      "SELECT pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(a.typname) FROM pg_catalog.pg_type t "
      "JOIN pg_catalog.pg_type a ON a.oid = t.typarray JOIN pg_catalog.pg_namespace n ON n.oid = a.typnamespace "
      "WHERE t.oid = " + std::to_string(element);
  statement.text = text;
  const ::pqxx::result result = translated(statement, [&] { return Arguments().execute(transaction, text); });
  array_names.emplace_back(element, result.size() == 1 ? result[0][0].c_str() : "");
  return array_names.back().second;
}

std::vector<std::string> declared_types(const Statement& statement, const Param* params, std::size_t count) {
  std::vector<std::string> types(count);
  // What is inserted has the type of its column: with another one the server would convert it, and round.
  if (statement.kind == StatementKind::insert || statement.kind == StatementKind::upsert) return types;
  for (std::size_t i = 0; i < count; ++i) types[i] = type_name(postgres::declared_type(params[i]));
  return types;
}

bool is_prepared_for(const Prepared& prepared, const Param* params, std::size_t count, bool records) {
  if (!prepared.ready || prepared.forms.size() != count || prepared.as_records != records) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (prepared.forms[i] != postgres::prepared_form(params[i])) return false;
  return true;
}

// "quark record" is a name that no column has.
std::string as_records(const Statement& statement, std::string_view text) {
  std::string out;
  if (statement.kind == StatementKind::select || statement.kind == StatementKind::other) {
    out = "SELECT pg_catalog.record_send(\"quark record\") FROM (";
    out.append(text).append(") \"quark record\"");
  } else {
    out = "WITH \"quark record\" AS (";
    out.append(text).append(") SELECT pg_catalog.record_send(\"quark record\") FROM \"quark record\"");
  }
  return out;
}

}  // namespace quark::pqxx_bridge
