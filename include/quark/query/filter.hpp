// Conditions and orders that are known at run time only, over the same typed columns.
// They own their values, and their text comes from the same renderer as that of constant queries.
#pragma once

#include <quark/sql/compile.hpp>
#include <quark/sql/predicates.hpp>
#include <quark/types/text_store.hpp>

#include <vector>

namespace quark {
namespace detail {

/// The part of a Filter that doesn't depend on the model.
class FilterData {
 public:
  FilterData() = default;
  /// Takes over codes and values; what is deferred is resolved now.
  FilterData(sql::Codes codes, const Param* params, std::size_t count);

  bool empty() const { return codes_.empty(); }
  sql::Codes codes() const { return {codes_.data(), codes_.size()}; }
  std::size_t count() const { return params_.size(); }
  void lay_out(Param* out) const {
    for (const Param& p : params_) *out++ = p;
  }

  /// this op other; an empty side leaves the other one. Appends in place: building a long filter costs its length.
  void join(sql::Op op, const FilterData& other);
  void negate();

 private:
  std::vector<sql::Code> codes_;
  std::vector<Param> params_;
  std::vector<TextStore> stores_;  // the blocks that text and lists of params_ are in
};

}  // namespace detail

/// A condition over Model that is built at run time:
///     quark::Filter<User> f;
///     if (min_age) f &= field<&User::age> >= *min_age;
/// Empty, it lets every row through in a SELECT, and is refused in an UPDATE or DELETE.
template <class Model>
class Filter {
 public:
  using model = Model;
  Filter() = default;
  /// Takes a condition with its values; text is copied.
  template <sql::ConditionExpr E>
    requires std::is_same_v<typename std::remove_cvref_t<E>::model, Model>
  Filter(E&& condition) : data_(make(detail::as_expr(condition))) {
    detail::check_not_kept<E>();
  }

  /// AND. An empty filter takes the other's place.
  Filter& operator&=(const Filter& other) {
    data_.join(sql::Op::logic_and, other.data_);
    return *this;
  }
  /// OR. An empty filter takes the other's place.
  Filter& operator|=(const Filter& other) {
    data_.join(sql::Op::logic_or, other.data_);
    return *this;
  }
  /// The same as new filters; empty ones take the other's place here, too.
  friend Filter operator&&(Filter a, const Filter& b) {
    a &= b;
    return a;
  }
  friend Filter operator||(Filter a, const Filter& b) {
    a |= b;
    return a;
  }
  /// NOT. Throws Misuse for an empty filter.
  friend Filter operator!(Filter a) {
    a.data_.negate();
    return a;
  }
  /// Whether there is no condition.
  bool empty() const { return data_.empty(); }
  /// For this library's own files.
  const detail::FilterData& data() const { return data_; }
  explicit Filter(detail::FilterData data) : data_(std::move(data)) {}

 private:
  template <class T, class K, unsigned N, unsigned F, sql::Code... C>
  static detail::FilterData make(const sql::Expr<T, K, N, F, C...>& e) {
    if constexpr (N == 0) {
      return {sql::CodePack<C...>::codes, nullptr, 0};
    } else {
      return {sql::CodePack<C...>::codes, e.values.params, N};
    }
  }
  detail::FilterData data_;
};

/// For by<Model>(name, direction).
enum class Direction : std::uint8_t { ascending, descending };

/// An order that is known at run time. Made by by<Model>(name, direction).
template <class Model>
class RuntimeOrder {
 public:
  using model = Model;
  explicit RuntimeOrder(std::vector<sql::Code> codes) : codes_(std::move(codes)) {}
  sql::Codes codes() const { return {codes_.data(), codes_.size()}; }

 private:
  std::vector<sql::Code> codes_;
};

namespace detail {
std::vector<sql::Code> order_by_name(const meta::Table& table, const Form* forms, std::string_view name,
                                     Direction direction);
std::vector<sql::Code> concatenate(sql::Codes a, sql::Codes b);
}  // namespace detail

/// An order by a column's name (the database's or the member's), for sort orders that come from a
/// request. Only names of the model get into SQL; another throws Misuse that says so, and so does a
/// column that has no order (JSON, names of enumerators).
template <class Model>
RuntimeOrder<Model> by(std::string_view column, Direction direction = Direction::ascending) {
  return RuntimeOrder<Model>(detail::order_by_name(table_of<Model>, detail::infos_of<Model>::forms, column, direction));
}

}  // namespace quark
