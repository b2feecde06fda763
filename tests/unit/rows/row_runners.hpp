// Who can run a kernel over rows, and the buffers of its calls as values.
#pragma once

#include <cstring>
#include <vector>

#include "tests/unit/rows/rows_program.hpp"

namespace jitc::rows {

struct Runner {
  const char* name;
  Where where;
  bool gpu_plan;
};

inline const std::vector<Runner>& runners() {
  static const std::vector<Runner> all = {
      {"reference of the CPU's form", Where::reference, false},
      {"reference of the GPU's form", Where::reference, true},
      {"CPU", Where::cpu, false},
      {"CPU with the GPU's form", Where::cpu, true},
#ifdef JITC_CUDAEMU
      {"emulated GPU", Where::gpu, true},
#endif
  };
  return all;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

}  // namespace jitc::rows
