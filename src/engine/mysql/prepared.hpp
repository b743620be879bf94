// A prepared statement with the buffers of its parameters and result. Private to src/engine/mysql.
#pragma once

#include <quark/engine/mysql/result.hpp>
#include <quark/engine/mysql_columns.hpp>
#include <quark/sql/statement.hpp>
#include <quark/types/cell.hpp>

namespace quark::mysql {

/// Where one parameter lies while it is sent. Its address never changes, so that types are told to the server once.
struct ParamBuffer {
  union {
    std::int64_t integer = 0;
    double real;
    MYSQL_TIME time;
  };
  char* text = nullptr;  // text and bytes up to `capacity`, which are copied here
  unsigned long capacity = 0;
  unsigned long length = 0;
  Flag is_null{};

  ParamBuffer() = default;
  ParamBuffer(const ParamBuffer&) = delete;
  ParamBuffer& operator=(const ParamBuffer&) = delete;
  ParamBuffer(ParamBuffer&& other) noexcept = delete;
  ~ParamBuffer() { delete[] text; }
};

/// Text beyond this is sent from where it is, which costs telling the types again.
inline constexpr unsigned long most_copied_text = 4096;

struct Prepared {
  Result result{};
  std::size_t param_count = 0;
  std::vector<MYSQL_BIND> binds{};
  ParamBuffer* buffers = nullptr;
  bool bound = false;  // the server and the client library know `binds`
  std::uint64_t used = 0;
  std::vector<NarrowParam> narrow{};

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared();
  MYSQL_STMT* handle() const { return result.handle; }
};

/// Makes room for the parameters that the prepared statement has.
void make_params(Prepared& prepared);

/// Writes the parameters into their buffers; binds where a type or an address is new. Throws a ConversionError for a
/// value that MySQL can't hold exactly; false when the client library reports an error.
bool bind_params(Prepared& prepared, const Statement& statement, const Param* params, std::size_t count);

/// Fills one parameter's buffer; sets `changed` when the bind has to be told anew. A reason when it is refused.
const char* put_param(const Param& param, ParamBuffer& buffer, MYSQL_BIND& bind, bool& changed);

/// Binds `binds` to a statement: the call depends on the client library.
bool bind_statement(MYSQL_STMT* handle, std::vector<MYSQL_BIND>& binds);

/// After an execution: makes buffers for the result, or again when its columns have changed. False on an error.
bool bind_result(Result& result);

/// A day or moment as MySQL's components; false outside the years 1 to 9999.
bool to_date(std::int64_t days, MYSQL_TIME& out);
bool to_timestamp(std::int64_t micros, MYSQL_TIME& out);
/// False beyond 838:59:59.999999 hours.
bool to_time(std::int64_t micros, MYSQL_TIME& out);

}  // namespace quark::mysql
