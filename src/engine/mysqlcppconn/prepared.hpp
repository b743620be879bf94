// A prepared statement of the connector's, and what must be known of it. Private to src/engine/mysqlcppconn.
#pragma once

#include <quark/engine/mysql_columns.hpp>
#include <quark/engine/mysqlcppconn/session.hpp>
#include <quark/sql/statement.hpp>

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>
#include <cppconn/resultset_metadata.h>
#include <cppconn/statement.h>

#include <istream>
#include <memory>
#include <streambuf>

namespace quark::mysqlcppconn {

/// What stands around a parameter's "?", because the connector sends text where the C API has a type. A string would be
/// compared with a decimal in floating point.
struct Wrap {
  enum class Kind : std::uint8_t {
    any,      // NULL so far
    plain,    // as it is
    natural,  // as it is; the connector takes the place for unsigned from then on
    date,
    timestamp,
    time,
    decimal,
    text,  // longer than what the connector sends as text
  };
  Kind kind = Kind::any;
  std::uint8_t places = 0;  // of decimals
  friend bool operator==(const Wrap&, const Wrap&) = default;
};

/// The wrap that a value needs.
Wrap wrap_of(const Param& param);
/// Whether a value can go where `have` was prepared.
bool serves(Wrap have, Wrap want);
/// What stands in the text instead of "?".
std::string text_of(Wrap wrap);

/// Bytes that somebody else owns, as the connector reads them.
class ByteStream final : private std::streambuf, public std::istream {
 public:
  ByteStream(const char* data, std::size_t size) : std::istream(static_cast<std::streambuf*>(this)) {
    char* const begin = const_cast<char*>(data);  // only read
    setg(begin, begin, begin + size);
  }
};

struct Prepared {
  std::unique_ptr<::sql::PreparedStatement> handle{};
  std::vector<Wrap> wraps{};  // one per parameter
  std::vector<std::unique_ptr<ByteStream>> streams{};  // of the running statement
  std::vector<mysql::NarrowParam> narrow{};
  bool has_rows = false;     // it answers with a result
  bool returns_key = false;  // ... which holds the key that was made
  std::uint64_t used = 0;
};

/// Gives the statement its parameters. Throws a ConversionError for a value that MySQL can't hold exactly, and what the
/// connector throws.
void set_params(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count);

/// A prepared statement while it is in use.
class Use {
 public:
  /// `once`: a statement of its own, which is closed afterwards.
  Use(Session& session, const Statement& statement, const Slot* slot, const Param* params, std::size_t count,
      bool once);
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use();
  Prepared& prepared() const { return *prepared_; }

  /// Closes a statement, here and on the server.
  static void close(Session& session, Prepared* prepared) noexcept;

 private:
  Session& session_;
  Session::Place* place_ = nullptr;
  Prepared* prepared_ = nullptr;
};

}  // namespace quark::mysqlcppconn
