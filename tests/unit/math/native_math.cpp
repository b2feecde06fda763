#include "tests/unit/math/native_math.hpp"

#include <stdexcept>
#include <string>

// A row that the bitcode lacks fails to link.
#define JITC_MATH(id, name, arity)        \
  void id##_f4() asm("jitc_" name "_f4"); \
  void id##_f8() asm("jitc_" name "_f8");
extern "C" {
#include "src/math/math.def"
}
#undef JITC_MATH

namespace jitc::math_test {

namespace {

const NativeFunction kFunctions[] = {
#define JITC_MATH(id, name, arity) {name, arity, id##_f4, id##_f8},
#include "src/math/math.def"
#undef JITC_MATH
};

}  // namespace

const NativeFunction& native(std::string_view name) {
  for (const NativeFunction& function : kFunctions) {
    if (function.name == name) return function;
  }
  throw std::out_of_range("no math function " + std::string(name));
}

}  // namespace jitc::math_test
