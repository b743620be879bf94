// The operations of the benchmarks, over any pair of arms that offer them: one by hand, one by Quark.
// A Db has a type User, users(count), keys(), and the calls below; an engine's controls.cpp puts the pairs together.
#pragma once

#include "harness/arms.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Rows that are there from the beginning, with the keys 1 to this.
inline constexpr std::size_t stored = 1000;

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
  std::vector<std::int64_t> keys_ = Db::keys();
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
      auto& user = users_[next_ % users_.size()];
      user.id = keys_[next_ % keys_.size()];
      ++next_;
      keep(db_.update(user));
    }
  }

 private:
  Db db_;
  std::vector<typename Db::User> users_ = Db::users(stored);
  std::vector<std::int64_t> keys_ = Db::keys();
  std::size_t next_ = 0;
};

template <class Db>
class Insert final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      auto& user = users_[i % users_.size()];
      user.id = 0;
      db_.insert(user);
      keep(user);
    }
  }
  void clean() override { db_.drop_inserted(); }

 private:
  Db db_;
  std::vector<typename Db::User> users_ = Db::users(stored);
};

template <class Db, void (Db::*Insert)(std::vector<typename Db::User>&), std::size_t Size>
class InsertBatch final : public Arm {
 public:
  void run(std::size_t times) override {
    for (std::size_t i = 0; i < times; ++i) {
      for (auto& user : users_) user.id = 0;
      (db_.*Insert)(users_);
      keep(users_);
    }
  }
  void clean() override { db_.drop_inserted(); }

 private:
  Db db_;
  std::vector<typename Db::User> users_ = Db::users(Size);
};

template <class A>
ArmMaker arm(std::string name) {
  return {std::move(name), [] { return std::make_unique<A>(); }};
}

template <template <class> class A, class Hand, class Quark>
Control single(std::string name, bool again) {
  Control control{std::move(name), {}, 1.03};
  control.arms.push_back(arm<A<Hand>>("hand-written"));
  if (again) control.arms.push_back(arm<A<Hand>>("hand-written again"));
  control.arms.push_back(arm<A<Quark>>("quark"));
  return control;
}

template <std::size_t Size, class Hand, class Quark>
Control batch(std::string name, bool again, double limit) {
  Control control{std::move(name), {}, limit};
  using Loop = InsertBatch<Hand, &Hand::insert_rows, Size>;
  control.arms.push_back(arm<Loop>("hand-written, row by row"));
  if (again) control.arms.push_back(arm<Loop>("hand-written again"));
  control.arms.push_back(
      arm<InsertBatch<Hand, &Hand::insert_chunks, Size>>(Hand::chunks));
  control.arms.push_back(arm<InsertBatch<Quark, &Quark::insert_batch, Size>>("quark"));
  return control;
}

}  // namespace bench
