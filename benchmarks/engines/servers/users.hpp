// The model of the benchmarks on servers: seven columns, one of each usual kind.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct ServerUser {
  std::int64_t id{};
  std::string name{};
  std::optional<std::string> email{};
  std::int32_t age{};
  bool active{};
  double score{};
  std::chrono::sys_time<std::chrono::microseconds> created_at{};
};

inline constexpr std::size_t stored_server_users = 1000;

inline std::vector<ServerUser> make_server_users(std::size_t count) {
  std::vector<ServerUser> users(count);
  for (std::size_t i = 0; i < count; ++i) {
    ServerUser& user = users[i];
    user.name = "User " + std::to_string(i);
    user.email = "user" + std::to_string(i) + "@mail.example.com";
    user.age = static_cast<std::int32_t>(18 + i * 7 % 60);
    user.active = i % 2 == 0;
    user.score = static_cast<double>(i) / 7;
    user.created_at += std::chrono::seconds{1'700'000'000 + i};
  }
  return users;
}

/// Keys of stored users in an order that jumps about.
inline std::vector<std::int64_t> make_server_keys() {
  std::vector<std::int64_t> keys;
  for (std::size_t i = 0; i < stored_server_users; ++i)
    keys.push_back(static_cast<std::int64_t>(i * 389 % stored_server_users) + 1);
  return keys;
}

}  // namespace bench
