// The two ways in.
#include <quark/engine/mysql_text.hpp>
#include <quark/engine/mysqlcppconn/bridge.hpp>
#include <quark/exec/error.hpp>

namespace quark {

Handle<mysqlcppconn::Session> bridge_handle(BridgeTag, ::sql::Connection& connection) {
  return Handle<mysqlcppconn::Session>(
      std::make_shared<mysqlcppconn::Session>(connection, mysqlcppconn::Options{}, false));
}

namespace mysqlcppconn {

std::uint64_t Bridge::execute(std::string_view sql) {
  // The server takes a comment alone for a statement.
  if (mysql::count_statements(sql) == 0) detail::throw_misuse("the SQL text holds no statement");
  Statement statement;
  statement.text = sql;
  statement.operation = "execute";
  return session().run(statement, nullptr, nullptr, 0, nullptr, nullptr).affected;
}

}  // namespace mysqlcppconn
}  // namespace quark
