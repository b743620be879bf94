// The calls that differ between libpqxx 6.4 and 7.
#include "pqxx.hpp"

namespace quark::pqxx_bridge {
namespace {

// exec_params() and exec_prepared() don't ask whether the transaction has ended: what they send after a commit is
// committed on its own. libpqxx tells its state to nobody, so it is looked up where it stands: an explicit
// instantiation may name a private member ([temp.spec.general]/6).
template <auto Member>
struct Status {
  friend int status_of(const ::pqxx::transaction_base& transaction) {
    return static_cast<int>(transaction.*Member);
  }
};
int status_of(const ::pqxx::transaction_base& transaction);
template struct Status<&::pqxx::transaction_base::m_status>;

#if PQXX_VERSION_MAJOR < 7
template <auto Member>
struct Focus {
  friend bool has_focus(const ::pqxx::transaction_base& transaction) {
    return (transaction.*Member).get() != nullptr;
  }
};
bool has_focus(const ::pqxx::transaction_base& transaction);
template struct Focus<&::pqxx::transaction_base::m_focus>;
#endif

}  // namespace

#if PQXX_VERSION_MAJOR < 7

// Its own way of adding takes binary values by one type and the rest by another, of which a list can have one only.
void Arguments::add(const postgres::Encoded& value) {
  const bool null = value.data == nullptr;
  params_.lengths.push_back(value.size);
  params_.nonnulls.push_back(null ? 0 : 1);
  params_.binaries.push_back(!null && value.binary ? 1 : 0);
  const auto size = static_cast<std::size_t>(value.size);
  if (!null && value.binary) params_.bin_strings.emplace_back(value.data, size);
  if (!null && !value.binary) params_.strings.emplace_back(value.data, size);
}

void prepare(::pqxx::transaction_base& transaction, const std::string& name, const std::string& text) {
  auto& connection = transaction.conn();
  connection.prepare(name, text);
  try {
    connection.prepare_now(name);
  } catch (...) {
    connection.unprepare(name);  // the server doesn't have it: nothing is sent
    throw;
  }
}

bool is_open(const ::pqxx::transaction_base& transaction) { return status_of(transaction) <= 1; }  // nascent, active
bool is_busy(const ::pqxx::transaction_base& transaction) { return has_focus(transaction); }
void activate(::pqxx::transaction_base& transaction) {
  // In a transaction a connection that isn't open is one that was lost: nothing may open it again.
  const bool unopened = dynamic_cast<const ::pqxx::nontransaction*>(&transaction) != nullptr &&
                        !transaction.conn().is_open();
  if (status_of(transaction) == 0 || unopened) transaction.exec("SELECT 1");
}

#else

void Arguments::add(const postgres::Encoded& value) {
  const auto size = static_cast<std::size_t>(value.size);
  if (value.data == nullptr) {
    params_.append();
  } else if (value.binary) {
    const std::string& kept = kept_.emplace_back(value.data, size);
    params_.append(::pqxx::binary_cast(kept.data(), kept.size()));
  } else {
    params_.append(std::string(value.data, size));
  }
}

void prepare(::pqxx::transaction_base& transaction, const std::string& name, const std::string& text) {
  transaction.conn().prepare(name, text);
}

bool is_open(const ::pqxx::transaction_base& transaction) { return status_of(transaction) == 0; }  // active
bool is_busy(const ::pqxx::transaction_base&) { return false; }  // it looks for itself
void activate(::pqxx::transaction_base&) {}

#endif

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

::pqxx::result Arguments::execute(::pqxx::transaction_base& transaction, const std::string& text) const {
  return transaction.exec_params(text, params_);
}
::pqxx::result Arguments::execute_prepared(::pqxx::transaction_base& transaction, const std::string& name) const {
  return transaction.exec_prepared(name, params_);
}

void unprepare(::pqxx::transaction_base& transaction, const std::string& name) { transaction.conn().unprepare(name); }

}  // namespace quark::pqxx_bridge
