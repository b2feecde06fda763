#include "runtime/emulator/driver/ptx_versions.hpp"

namespace jitc::emulator::driver {
namespace {

struct Row {
  int driver_version;
  uint32_t ptx;
};

constexpr Row kRows[] = {
#define PTX_VERSION(driver_version, ptx) {driver_version, ptx},
#include "runtime/emulator/driver/ptx_versions.def"
#undef PTX_VERSION
};

}  // namespace

uint32_t newest_ptx(int driver_version) {
  uint32_t newest = 0;
  for (const Row& row : kRows) newest = driver_version >= row.driver_version ? row.ptx : newest;
  return newest;
}

}  // namespace jitc::emulator::driver
