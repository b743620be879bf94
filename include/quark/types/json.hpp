// How quark::Json travels: text that has been checked to be JSON; checked again when an engine can't promise it.
#pragma once

#include <quark/types/json_value.hpp>
#include <quark/types/text.hpp>

namespace quark {

template <>
struct codec<Json> {
  static constexpr TypeInfo info{.form = Form::json};
  static constexpr bool borrows = true;
  static void put(Param& out, const Json& value) {
    detail::put_text(out, value.text(), Form::json);
  }
  template <class Cell>
  static Json get(const Cell& cell) {
    auto value = Json::parse(std::string(cell.json()));
    if (!value) cell.refuse("the text is not JSON");
    return *std::move(value);
  }
};

}  // namespace quark
