// The operations as a user of Quark writes them: the same for every server.
#pragma once

#include "engines/servers/users.hpp"

#include <quark/quark.hpp>

namespace bench {

/// `Open` connects: a function object that returns a connection in which the table can be made.
template <class Open>
class ServerQuark {
 public:
  using User = ServerUser;
  static std::vector<User> users(std::size_t count) { return make_server_users(count); }
  static std::vector<std::int64_t> keys() { return make_server_keys(); }

  ServerQuark() : db_(Open{}()) {
    auto users = make_server_users(stored_server_users);
    quark::For<User>(db_).create_batch(users);
  }
  std::optional<User> find(std::int64_t id) { return quark::For<User>(db_).find(id); }
  std::vector<User> list(std::int32_t from_age, bool) {
    return quark::For<User>(db_)
        .where(quark::field<&User::age> >= from_age)
        .order_by(quark::asc<&User::id>)
        .limit(100)
        .list();
  }
  std::uint64_t update(User& user) { return quark::For<User>(db_).update(user); }
  void insert(User& user) { quark::For<User>(db_).create(user); }
  void insert_batch(std::vector<User>& users) { quark::For<User>(db_).create_batch(users); }
  /// Deletes what was inserted after the stored users.
  void drop_inserted() {
    quark::For<User>(db_)
        .where(quark::field<&User::id> > static_cast<std::int64_t>(stored_server_users))
        .remove();
  }

 private:
  decltype(Open{}()) db_;
};

}  // namespace bench
