// The functions of the math library, and kernels that call them.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/codegen/kernels.hpp"

namespace jitc::codegen::tests {

struct MathRow {
  kernel::MathFn fn;
  const char* name;
  int arity;
};
inline constexpr MathRow kMathRows[] = {
#define JITC_MATH(id, name, arity) {kernel::MathFn::id, name, arity},
#include "src/math/math.def"
#undef JITC_MATH
};

/// out[i] = fn(a[i], …): second arguments have the type that the function takes.
inline kernel::KernelProgram call_of(const MathRow& row, DType type) {
  std::vector<DType> operands;
  for (int i = 0; i < row.arity; ++i) operands.push_back(argument_type(row.fn, static_cast<size_t>(i), type));
  return elementwise(std::string(row.name) + "_" + std::string(name(type)) + "_kernel", result_type(row.fn, type),
                     operands, [&](kernel::Builder& k, const auto& v) { return k.math(row.fn, v); });
}

}  // namespace jitc::codegen::tests
