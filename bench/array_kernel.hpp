// Kernels of array functions as a call with large arrays in C order has them compiled for a GPU.
#pragma once

#include <string>

namespace jitc::bench {

/// PTX, and the name of its entry.
struct ArrayKernel {
  std::string ptx, symbol;
};

/// Of the only function of `text`, in the form for "map_axpb", "row_softmax", "full_sum" or "product". Throws
/// std::runtime_error for other names and for a text with errors.
ArrayKernel compile_array_kernel(const std::string& name, const std::string& text, const std::string& target);

}  // namespace jitc::bench
