#include "src/math/math_library.hpp"

#include <cstddef>

extern "C" {
[[gnu::visibility("hidden")]] extern const char jitc_math_bitcode_begin[];
[[gnu::visibility("hidden")]] extern const char jitc_math_bitcode_end[];
}

namespace jitc::math {

std::string_view bitcode() {
  return {jitc_math_bitcode_begin, static_cast<size_t>(jitc_math_bitcode_end - jitc_math_bitcode_begin)};
}

}  // namespace jitc::math
