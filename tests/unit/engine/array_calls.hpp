// Programs of array functions and arrays for them.
#pragma once

#include <string>
#include <vector>

#include "jitc/jitc.hpp"

namespace jitc {

inline Program compile_text(const std::string& text) { return compile(text, {}); }

inline Device device() { return Device::open("auto"); }

template <class T>
Array array_of(const std::vector<T>& values, std::vector<int64_t> shape) {
  const Array out = device().empty(std::move(shape), dtype_of<T>());
  out.copy_from_host(values.data(), values.size() * sizeof(T));
  return out;
}

/// -8, -7, … 8, and again from the beginning.
inline std::vector<float> counted(size_t n) {
  std::vector<float> out(n);
  for (size_t k = 0; k < n; ++k) out[k] = static_cast<float>(k % 17) - 8.0F;
  return out;
}

}  // namespace jitc
