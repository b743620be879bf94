// One expected text for three engines. Tests write PostgreSQL's spelling; where the others differ
// by more than placeholders and quotes, they write those out.
#pragma once

#include <quark/query/text.hpp>

#include <string_view>

namespace quark::test {

/// Whether `text` is `postgres` with `?` for `$n` and with `quote` around names. The texts hold no
/// '$' and no quote but those.
constexpr bool is_translation(std::string_view text, std::string_view postgres, char quote) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < postgres.size(); ++i) {
    char expected = postgres[i];
    if (expected == '$') {
      expected = '?';
      while (i + 1 < postgres.size() && postgres[i + 1] >= '0' && postgres[i + 1] <= '9') ++i;
    } else if (expected == '"') {
      expected = quote;
    }
    if (at == text.size() || text[at++] != expected) return false;
  }
  return at == text.size();
}

/// Whether the query's text is this on all three engines.
template <Ask A = Ask::list, class Q>
constexpr bool says(const Q& query, std::string_view postgres) {
  return sql_text<Engine::postgres, A>(query) == postgres &&
         is_translation(sql_text<Engine::sqlite, A>(query), postgres, '"') &&
         is_translation(sql_text<Engine::mysql, A>(query), postgres, '`');
}

/// Whether it is these three.
template <Ask A = Ask::list, class Q>
constexpr bool says(const Q& query, std::string_view sqlite, std::string_view postgres,
                    std::string_view mysql) {
  return sql_text<Engine::sqlite, A>(query) == sqlite &&
         sql_text<Engine::postgres, A>(query) == postgres &&
         sql_text<Engine::mysql, A>(query) == mysql;
}

/// What a whole SELECT over one condition says behind its WHERE.
constexpr std::string_view behind_where(std::string_view text) {
  constexpr std::string_view where = " WHERE ";
  const std::size_t at = text.find(where);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + where.size());
}

}  // namespace quark::test
