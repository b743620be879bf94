// Just enough of PostgreSQL's lexical rules (manual 4.1) to know what in a text is a parameter, a name or an end of a
// statement. Private to src/engine/pqxx.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quark::pqxx_bridge {

/// A piece of SQL text: words, numbers, quoted names, strings, parameters ($1) and single signs. Comments and blanks
/// are none.
struct Token {
  enum class Kind : unsigned char { end, word, name, text, parameter, sign };
  Kind kind = Kind::end;
  std::string_view text{};  // as it is written
};

/// Takes tokens off the front of a text, which must live as long.
class Scanner {
 public:
  explicit Scanner(std::string_view sql) : sql_(sql) {}
  Token next();
  /// Where the last token began.
  std::size_t begin() const { return begin_; }

 private:
  void skip_blanks();
  std::size_t end_of_quoted(char quote, bool escapes) const;

  std::string_view sql_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

/// Whether a word is this one, which is given in lower case.
bool is_word(const Token& token, std::string_view lower);

/// The text with a cast behind each parameter that has a type: `types[i]` is that of $(i+1), empty for none.
std::string with_types(std::string_view sql, const std::vector<std::string>& types);

/// How many statements there are, 2 for "more than one" (or one that has others in its body).
int count_statements(std::string_view sql);

/// Whether it is a COPY that talks to the client.
bool copies_to_client(std::string_view sql);

/// Whether it ends the transaction: COMMIT, ROLLBACK and their other spellings, without a chained one.
bool ends_transaction(std::string_view sql);

/// What the columns of a SELECT, or of a RETURNING, are called in the text; empty where it doesn't say.
std::vector<std::string> column_names(std::string_view sql);

}  // namespace quark::pqxx_bridge
