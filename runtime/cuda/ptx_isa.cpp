#include "runtime/cuda/ptx_isa.hpp"

#include <fmt/format.h>

namespace jitc::runtime::cuda {

namespace {

struct Row {
  int driver_version;
  int ptx_isa;
};

constexpr Row kRows[] = {
#define JITC_CUDA_PTX_ISA(driver_version, ptx_isa) {driver_version, ptx_isa},
#include "runtime/cuda/ptx_isa.def"
#undef JITC_CUDA_PTX_ISA
};

}  // namespace

int newest_ptx_isa(int driver_version) {
  int newest = 0;
  for (const Row& row : kRows) {
    if (row.driver_version <= driver_version) newest = row.ptx_isa;
  }
  return newest;
}

int oldest_driver_for(int ptx_isa) {
  for (const Row& row : kRows) {
    if (row.ptx_isa >= ptx_isa) return row.driver_version;
  }
  return 0;
}

std::string ptx_isa_text(int ptx_isa) { return fmt::format("{}.{}", ptx_isa / 10, ptx_isa % 10); }

}  // namespace jitc::runtime::cuda
