// The model of the SQLite benchmarks, and the rows that both arms start from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct BenchUser {
  std::int64_t id{};
  std::string name;
  std::optional<std::string> email;
  std::int32_t age{};
  bool active{};
};

inline constexpr std::size_t stored_users = 1000;

/// User number i: a name that fits a string's own buffer, an address that does not.
inline BenchUser make_user(std::size_t i) {
  return {.name = "User " + std::to_string(i),
          .email = "user" + std::to_string(i) + "@mail.example.com",
          .age = static_cast<std::int32_t>(18 + i * 7 % 60),
          .active = i % 2 == 0};
}

inline std::vector<BenchUser> make_users(std::size_t count) {
  std::vector<BenchUser> users;
  users.reserve(count);
  for (std::size_t i = 0; i < count; ++i) users.push_back(make_user(i));
  return users;
}

/// Keys of stored users in an order that jumps about.
inline std::vector<std::int64_t> make_keys() {
  std::vector<std::int64_t> keys;
  keys.reserve(stored_users);
  for (std::size_t i = 0; i < stored_users; ++i)
    keys.push_back(static_cast<std::int64_t>(i * 389 % stored_users) + 1);
  return keys;
}

}  // namespace bench
