// What reduce(), accumulate() and at() have in common: functions of two values, and kernels of their own.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "src/engine/array_call.hpp"

namespace jitc::engine {

/// The signature with `dtype` for both values and the result, which is chosen or typed here. `method` is the name after
/// the point: "reduce". Throws Error(argument) that lists the signatures, CompileError.
size_t fold_signature(const FunctionState& function, DType dtype, std::string_view method);

/// "add.reduce"; of a reduction its title.
std::string method_title(const FunctionState& function, std::string_view method);

/// The type of an argument that must be an array. Throws Error(argument), which begins with `title`, for a scalar and
/// for an array that was never allocated.
DType array_dtype(const std::string& title, std::string_view name, const Argument& argument);
const std::vector<int64_t>& array_shape(const Argument& argument);

/// The scalar as a value of the type. Throws Error(argument) for an array, and for a value that the type lacks.
Scalar scalar_of(const std::string& title, std::string_view name, const Argument& argument, DType dtype);

/// An argument of a kernel as the launch passes it.
struct KernelArray {
  uintptr_t address = 0;
  std::vector<int64_t> extents, strides_bytes;
};
using KernelValue = std::variant<KernelArray, Scalar>;
/// What a slot of the parameter block holds of it.
uint64_t value_at(const KernelValue& value, const ParamSlot& slot);
/// Adds what one launch took to what those before it took.
void sum_up(LaunchReport& sum, const LaunchReport& one);

/// Kernels that run one after the other in the call's stream. The report is that of all together.
class FormLaunches {
 public:
  FormLaunches(const ArrayCall& call, LaunchReport& report);
  /// Compiles and loads what is not there yet. Throws Error, CompileError.
  void add(const kernel::CallForm& form, Dim3 grid, Dim3 block, std::span<const KernelValue> values);
  /// Gives them to the device, the events around them.
  void run(const LaunchEvents* events);

 private:
  struct One {
    const LoadedVariant* loaded;
    LaunchConfig config;
    std::vector<std::byte> params;
  };

  const ArrayCall& call_;
  LaunchReport& report_;
  std::vector<One> launches_;
};

}  // namespace jitc::engine
