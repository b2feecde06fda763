// The kernels of folder kernels: one name, the same work as kernel text (.dsl), CUDA C++ (.cu) and OpenCL C (.cl).
#pragma once

#include <string>

namespace jitc::bench {

/// The text of "softmax.dsl", say. Throws std::runtime_error where there is no such file.
std::string kernel_text(const std::string& file_name);

}  // namespace jitc::bench
