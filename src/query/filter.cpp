// Run-time conditions: joining codes and values, owning both.
#include <quark/exec/error.hpp>
#include <quark/query/filter.hpp>

#include <string>

namespace quark::detail {

FilterData::FilterData(sql::Codes codes, const Param* params, std::size_t count)
    : codes_(codes.data, codes.data + codes.size), params_(params, params + count) {
  store_.own_resolved(params_.data(), params_.size());
}

void FilterData::join(sql::Op op, const FilterData& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  std::vector<sql::Code> codes;
  codes.reserve(codes_.size() + other.codes_.size() + 1);
  codes.push_back(code(sql::Node::binary, op));
  codes.insert(codes.end(), codes_.begin(), codes_.end());
  codes.insert(codes.end(), other.codes_.begin(), other.codes_.end());
  std::vector<Param> params(params_.size() + other.params_.size());
  lay_out(params.data());
  other.lay_out(params.data() + params_.size());
  TextStore store;
  store.own_resolved(params.data(), params.size());
  codes_ = std::move(codes);
  params_ = std::move(params);
  store_ = std::move(store);
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
