#include "engines/sqlite/controls.hpp"

#include "engines/sqlite/hand_written.hpp"
#include "engines/sqlite/quark_arm.hpp"

namespace bench {
namespace {

template <class Db>
class Find final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      const auto user = db_.find(keys_[next_++ % keys_.size()]);
      keep(user);
    }
  }

 private:
  Db db_;
  std::vector<std::int64_t> keys_ = make_keys();
  std::size_t next_ = 0;
};

template <class Db>
class List final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      const auto users = db_.list(static_cast<std::int32_t>(20 + next_++ % 8), true);
      keep(users);
    }
  }

 private:
  Db db_;
  std::size_t next_ = 0;
};

template <class Db>
class Update final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      BenchUser& user = users_[next_ % users_.size()];
      user.id = keys_[next_ % keys_.size()];
      ++next_;
      keep(db_.update(user));
    }
  }

 private:
  Db db_;
  std::vector<BenchUser> users_ = make_users(stored_users);
  std::vector<std::int64_t> keys_ = make_keys();
  std::size_t next_ = 0;
};

template <class Db>
class Insert final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      BenchUser& user = users_[i % users_.size()];
      user.id = 0;
      db_.insert(user);
      keep(user);
    }
  }
  void clean() override { db_.drop_inserted(); }

 private:
  Db db_;
  std::vector<BenchUser> users_ = make_users(stored_users);
};

template <class Db, void (Db::*Insert)(std::vector<BenchUser>&), std::size_t Size>
class InsertBatch final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      for (BenchUser& user : users_) user.id = 0;
      (db_.*Insert)(users_);
      keep(users_);
    }
  }
  void clean() override { db_.drop_inserted(); }

 private:
  Db db_;
  std::vector<BenchUser> users_ = make_users(Size);
};

template <class A>
ArmMaker arm(std::string name) {
  return {std::move(name), [] { return std::make_unique<A>(); }};
}

template <template <class> class A>
Control single(std::string name, bool again) {
  Control control{std::move(name), {}, 1.03};
  control.arms.push_back(arm<A<HandWritten>>("hand-written"));
  if (again) control.arms.push_back(arm<A<HandWritten>>("hand-written again"));
  control.arms.push_back(arm<A<QuarkArm>>("quark"));
  return control;
}

template <std::size_t Size>
Control batch(std::string name, bool again) {
  Control control{std::move(name), {}, 0.50};
  using Loop = InsertBatch<HandWritten, &HandWritten::insert_rows, Size>;
  control.arms.push_back(arm<Loop>("hand-written, row by row"));
  if (again) control.arms.push_back(arm<Loop>("hand-written again"));
  control.arms.push_back(
      arm<InsertBatch<HandWritten, &HandWritten::insert_chunks, Size>>("hand-written, chunks of 32"));
  control.arms.push_back(arm<InsertBatch<QuarkArm, &QuarkArm::insert_batch, Size>>("quark"));
  return control;
}

}  // namespace

std::vector<Control> sqlite_controls(bool again) {
  return {single<Find>("FindByPK", again),           single<List>("ListWhere50", again),
          single<Update>("Update", again),           single<Insert>("InsertOne", again),
          batch<100>("InsertBatch100", again),       batch<1000>("InsertBatch1000", again)};
}

}  // namespace bench
