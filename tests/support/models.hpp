// The models that several tests share. What only one test needs stands in that test.
#pragma once

#include <quark/quark.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace under_test {

/// The ordinary model: a made key, text, an optional, numbers.
struct User {
  std::int64_t id{};
  std::string name{};
  std::optional<std::string> email{};
  int age{};
  bool active{};
  friend bool operator==(const User&, const User&) = default;
};

/// A key of two columns that the caller gives.
struct Product {
  std::string company;
  std::string code;
  std::string text{};
  friend bool operator==(const Product&, const Product&) = default;
  static consteval auto orm() {
    return quark::model(quark::key(&Product::company, &Product::code),
                        quark::size(&Product::company, 40), quark::size(&Product::code, 40));
  }
};

/// Every constraint that a model can state.
struct Account {
  std::int64_t id{};
  std::string number{};
  std::optional<std::int64_t> owner_id{};
  int balance{};
  friend bool operator==(const Account&, const Account&) = default;
  static consteval auto orm() {
    return quark::model(quark::unique(&Account::number), quark::size(&Account::number, 40),
                        quark::references<&User::id>(&Account::owner_id),
                        quark::check("balance_not_negative", "balance >= 0"));
  }
};

}  // namespace under_test
