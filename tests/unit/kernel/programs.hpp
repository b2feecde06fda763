// Shorthands for building programs in tests.
#pragma once

#include <string>

#include "src/kernel/builder.hpp"

namespace jitc::kernel {

/// An array argument with all its parameters: data, then the extents, then the strides. Returns the first one's index.
inline uint32_t array_params(Builder& b, const std::string& name, DType dtype, int rank, Layout layout = Layout::any) {
  const uint32_t argument = b.array_argument(name, dtype, rank, layout);
  const uint32_t first = b.data_param(argument);
  for (int axis = 0; axis < rank; ++axis) b.extent_param(argument, static_cast<uint32_t>(axis));
  for (int axis = 0; axis < rank; ++axis) b.stride_param(argument, static_cast<uint32_t>(axis));
  return first;
}

/// A constant of the C++ type's own dtype.
template <class T>
ExprId value(Builder& b, T value) {
  return b.constant(dtype_of<T>(), value);
}

inline const auto kNothing = [] {};

}  // namespace jitc::kernel
