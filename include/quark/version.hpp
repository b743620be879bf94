// The version of Quark, said once: CMake reads it from here, so the package, the libraries and
// the code that asks at compile time can't disagree. Included by whoever asks; includes nothing.
#pragma once

namespace quark {

/// Semantic version. While major is 0, a new minor version may change the interface.
inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

/// The same as text. CMake refuses to configure when the two differ.
inline constexpr char version_text[] = "0.1.0";

}  // namespace quark
