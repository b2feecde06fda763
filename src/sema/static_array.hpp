// Arrays of constants at file level: np.array, np.zeros and their kind, computed when the text is compiled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/sema/file_scope.hpp"

namespace jitc::sema {

/// Constant memory of a kernel (CUDA C++ Programming Guide, "Technical Specifications").
constexpr size_t kConstantMemoryBytes = 65536;

struct ArrayArguments {
  std::vector<StaticValue> positional;  ///< without the dtype; lists are tuples
  std::vector<std::pair<std::string, StaticValue>> named;
  std::optional<DType> dtype;
};
/// The array, or what is wrong with the call.
struct ArrayResult {
  std::shared_ptr<const ConstantArray> array;
  std::string why, help;
};

/// How many arguments stand before a positional dtype.
size_t dtype_position(ArrayMaker maker);
ArrayResult make_array(ArrayMaker maker, ArrayArguments args);

/// The element type that NumPy gives a number of this type: Python's are i8, f8 and c16, and an int above i8 is u8.
DType natural_dtype(types::Scalar type, const Constant& constant);

/// A[i]: an element, or a part of the array; nothing when the index is no int inside it.
std::optional<StaticValue> array_item(const std::shared_ptr<const ConstantArray>& array, const StaticValue& index);
/// shape, size, ndim.
std::optional<StaticValue> array_attribute(const ConstantArray& array, const std::string& name);

}  // namespace jitc::sema
