// Run-time conditions: joining codes and values, owning both.
#include <quark/exec/error.hpp>
#include <quark/query/filter.hpp>

#include <algorithm>
#include <string>

namespace quark::detail {

FilterData::FilterData(sql::Codes codes, const Param* params, std::size_t count)
    : codes_(codes.data, codes.data + codes.size), params_(params, params + count) {
  // Numbers are whole in their parameters: only text, lists and what is not made yet need a block.
  const auto needs_store = [](const Param& p) {
    return !p.null && (TextStore::is_text(p) || p.form >= Form::deferred);
  };
  if (std::any_of(params_.begin(), params_.end(), needs_store)) {
    stores_.emplace_back();
    stores_.back().own_resolved(params_.data(), params_.size());
  }
}

namespace {

// An operand of `a op b op c` that is appended to: a junction of that operation with room for more.
bool takes_more(sql::Code head, sql::Op op) {
  return sql::node_of(head) == sql::Node::junction && static_cast<sql::Op>(sql::op_of(head)) == op &&
         sql::arg_of(head) < 0xffff;
}

}  // namespace

void FilterData::join(sql::Op op, const FilterData& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  if (&other == this) return join(op, FilterData(other));
  if (takes_more(codes_[0], op)) {
    ++codes_[0];
  } else {
    codes_.insert(codes_.begin(), code(sql::Node::junction, static_cast<unsigned>(op), 2));
  }
  codes_.insert(codes_.end(), other.codes_.begin(), other.codes_.end());
  params_.insert(params_.end(), other.params_.begin(), other.params_.end());
  stores_.insert(stores_.end(), other.stores_.begin(), other.stores_.end());
}

void FilterData::negate() {
  // NOT of "no condition" would be "no row": almost surely not what was meant.
  if (empty()) throw_misuse("an empty filter can't be negated");
  codes_.insert(codes_.begin(), code(sql::Node::negation));
}

std::vector<sql::Code> order_by_name(const meta::Table& table, const Form* forms, std::string_view name,
                                     Direction direction) {
  const std::uint16_t column = table.find(name);
  if (column == no_column) {
    std::string message = "there is no column of that name to order ";
    message += table.name;
    message += " by; there are:";
    for (std::uint16_t i = 0; i < table.count; ++i) {
      message += ' ';
      message += table[i].name;
    }
    throw_misuse(message);
  }
  if (table[column].by_name || forms[column] == Form::json)
    throw_misuse("the type of column " + std::string(table.name) + "." + std::string(name) + " has no order");
  return {code(sql::Node::term, direction == Direction::descending ? 1 : 0), code(sql::Node::column, 0, column)};
}

std::vector<sql::Code> concatenate(sql::Codes a, sql::Codes b) {
  std::vector<sql::Code> out(a.data, a.data + a.size);
  out.insert(out.end(), b.data, b.data + b.size);
  return out;
}

}  // namespace quark::detail
