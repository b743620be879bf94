// The operations as a user of Quark writes them.
#pragma once

#include "engines/sqlite/users.hpp"

#include <quark/sqlite.hpp>

namespace bench {

class QuarkArm {
 public:
  using User = BenchUser;
  static std::vector<User> users(std::size_t count) { return make_users(count); }
  static std::vector<std::int64_t> keys() { return make_keys(); }

  QuarkArm();

  std::optional<BenchUser> find(std::int64_t id);
  std::vector<BenchUser> list(std::int32_t older_than, bool active);
  std::uint64_t update(BenchUser& user);
  void insert(BenchUser& user);
  void insert_batch(std::vector<BenchUser>& users);
  /// Deletes what was inserted after the stored users.
  void drop_inserted();

 private:
  quark::sqlite::Connection db_;
};

}  // namespace bench
