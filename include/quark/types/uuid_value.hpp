// A UUID as a value: 16 bytes, its text, and two ways to make a new one.
// Included by whoever has such a member; types/uuid.hpp says how it travels.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quark {
namespace detail {

// The moment of the next time-ordered UUID: the clock's, unless that isn't later than the last one
// given out.
constexpr std::uint64_t moment_after(std::uint64_t last, std::uint64_t clock) noexcept {
  return clock > last ? clock : last + 1;
}

}  // namespace detail

/// 16 bytes in network order, so that values, their texts and a database's uuid column sort alike.
/// Trivially copyable; the default is the nil UUID. Not an aggregate, so that a model that has one
/// as a member is taken apart no further.
class Uuid {
 public:
  /// Length of the text form.
  static constexpr std::size_t text_size = 36;

  std::array<std::byte, 16> bytes{};

  constexpr Uuid() noexcept = default;
  explicit constexpr Uuid(const std::array<std::byte, 16>& value) noexcept : bytes(value) {}

  /// Reads 8-4-4-4-12 hexadecimal digits of either case; nullopt for anything else: braces,
  /// "urn:uuid:", missing hyphens, blanks.
  static constexpr std::optional<Uuid> parse(std::string_view text) noexcept {
    if (text.size() != text_size) return std::nullopt;
    Uuid result;
    std::size_t at = 0;
    for (auto& byte : result.bytes) {
      if (at == 8 || at == 13 || at == 18 || at == 23) {
        if (text[at++] != '-') return std::nullopt;
      }
      const int high = digit(text[at++]);
      const int low = digit(text[at++]);
      if (high < 0 || low < 0) return std::nullopt;
      byte = static_cast<std::byte>(high * 16 + low);
    }
    return result;
  }

  /// A literal, checked by the compiler: `Uuid::of("6ba7b810-9dad-11d1-80b4-00c04fd430c8")`.
  static consteval Uuid of(std::string_view text) {
    const auto result = parse(text);
    return result.value();  // not a constant when `text` is no UUID: that is the error you see here
  }

  /// A new version 4 UUID: 122 random bits from the operating system's generator, fit for secrets.
  /// Costs one system call. Throws std::system_error or std::runtime_error if the system has no
  /// randomness.
  static Uuid random();

  /// A new version 7 UUID (RFC 9562): milliseconds since 1970, 12 bits of their fraction, 62 random
  /// bits. As a key it keeps an index dense, because new rows come last. Strictly increasing within
  /// the process, also across threads and when the clock is set back. It tells when it was made:
  /// not for secrets. Costs and errors as random().
  static Uuid time_ordered();

  /// Lower-case, with hyphens.
  std::string to_string() const {
    std::string text(text_size, '-');
    write(text.data());
    return text;
  }
  /// The same into 36 characters at `out`, without a terminating zero.
  void write(char* out) const noexcept;

  constexpr bool is_nil() const noexcept { return *this == Uuid{}; }
  /// The version nibble: 4 for random(), 7 for time_ordered(), 0 for nil.
  constexpr int version() const noexcept { return std::to_integer<int>(bytes[6]) >> 4; }

  constexpr bool operator==(const Uuid&) const noexcept = default;
  constexpr std::strong_ordering operator<=>(const Uuid&) const noexcept = default;

 private:
  static constexpr int digit(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }
};

}  // namespace quark

/// Every byte counts: version 7 UUIDs differ in the front and in the back.
template <>
struct std::hash<quark::Uuid> {
  std::size_t operator()(const quark::Uuid& value) const noexcept {
    std::uint64_t halves[2];
    __builtin_memcpy(halves, value.bytes.data(), sizeof halves);
    std::uint64_t mixed = halves[0] * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 32) ^ halves[1]) * 0xD6E8FEB86659FD93u;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32));
  }
};
