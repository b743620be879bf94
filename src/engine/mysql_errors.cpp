// MySQL's error numbers become kinds; constraint and column names are read from its messages, kinds never are.
#include <quark/engine/mysql_errors.hpp>

namespace quark::mysql {

// Numbers below 2000 and from 3000 on are the server's, 2000 to 2999 and 5000 to 5999 the client library's.
ErrorKind kind_of(unsigned code) {
  switch (code) {
    case 1022:  // can't write; duplicate key
    case 1062:
    case 1169:
    case 1557:  // a foreign key's action would make a duplicate
    case 1586:
    case 1761:
    case 1762: return ErrorKind::unique;
    case 1216:
    case 1217:
    case 1451:
    case 1452: return ErrorKind::foreign_key;
    case 1048:
    case 1263:
    case 1364:  // no value, and no default
    case 4161: return ErrorKind::not_null;
    case 3819:
    case 4025:
    case 1644:  // SIGNAL in a trigger
    case 1369: return ErrorKind::check;  // CHECK OPTION of a view
    case 1213:
    case 1614: return ErrorKind::deadlock;
    case 1020: return ErrorKind::serialization;  // changed since the transaction's snapshot
    case 1205:
    case 3572: return ErrorKind::lock_timeout;
    case 1317:
    case 1907:
    case 1969:
    case 3024: return ErrorKind::timeout;
    case 1040:
    case 1042:
    case 1043:
    case 1049:
    case 1053:
    case 1077:
    case 1078:
    case 1079:
    case 1080:
    case 1129:
    case 1130:
    case 1152:
    case 1158:
    case 1159:
    case 1160:
    case 1161:
    case 1184:
    case 1203:
    case 1226:
    case 1927:
    case 4031: return ErrorKind::connection;
    case 1044:
    case 1045:
    case 1142:
    case 1143:
    case 1227:
    case 1290:
    case 1370:
    case 1698:
    case 1792:  // a write in a READ ONLY transaction
    case 1820:
    case 1836:
    case 1862:
    case 3118:
    case 4151: return ErrorKind::permission;
    case 1118:
    case 1153:  // larger than max_allowed_packet
    case 1264:
    case 1265:
    case 1292:
    case 1300:  // text that is no UTF-8
    case 1365:
    case 1366:
    case 1367:
    case 1406:
    case 1411:
    case 1416:
    case 1441:
    case 1525:
    case 1690:
    case 3140:
    case 3141:
    case 3156:
    case 4037:
    case 4038: return ErrorKind::conversion;
    case 1046:
    case 1050:
    case 1051:
    case 1052:
    case 1054:
    case 1059:
    case 1060:
    case 1061:
    case 1064:
    case 1072:
    case 1091:
    case 1103:
    case 1109:
    case 1110:
    case 1111:
    case 1136:
    case 1146:
    case 1149:
    case 1193:
    case 1267:
    case 1271:
    case 1305:
    case 1356:
    case 1824: return ErrorKind::syntax;
    case 1065: return ErrorKind::misuse;  // nothing in the text
    case 1021:
    case 1030:
    case 1034:
    case 1035:
    case 1037:
    case 1038:
    case 1041:
    case 1114:
    case 1194:
    case 1195:
    case 1712:
    case 3:
    case 28: return ErrorKind::storage;
    case 1235: return ErrorKind::unsupported;
    default: break;
  }
  if (code >= 2000 && code < 3000) {
    switch (code) {
      case 2008: return ErrorKind::storage;  // out of memory
      case 2014:
      case 2031:
      case 2034: return ErrorKind::misuse;
      default: return ErrorKind::connection;
    }
  }
  return ErrorKind::other;
}

bool is_fatal(unsigned code) {
  switch (code) {
    case 1053:
    case 1080:
    case 1152:
    case 1153:
    case 1158:
    case 1159:
    case 1160:
    case 1161:
    case 1184:
    case 1927:
    case 2001:
    case 2002:
    case 2003:
    case 2006:
    case 2013:
    case 2014:  // out of step with the server: what comes next belongs to nobody knows what
    case 2026:
    case 2027:
    case 2048:
    case 2055:
    case 2057:  // a result that isn't what was bound: the client library loses its place
    case 4031: return true;
    default: return false;
  }
}

namespace {

/// What stands between `open` and the next `close` after it; empty when there is none.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + open.size());
  const std::size_t end = text.find(close);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

/// "`a`, `b`" without its quotes.
std::string unquoted(std::string_view list) {
  std::string out;
  for (const char c : list)
    if (c != '`') out += c;
  return out;
}

// The documented forms of the messages (MySQL: error reference; MariaDB: errmsg-utf8.txt).
void read_names(unsigned code, std::string_view message, ErrorInfo& info) {
  switch (code) {
    case 1022:
    case 1062:
    case 1586:
    case 1761:
    case 1762: {
      // "Duplicate entry 'x' for key 'users.email'", in MariaDB 'email'. The entry may have quotes of its own.
      const std::size_t key = message.rfind("key '");
      if (key == std::string_view::npos) return;
      std::string_view name = message.substr(key + 5);
      name = name.substr(0, name.rfind('\''));
      const std::size_t dot = name.find('.');
      if (dot != std::string_view::npos && name.substr(0, dot) == info.table) name.remove_prefix(dot + 1);
      info.constraint = name;
      return;
    }
    case 1451:
    case 1452: {
      // "... fails (`db`.`child`, CONSTRAINT `name` FOREIGN KEY (`a`, `b`) REFERENCES `parents` ..."
      const std::string_view place = between(message, "fails (", ", CONSTRAINT");
      const std::size_t dot = place.find("`.`");
      if (dot != std::string_view::npos) info.table = unquoted(place.substr(dot + 2));
      info.constraint = between(message, "CONSTRAINT `", "`");
      info.column = unquoted(between(message, "FOREIGN KEY (", ")"));
      return;
    }
    case 1048:
    case 1263: info.column = between(message, "olumn '", "'"); return;
    case 1364: info.column = between(message, "Field '", "'"); return;
    case 3819: info.constraint = between(message, "constraint '", "'"); return;
    case 4025: {
      // A column's own check is called "table.column".
      info.constraint = between(message, "CONSTRAINT `", "` failed");
      const std::size_t dot = info.constraint.find('.');
      if (dot != std::string::npos) info.column = info.constraint.substr(dot + 1);
      return;
    }
    case 1264:
    case 1265:
    case 1406: info.column = between(message, "column '", "'"); return;
    case 1366: {
      // "Incorrect integer value: 'x' for column `db`.`users`.`age` at row 1"; in MySQL column 'age'.
      const std::size_t at = message.rfind(" for column ");
      if (at == std::string_view::npos) return;
      std::string name = unquoted(message.substr(at + 12, message.rfind(" at row") - at - 12));
      if (name.size() > 1 && name.front() == '\'') name = name.substr(1, name.size() - 2);
      info.column = name.substr(name.rfind('.') + 1);
      return;
    }
    default: return;
  }
}

/// A server's message may repeat the value that it refused: cut out, since messages are logged.
std::string without_value(unsigned code, std::string_view message) {
  std::string_view begin;
  switch (code) {
    case 1062:
    case 1586: begin = "entry '"; break;
    case 1292:
    case 1366:
    case 1367:
    case 1411:
    case 1525: begin = "'"; break;
    case 1690: begin = " in '"; break;
    default: return std::string(message);
  }
  const std::size_t at = message.find(begin);
  if (at == std::string_view::npos) return std::string(message);
  std::string out(message.substr(0, at + begin.size()));
  out += "...'";
  // Behind the value there may be the names, which are of use; the value's own text could look like them, so the last
  // one counts.
  for (const std::string_view next : {"' for key ", "' for column "}) {
    const std::size_t end = message.rfind(next);
    if (end == std::string_view::npos || end < at) continue;
    out += message.substr(end + 1);
    break;
  }
  return out;
}

}  // namespace

ErrorInfo describe_error(unsigned code, std::string_view sqlstate, std::string_view message,
                         const Statement& statement) {
  ErrorInfo info;
  info.kind = kind_of(code);
  info.engine_code = static_cast<int>(code);
  info.sqlstate = sqlstate == "00000" ? std::string_view{} : sqlstate;
  info.table = statement.table;
  info.statement = statement.text;
  read_names(code, message, info);
  // The renderer's way to say that an upsert met a row by another key than its own (sql/render.hpp).
  if (code == 1242 && statement.kind == StatementKind::upsert) {
    info.kind = ErrorKind::unique;
    message = "another unique key than that of the upsert has a row with these values";
  }
  info.retryable = info.kind == ErrorKind::deadlock || info.kind == ErrorKind::serialization ||
                   info.kind == ErrorKind::lock_timeout;
  info.message = "MySQL: " + without_value(code, message);
  if (!statement.text.empty()) {
    // A filter can make a long one: statement() has all of it.
    constexpr std::size_t most = 500;
    info.message += " [";
    info.message += statement.text.substr(0, most);
    info.message += statement.text.size() > most ? " ...]" : "]";
  }
  return info;
}

void refuse_unsupported(const Statement& statement, std::string_view why) {
  ErrorInfo info;
  info.kind = ErrorKind::unsupported;
  info.message = "quark: " + std::string(why);
  info.table = statement.table;
  info.statement = statement.text;
  throw_error(std::move(info));
}

}  // namespace quark::mysql
