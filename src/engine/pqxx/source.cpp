// Portions of rows: few when they are long, so that memory stays bounded.
#include "source.hpp"

#include "errors.hpp"

namespace quark::pqxx_bridge {
namespace {

constexpr std::size_t most_rows = 1024;
constexpr std::size_t most_bytes = 1 << 20;  // of hexadecimal digits, in one portion

}  // namespace

bool Source::next(std::string_view& record) {
  if (at_ >= static_cast<std::size_t>(rows_.size()) && !fetch()) return false;
  const auto field = rows_[static_cast<::pqxx::result::size_type>(at_++)][0];
  record = {field.c_str(), static_cast<std::size_t>(field.size())};
  return true;
}

bool ServerCursor::fetch() {
  if (over_) return false;
  if (!is_open(transaction_) || is_busy(transaction_)) {
    quark::detail::throw_misuse("the rows are still being read: the libpqxx transaction must be open and free");
  }
  try {
    rows_ = Arguments().execute(transaction_, "FETCH " + std::to_string(portion_) + " FROM " + name_);
  } catch (...) {
    failed_ = true;
    throw_translated(statement_);
  }
  at_ = 0;
  const auto got = static_cast<std::size_t>(rows_.size());
  over_ = got < portion_;
  std::size_t bytes = 0;
  for (const auto& row : rows_) bytes += static_cast<std::size_t>(row[0].size());
  if (bytes > most_bytes && portion_ > 1) {
    portion_ = portion_ / 2;
  } else if (bytes < most_bytes / 4 && portion_ < most_rows) {
    portion_ *= 2;
  }
  return got > 0;
}

ServerCursor::~ServerCursor() {
  // It is gone with the transaction, or will be. What a pipeline has asked for would be lost to it.
  if (failed_ || !is_open(transaction_) || is_busy(transaction_)) return;
  try {
    Arguments().execute(transaction_, "CLOSE " + name_);
  } catch (...) {
    // The caller's own statement has failed, or ended the transaction.
  }
}

}  // namespace quark::pqxx_bridge
