// Ids and depths of open transactions: what every engine refuses in the same words.
#include <quark/exec/error.hpp>
#include <quark/exec/transaction_stack.hpp>

namespace quark {

std::size_t TransactionStack::depth_of(std::uint64_t id) const {
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (ids_[i] == id) return i;
  detail::throw_misuse("the transaction has ended");
}

void TransactionStack::check_innermost(std::uint64_t id) const {
  if (depth_of(id) + 1 != ids_.size())
    detail::throw_misuse("an inner transaction is open: use that one, or end it first");
}

std::string TransactionStack::savepoint_name(std::size_t depth) { return "quark_" + std::to_string(depth); }

}  // namespace quark
