// The table of numba.cuda.libdevice: C functions with exact types.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <jitc/dtype.hpp>
#include "src/sema/builtins.hpp"

namespace jitc::sema {

/// What a call becomes; see libdevice.def.
enum class Served : uint8_t { kMath, kUnary, kBinary, kFma, kConvert, kPair };

struct LibdeviceFunction {
  std::string_view name;
  std::array<DType, 2> results;  ///< of the function that serves it: may be unsigned
  size_t result_count;
  std::array<DType, 3> params;  ///< the same
  size_t param_count;
  Served served;
  int function, second;

  template <class T>
  T as() const {
    return static_cast<T>(function);
  }
};

const std::vector<LibdeviceFunction>& libdevice_functions();
/// The row of `name` as a built-in of Rule::kLibdevice, whose detail is the function's number; nothing without one.
const Builtin* find_libdevice_builtin(std::string_view name);
const LibdeviceFunction& libdevice_function(const Builtin& builtin);
/// As a program sees a type of the table: Numba declares no unsigned ones.
DType declared_type(DType dtype);

}  // namespace jitc::sema
