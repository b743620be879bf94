// Days, moments and durations as MySQL's text.
#include <quark/engine/mysql_values.hpp>
#include <quark/types/chrono_text.hpp>

namespace quark::mysql {

const char* add_moment(const Param& p, std::string& out) {
  constexpr std::int64_t most = ((std::int64_t{838} * 60 + 59) * 60 + 59) * 1000000 + 999999;
  char text[timestamp_text_size];
  static_assert(sizeof text >= max_time_text && sizeof text >= date_text_size);
  if (p.form == Form::time) {
    if (p.head.integer > most || p.head.integer < -most) return "the duration is beyond MySQL's 838:59:59.999999";
    out.append(text, format_time(p.head.integer, text));
    return nullptr;
  }
  // The year 0 is a year of our calendar, and none of MySQL's.
  if (p.form == Form::date) {
    const bool fits = p.head.integer == static_cast<std::int32_t>(p.head.integer);
    const std::size_t size = fits ? format_date(static_cast<std::int32_t>(p.head.integer), text) : 0;
    if (size == 0 || std::string_view(text, 4) == "0000") return "the date is outside MySQL's years 1 to 9999";
    out.append(text, size);
    return nullptr;
  }
  if (format_timestamp(p.head.integer, text) == 0 || std::string_view(text, 4) == "0000")
    return "the time is outside MySQL's years 1 to 9999";
  text[date_text_size] = ' ';                 // for the T
  out.append(text, timestamp_text_size - 1);  // without the Z
  return nullptr;
}

}  // namespace quark::mysql
