// Text and wide arithmetic of quark::Decimal: what needs no template.
// Used by types/decimal_value.hpp, and by engines that read or write decimals as text.
#include <quark/exec/error.hpp>
#include <quark/types/decimal_value.hpp>

#include <cstring>

namespace quark {
namespace detail {

void throw_conversion(const char* what) { throw ConversionError(what); }

namespace {

constexpr std::uint64_t ten_to_19 = 10'000'000'000'000'000'000u;

// An unsigned integer of 256 bits, lowest limb first: enough for the product of two 38-digit
// numbers and for 10^76, the largest divisor.
struct Wide {
  std::uint64_t limbs[4] = {};

  explicit Wide(UInt128 value) {
    limbs[0] = static_cast<std::uint64_t>(value);
    limbs[1] = static_cast<std::uint64_t>(value >> 64);
  }

  bool fits_128() const { return (limbs[2] | limbs[3]) == 0; }
  UInt128 low() const { return (UInt128{limbs[1]} << 64) | limbs[0]; }

  // False when the product leaves 256 bits.
  bool multiply(std::uint64_t factor) {
    UInt128 carry = 0;
    for (auto& limb : limbs) {
      carry += UInt128{limb} * factor;
      limb = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return carry == 0;
  }

  bool raise(int places) {
    for (; places >= 19; places -= 19) {
      if (!multiply(ten_to_19)) return false;
    }
    std::uint64_t rest = 1;
    for (; places > 0; --places) rest *= 10;
    return multiply(rest);
  }

  // limbs = limbs * 2 + bit.
  void shift_in(unsigned bit) {
    for (auto& limb : limbs) {
      const auto top = static_cast<unsigned>(limb >> 63);
      limb = (limb << 1) | bit;
      bit = top;
    }
  }

  bool at_least(const Wide& other) const {
    for (int i = 3; i >= 0; --i) {
      if (limbs[i] != other.limbs[i]) return limbs[i] > other.limbs[i];
    }
    return true;
  }

  void subtract(const Wide& other) {
    bool borrow = false;
    for (int i = 0; i < 4; ++i) {
      const UInt128 taken = UInt128{other.limbs[i]} + (borrow ? 1u : 0u);
      borrow = taken > limbs[i];
      limbs[i] = static_cast<std::uint64_t>(limbs[i] - taken);
    }
  }
};

Wide product(UInt128 a, UInt128 b) {
  const auto a_low = static_cast<std::uint64_t>(a);
  const auto a_high = static_cast<std::uint64_t>(a >> 64);
  Wide low_part(b);
  Wide high_part(b);
  low_part.multiply(a_low);  // 128 x 64 bits: no overflow in 256
  high_part.multiply(a_high);
  UInt128 carry = 0;
  for (int i = 1; i < 4; ++i) {
    carry += UInt128{low_part.limbs[i]} + high_part.limbs[i - 1];
    low_part.limbs[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return low_part;
}

[[noreturn]] void throw_too_large() {
  throw_conversion("the result has more digits than the Decimal type holds");
}

// numerator / denominator, both at most 10^76, rounded; `negative` is the sign of the result.
Int128 quotient(const Wide& numerator, const Wide& denominator, bool negative, int precision,
                Rounding rounding) {
  Wide whole(0);
  Wide rest(0);
  if (numerator.fits_128() && denominator.fits_128()) {
    whole = Wide(numerator.low() / denominator.low());
    rest = Wide(numerator.low() % denominator.low());
  } else {
    // Schoolbook, bit by bit: some microseconds, and only for numbers that leave 128 bits.
    for (int bit = 255; bit >= 0; --bit) {
      rest.shift_in(static_cast<unsigned>(numerator.limbs[bit / 64] >> (bit % 64)) & 1u);
      const bool one = rest.at_least(denominator);
      if (one) rest.subtract(denominator);
      whole.shift_in(one ? 1u : 0u);
    }
  }
  const UInt128 limit = magnitude(power_of_ten(precision));
  if (!whole.fits_128() || whole.low() >= limit) throw_too_large();
  UInt128 result = whole.low();

  const bool exact = rest.fits_128() && rest.low() == 0;
  if (!exact && rounding == Rounding::refuse)
    throw_conversion("the result has more places than the Decimal type, and rounding is refused");
  if (!exact && rounding != Rounding::down) {
    Wide missing = denominator;
    missing.subtract(rest);
    const bool half_or_more = rest.at_least(missing);
    const bool tie = half_or_more && missing.at_least(rest);
    const bool away = half_or_more && (!tie || rounding == Rounding::half_up || result % 2 != 0);
    if (away && ++result >= limit) throw_too_large();
  }
  return negative ? -static_cast<Int128>(result) : static_cast<Int128>(result);
}

}  // namespace

Int128 multiply_scaled(Int128 a, Int128 b, int drop, int precision, Rounding rounding) {
  Wide numerator = product(magnitude(a), magnitude(b));
  Wide denominator(1);
  if (drop >= 0) {
    denominator.raise(drop);  // at most 10^76
  } else if (!numerator.raise(-drop)) {
    throw_too_large();
  }
  return quotient(numerator, denominator, (a < 0) != (b < 0), precision, rounding);
}

Int128 divide_scaled(Int128 a, Int128 b, int lift, int precision, Rounding rounding) {
  if (b == 0) throw_conversion("a Decimal is divided by zero");
  Wide numerator(magnitude(a));
  Wide denominator(magnitude(b));
  if (lift < 0) {
    denominator.raise(-lift);  // at most 10^38 * 10^38
  } else if (!numerator.raise(lift)) {
    // At least 10^77 over at most 10^38: beyond any Decimal.
    throw_too_large();
  }
  return quotient(numerator, denominator, (a < 0) != (b < 0), precision, rounding);
}

std::string decimal_text(Int128 value, int scale) {
  char text[max_decimal_text];
  return std::string(text, format_scaled(value, scale, text));
}

}  // namespace detail

std::size_t format_scaled(Int128 value, int scale, char* out) noexcept {
  // From the last character to the first; 64-bit divisions, two halves where the number needs them.
  char text[max_decimal_text];
  char* cursor = text + max_decimal_text;
  int places = 0;
  const auto put_digit = [&](std::uint64_t digit) {
    if (places == scale && scale > 0) *--cursor = '.';
    *--cursor = static_cast<char>('0' + digit);
    ++places;
  };
  const detail::UInt128 size = detail::magnitude(value);
  auto rest = static_cast<std::uint64_t>(size);
  if (size >> 64 != 0) {
    auto lower = static_cast<std::uint64_t>(size % detail::ten_to_19);
    for (int i = 0; i < 19; ++i, lower /= 10) put_digit(lower % 10);
    rest = static_cast<std::uint64_t>(size / detail::ten_to_19);
  }
  // Zeros are added up to one digit before the point.
  for (; rest != 0 || places <= scale; rest /= 10) put_digit(rest % 10);
  if (value < 0) *--cursor = '-';

  const auto length = static_cast<std::size_t>(text + max_decimal_text - cursor);
  std::memcpy(out, cursor, length);
  return length;
}

}  // namespace quark
