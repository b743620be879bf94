// Exact conversion between scaled integers and PostgreSQL's base-10000 numbers; no floating point on the way.
#include <quark/engine/postgres_numeric.hpp>
#include <quark/engine/postgres_wire.hpp>

namespace quark::postgres {
namespace {

__extension__ typedef unsigned __int128 Natural128;

constexpr std::uint16_t negative = 0x4000, not_a_number = 0xC000, infinite = 0xD000, minus_infinite = 0xF000;

// 10^38 is the first number with 39 digits; Decimal ends before it.
constexpr Natural128 power_of_ten(int exponent) {
  Natural128 out = 1;
  while (exponent-- > 0) out *= 10;
  return out;
}

}  // namespace

int encode_numeric(Int128 value, int scale, char* out) {
  Natural128 left = value < 0 ? -static_cast<Natural128>(value) : static_cast<Natural128>(value);
  // Digits of base 10000 from the last to the first; the last one holds the places that fill up a group of four.
  std::uint16_t groups[12];
  int count = 0;
  const int rest = scale % 4;
  if (rest != 0) {
    const auto divisor = static_cast<unsigned>(power_of_ten(rest));
    groups[count++] = static_cast<std::uint16_t>(static_cast<unsigned>(left % divisor) *
                                                 static_cast<unsigned>(power_of_ten(4 - rest)));
    left /= divisor;
  }
  for (; left != 0; left /= 10000) groups[count++] = static_cast<std::uint16_t>(left % 10000);
  const int fraction_groups = (scale + 3) / 4;
  int weight = count - fraction_groups - 1;
  // Zeros at both ends are not sent.
  int first = count - 1, last = 0;
  while (first >= 0 && groups[first] == 0) --first, --weight;
  while (last <= first && groups[last] == 0) ++last;
  const int digits = first >= last ? first - last + 1 : 0;
  if (digits == 0) weight = 0;
  store<std::int16_t>(out, static_cast<std::int16_t>(digits));
  store<std::int16_t>(out + 2, static_cast<std::int16_t>(weight));
  store<std::int16_t>(out + 4, static_cast<std::int16_t>(value < 0 ? negative : 0));
  store<std::int16_t>(out + 6, static_cast<std::int16_t>(scale));
  char* to = out + 8;
  for (int i = first; i >= last; --i, to += 2) store<std::int16_t>(to, static_cast<std::int16_t>(groups[i]));
  return static_cast<int>(to - out);
}

const char* decode_numeric(const char* data, int size, int precision, int scale, Int128& out) {
  constexpr const char* broken = "the number is not one that PostgreSQL sends";
  if (size < 8) return broken;
  const int digits = load<std::int16_t>(data);
  const int weight = load<std::int16_t>(data + 2);
  const auto sign = static_cast<std::uint16_t>(load<std::int16_t>(data + 4));
  if (sign == not_a_number) return "the number is NaN";
  if (sign == infinite || sign == minus_infinite) return "the number is infinite";
  if (digits < 0 || size != 8 + 2 * digits || (sign != 0 && sign != negative)) return broken;

  const Natural128 end = power_of_ten(precision);
  constexpr const char* too_large = "the number has more digits than the member";
  Natural128 value = 0;
  // Before each multiplication: 128 bits hold little more than 38 digits.
  const auto fits = [end](Natural128 v, Natural128 factor) { return v <= (end - 1) / factor; };
  int exponent = 0;  // of ten: what the last digit read counts, in units of the member's last place
  for (int i = 0; i < digits; ++i) {
    const auto digit = static_cast<unsigned>(load<std::int16_t>(data + 8 + 2 * i));
    exponent = 4 * (weight - i) + scale;
    if (exponent >= 0) {
      if (!fits(value, 10000)) return too_large;
      value = value * 10000 + digit;
    } else if (exponent > -4) {
      const auto divisor = static_cast<unsigned>(power_of_ten(-exponent));
      if (digit % divisor != 0) return "the number has more places than the member";
      if (!fits(value, power_of_ten(4 + exponent))) return too_large;
      value = value * power_of_ten(4 + exponent) + digit / divisor;
      exponent = 0;
    } else if (digit != 0) {
      return "the number has more places than the member";
    } else {
      exponent = 0;
    }
    if (value >= end) return too_large;
  }
  for (; digits > 0 && value != 0 && exponent > 0; --exponent) {
    if (!fits(value, 10)) return too_large;
    value *= 10;
  }
  out = sign == negative ? -static_cast<Int128>(value) : static_cast<Int128>(value);
  return nullptr;
}

}  // namespace quark::postgres
