#include "bench/kernel_text.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace jitc::bench {

std::string kernel_text(const std::string& file_name) {
  std::ifstream file(std::string(JITC_BENCH_KERNELS) + "/" + file_name);
  if (!file) throw std::runtime_error("cannot read the kernel " + file_name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace jitc::bench
