// A statement of our own, past cache and middleware: for questions about the schema. Private to src/engine/sqlite.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace quark::sqlite {

/// Finalized when it goes. When it can't be prepared it has no rows: then there is just no answer.
class PlainQuery {
 public:
  PlainQuery(sqlite3* db, const std::string& sql) {
    sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &handle_, nullptr);
  }
  PlainQuery(const PlainQuery&) = delete;
  PlainQuery& operator=(const PlainQuery&) = delete;
  ~PlainQuery() { sqlite3_finalize(handle_); }

  void bind(int index, std::string_view text) {
    sqlite3_bind_text64(handle_, index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void bind(int index, std::int64_t value) { sqlite3_bind_int64(handle_, index, value); }
  bool step() { return handle_ != nullptr && sqlite3_step(handle_) == SQLITE_ROW; }
  std::string text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return data != nullptr ? std::string(data) : std::string();
  }
  int integer(int column) const { return sqlite3_column_int(handle_, column); }
  sqlite3_stmt* handle() const { return handle_; }

 private:
  sqlite3_stmt* handle_ = nullptr;
};

inline std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

}  // namespace quark::sqlite
