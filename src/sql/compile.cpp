// The run-time half of sql/: text for shapes with a filter, slots, and what is only needed when something fails.
#include <quark/exec/error.hpp>
#include <quark/sql/compile.hpp>

namespace quark {

std::uint32_t Slot::assign() const {
  static std::atomic<std::uint32_t> next{1};
  std::uint32_t expected = 0;
  const std::uint32_t mine = next.fetch_add(1, std::memory_order_relaxed);
  // Two threads may come here at once: the first number wins, the other stays unused.
  if (number.compare_exchange_strong(expected, mine, std::memory_order_relaxed)) return mine;
  return expected;
}

namespace sql {

std::string to_text(const Dialect& dialect, const Shape& shape) {
  std::string out(rendered_size(dialect, shape), '\0');
  Writer writer(out.data());
  render(writer, dialect, shape);
  return out;
}

std::string_view param_column(const Statement& statement, std::size_t index) {
  const auto& shape = *static_cast<const Shape*>(statement.shape);
  const meta::Table& table = *shape.table;
  const auto name = [&](std::size_t column) {
    return column < table.count ? table[column].name : std::string_view{};
  };
  if ((shape.verb == Verb::insert || shape.verb == Verb::upsert || shape.verb == Verb::update) &&
      !shape.from_rows) {
    if (index < shape.columns.size) return name(shape.columns.data[index]);
    index -= shape.columns.size;
  }
  for (const Codes codes : {shape.set, shape.where}) {
    for (std::size_t i = 0; i < codes.size; ++i) {
      if (node_of(codes.data[i]) != Node::value) continue;
      if (index == 0) return name(arg_of(codes.data[i]));
      --index;
    }
  }
  if (shape.by_key) {
    if (index < table.key.count) return name(table.key.columns[index]);
    index -= table.key.count;
  }
  if (shape.by_conflict) {
    if (index < shape.conflict.size) return name(shape.conflict.data[index]);
    index -= shape.conflict.size;
  }
  if (shape.by_version && index == 0) return name(table.version);
  return {};
}

std::string index_name(const meta::Table& table, const meta::Index& index) {
  if (!index.name.empty()) return std::string(index.name);
  std::string out(table.name);
  for (std::uint16_t i = 0; i < index.columns.count; ++i) out.append("_").append(table[index.columns.columns[i]].name);
  return out.append(index.unique ? "_key" : "_idx");
}

std::string unique_name(const Statement& statement, std::string_view columns) {
  const meta::Table& table = *static_cast<const Shape*>(statement.shape)->table;
  for (std::uint16_t i = 0; i < table.index_count; ++i) {
    const meta::Index& index = table.indexes[i];
    if (!index.unique) continue;
    std::string_view rest = columns;
    std::size_t found = 0;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(", ");
      const std::string_view one = rest.substr(0, comma);
      bool known = false;
      for (std::uint16_t k = 0; k < index.columns.count; ++k)
        known = known || table[index.columns.columns[k]].name == one;
      if (!known) break;
      ++found;
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
    }
    if (rest.empty() && found == index.columns.count) return index_name(table, index);
  }
  return {};
}

namespace {

/// Whether the codes add a column to something, or take it away.
bool calculates_with(Codes codes, std::size_t column) {
  bool calculating = false;
  for (std::size_t i = 0; i < codes.size; ++i) {
    const Code c = codes.data[i];
    if (node_of(c) == Node::value) continue;
    if (node_of(c) == Node::column) {
      if (calculating && arg_of(c) == column) return true;
      continue;
    }
    const Op op = static_cast<Op>(op_of(c));
    calculating = node_of(c) == Node::minus || (node_of(c) == Node::binary && op >= Op::add && op <= Op::modulo);
  }
  return false;
}

}  // namespace

void visit_decimals(const Statement& statement, const TypeInfo* infos, void (*visit)(void*, const DecimalColumn&),
                    void* context) {
  const Shape& shape = *static_cast<const Shape*>(statement.shape);
  const bool sum = shape.verb == Verb::aggregate &&
                   (shape.aggregate == Aggregate::sum || shape.aggregate == Aggregate::avg);
  for (std::size_t i = 0; i < shape.table->count; ++i) {
    if (infos[i].form != Form::decimal) continue;
    DecimalColumn column{.name = (*shape.table)[i].name, .precision = infos[i].precision};
    column.calculated = (sum && shape.columns.data[0] == i) || calculates_with(shape.set, i) ||
                        calculates_with(shape.where, i) || calculates_with(shape.order, i);
    visit(context, column);
  }
}

namespace {

Decided negate(Decided d) {
  if (d == Decided::no) return d;
  return d == Decided::always_true ? Decided::always_false : Decided::always_true;
}

Decided decide(const Code*& c, const Param*& p) {
  const Code head = *c++;
  const auto skip = [&](std::size_t operands) {
    for (std::size_t i = 0; i < operands; ++i) decide(c, p);
  };
  switch (node_of(head)) {
    case Node::value: ++p; return Decided::no;
    case Node::truth: return arg_of(head) != 0 ? Decided::always_true : Decided::always_false;
    case Node::negation: return negate(decide(c, p));
    case Node::in_array: {
      skip(1);
      const Param& array = *p;
      skip(1);
      if (array.form != Form::array || array.tail.size != 0) return Decided::no;
      return op_of(head) != 0 ? Decided::always_true : Decided::always_false;
    }
    case Node::binary:
    case Node::junction: {
      const Op op = static_cast<Op>(op_of(head));
      if (op != Op::logic_and && op != Op::logic_or) {
        skip(2);
        return Decided::no;
      }
      // One operand decides, or all of them do.
      const Decided strong = op == Op::logic_and ? Decided::always_false : Decided::always_true;
      Decided all = negate(strong);
      for (std::size_t i = 0, n = operands_of(head); i < n; ++i) {
        const Decided one = decide(c, p);
        if (one == strong) all = strong;
        if (one == Decided::no && all != strong) all = Decided::no;
      }
      return all;
    }
    default: skip(operands_of(head)); return Decided::no;
  }
}

}  // namespace

Decided decide(Codes codes, const Param* params) {
  if (codes.size == 0) return Decided::always_true;
  const Code* c = codes.data;
  return decide(c, params);
}

void check_shape(const Dialect& dialect, const Shape& shape, const TypeInfo* infos) {
  const std::string_view why = refusal_of(dialect.engine, shape, infos);
  if (!why.empty()) quark::detail::throw_unsupported(shape.table->name, why);
}

}  // namespace sql
}  // namespace quark
