// Catching an error to look at what it says. Used where EXPECT_THROW alone would prove too little.
#pragma once

#include <quark/exec/error.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace under_test {

/// Runs `call`, which must throw an E, and gives that error; otherwise the test fails.
template <class E, class F>
quark::Error error_of(F&& call) {
  try {
    call();
  } catch (const quark::Error& error) {
    if constexpr (!std::is_same_v<E, quark::Error>) {
      if (dynamic_cast<const E*>(&error) == nullptr) {
        ADD_FAILURE() << "another class of error, of kind " << to_string(error.kind()) << ": "
                      << error.what();
      }
    }
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return quark::Error(quark::ErrorInfo{});
}

}  // namespace under_test
