// One call of a math function for each element of some arrays, by everything that can compute it.
#pragma once

#include <string>
#include <vector>

#include "src/kernel/ops.hpp"
#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/contract/kernel_call.hpp"

namespace jitc::math_bits {

using contract::Bytes;

/// A function of math.def for one type, with its arguments.
struct Calls {
  kernel::MathFn fn;
  std::string name;
  DType type;
  size_t count = 0;
  std::vector<Bytes> arguments;  ///< `count` elements each

  DType argument_type(size_t i) const { return kernel::argument_type(fn, i, type); }
  DType result_type() const { return kernel::result_type(fn, type); }
};

/// The function compiled for this processor, in its vectors, but for `features`: "-fma,-avx512f".
class CpuCode {
 public:
  explicit CpuCode(const Calls& calls, const std::string& features = {});
  /// Calls of the same function.
  Bytes run(const Calls& calls) const;

 private:
  codegen::tests::CpuProgram program_;
};
/// That code as text.
std::string assembly_on_cpu(const Calls& calls, const std::string& features);
/// The library compiled by itself for any x86-64, one element after the other; fma is libm's.
Bytes run_one_by_one(const Calls& calls);
/// The PTX, on the emulated GPU.
Bytes run_as_ptx(const Calls& calls, const codegen::EmitOptions& options = {});

}  // namespace jitc::math_bits
