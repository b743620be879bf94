#include "engines/sqlite/quark_arm.hpp"

namespace bench {

using quark::field;

QuarkArm::QuarkArm() : db_(quark::sqlite::open(":memory:")) {
  quark::create_table<BenchUser>(db_);
  auto users = make_users(stored_users);
  quark::For<BenchUser>(db_).create_batch(users);
}

std::optional<BenchUser> QuarkArm::find(std::int64_t id) {
  return quark::For<BenchUser>(db_).find(id);
}

std::vector<BenchUser> QuarkArm::list(std::int32_t older_than, bool active) {
  return quark::For<BenchUser>(db_)
      .where(field<&BenchUser::age> > older_than && field<&BenchUser::active> == active)
      .order_by(quark::asc<&BenchUser::id>)
      .limit(50)
      .list();
}

std::uint64_t QuarkArm::update(BenchUser& user) { return quark::For<BenchUser>(db_).update(user); }

void QuarkArm::insert(BenchUser& user) { quark::For<BenchUser>(db_).create(user); }

void QuarkArm::insert_batch(std::vector<BenchUser>& users) {
  quark::For<BenchUser>(db_).create_batch(users);
}

void QuarkArm::drop_inserted() {
  quark::For<BenchUser>(db_)
      .where(field<&BenchUser::id> > static_cast<std::int64_t>(stored_users))
      .remove();
}

}  // namespace bench
