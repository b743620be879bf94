// What Quark needs of a session that it hasn't opened itself: asked once, refused when it could change a value.
#include <quark/engine/mysql_text.hpp>
#include <quark/engine/mysqlcppconn/bridge.hpp>
#include <quark/exec/error.hpp>

#include <algorithm>
#include <string>

#include "prepared.hpp"

namespace quark::mysqlcppconn {
namespace {

// What doesn't fit its column, and a division by zero, are errors then.
constexpr std::string_view needed_modes[] = {"STRICT_ALL_TABLES", "ERROR_FOR_DIVISION_BY_ZERO"};
// SET a = b, b = a swaps then, as on the other engines. MySQL has no such mode.
constexpr std::string_view needed_of_mariadb = "SIMULTANEOUS_ASSIGNMENT";
// Reads CHAR with blanks that nobody has written; makes NULL of empty text; and NOT binds as in no other SQL.
constexpr std::string_view unwanted_modes[] = {"PAD_CHAR_TO_FULL_LENGTH", "EMPTY_STRING_IS_NULL",
                                               "HIGH_NOT_PRECEDENCE"};

constexpr std::string_view question =
    "SELECT @@sql_mode, @@time_zone, @@system_time_zone, @@character_set_client, @@character_set_connection, "
    "IFNULL(@@character_set_results, ''), VERSION()";

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (comma != 0) out.emplace_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return out;
}

bool has(const std::vector<std::string>& modes, std::string_view mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

bool is_mariadb(const std::string& version) { return version.find("MariaDB") != std::string::npos; }

bool is_utc(const std::string& zone, const std::string& system_zone) {
  const std::string& name = zone == "SYSTEM" ? system_zone : zone;
  return name == "+00:00" || name == "UTC";
}

}  // namespace

void Session::require() {
  if (ready_) return;
  const std::vector<std::string> cells = ask(question);
  if (cells.size() != 7) quark::detail::throw_misuse("the server doesn't say how the session is set");
  std::string wrong;
  const auto add = [&](const std::string& what) { wrong += (wrong.empty() ? "" : ", ") + what; };
  const std::vector<std::string> modes = split(cells[0]);
  for (const std::string_view mode : needed_modes)
    if (!has(modes, mode)) add("sql_mode is without " + std::string(mode));
  mariadb_ = is_mariadb(cells[6]);
  if (mariadb_ && !has(modes, needed_of_mariadb)) add("sql_mode is without " + std::string(needed_of_mariadb));
  for (const std::string_view mode : unwanted_modes)
    if (has(modes, mode)) add("sql_mode has " + std::string(mode));
  if (!is_utc(cells[1], cells[2])) add("time_zone is " + cells[1] + ", not +00:00");
  if (cells[3] != "utf8mb4" || cells[4] != "utf8mb4" || cells[5] != "utf8mb4")
    add("the character sets are not utf8mb4");
  if (!wrong.empty())
    quark::detail::throw_misuse("this session could change values: " + wrong +
                                ". quark::mysqlcppconn::prepare_session(connection) sets what is needed");
  // Some releases put "5.5.5-" in front.
  std::string_view version = cells[6];
  if (version.starts_with("5.5.5-")) version.remove_prefix(6);
  const std::size_t dot = version.find('.');
  const int major = std::atoi(std::string(version.substr(0, dot)).c_str());
  const int minor = dot == std::string_view::npos ? 0 : std::atoi(std::string(version.substr(dot + 1)).c_str());
  returning_ = options_.returning && mariadb_ && (major > 10 || (major == 10 && minor >= 5));
  ready_ = true;
}

bool Session::returns_rows() const {
  // Asked before the first statement runs.
  const_cast<Session*>(this)->require();
  return returning_;
}

bool Session::counts_found() {
  // A query on a bare connection is for a few calls: counting before costs less than finding out.
  if (!kept_) return false;
  if (counts_ != Counts::unknown) return counts_ == Counts::found;
  counts_ = Counts::changed;
  // The server doesn't tell what its client has asked for: it is tried. A temporary table commits nothing.
  try {
    send("CREATE TEMPORARY TABLE quark_found_rows AS SELECT 1 AS a");
    const std::unique_ptr<::sql::Statement> plain(connection_.createStatement());
    if (plain->executeUpdate("UPDATE quark_found_rows SET a = 1") == 1) counts_ = Counts::found;
    send("DROP TEMPORARY TABLE quark_found_rows");
  } catch (const ::sql::SQLException& error) {
    note_failure(static_cast<unsigned>(error.getErrorCode()));
  } catch (const Error&) {
    // Not allowed to: counted before each UPDATE then.
  }
  if (is_lost()) refuse_lost(Statement{});
  return counts_ == Counts::found;
}

void prepare_session(::sql::Connection& connection) {
  const auto session = std::make_shared<Session>(connection, Options{}, false);
  session->prepare();
}

void Session::prepare() {
  const std::vector<std::string> cells = ask(question);
  std::string modes;
  const std::vector<std::string> old = split(cells.at(0));
  const auto add = [&](std::string_view mode) { modes += (modes.empty() ? "" : ",") + std::string(mode); };
  for (const std::string& mode : old)
    if (std::find(std::begin(unwanted_modes), std::end(unwanted_modes), mode) == std::end(unwanted_modes)) add(mode);
  for (const std::string_view mode : needed_modes)
    if (!has(old, mode)) add(mode);
  if (is_mariadb(cells.at(6)) && !has(old, needed_of_mariadb)) add(needed_of_mariadb);
  send("SET sql_mode = '" + modes + "', time_zone = '+00:00', character_set_client = utf8mb4, "
       "character_set_connection = utf8mb4, character_set_results = utf8mb4");
}

}  // namespace quark::mysqlcppconn
