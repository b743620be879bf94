// The check that text is JSON. The one file that knows the JSON library.
#include <quark/types/decimal_value.hpp>
#include <quark/types/json_value.hpp>

#include <nlohmann/json.hpp>

namespace quark {
namespace {

bool is_json(const std::string& text) {
  // The library reads a zero byte as the end of the text, and skips a byte order mark; databases do
  // neither.
  if (text.find('\0') != std::string::npos) return false;
  if (text.starts_with("\xEF\xBB\xBF")) return false;
  return nlohmann::json::accept(text.begin(), text.end());
}

}  // namespace

Json::Json(std::string text) : text_(std::move(text)) {
  if (!is_json(text_)) detail::throw_conversion("the text is not JSON");
}

std::optional<Json> Json::parse(std::string text) {
  if (!is_json(text)) return std::nullopt;
  return trusted(std::move(text));
}

}  // namespace quark
