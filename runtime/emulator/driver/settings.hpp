// What the environment says of the machine that is pretended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/emulator/driver/calls.hpp"

namespace jitc::emulator::driver {

/// A row of JITC_EMU_FAIL: the nth call of the function, from 1, returns the code and does nothing.
struct FailRow {
  Call call;
  uint64_t nth = 1;
  CUresult code = CUDA_SUCCESS;
};

/// Of JITC_EMU_CHECK: names with commas between them.
struct Checks {
  bool init = false;
  bool race = false;

  bool any() const { return init || race; }
};

struct Settings {
  int driver_version = 13000;                 ///< JITC_EMU_DRIVER_VERSION
  int devices = 1;                            ///< JITC_EMU_DEVICES
  int sm = 80;                                ///< JITC_EMU_SM
  uint64_t memory_bytes = uint64_t{8} << 30;  ///< JITC_EMU_MEMORY, of each device
  int multiprocessors = 8;                    ///< JITC_EMU_MULTIPROCESSORS
  int host_threads = 0;                       ///< JITC_EMU_THREADS that run blocks; 0 for as many as the host has
  bool counts = false;                        ///< JITC_EMU_COUNTS=1 counts from the start
  bool prints_reports = true;                 ///< JITC_EMU_REPORT=0 turns the reports of faults on stderr off
  Checks checks;                              ///< JITC_EMU_CHECK: what is looked for while kernels run
  std::vector<FailRow> fails;                 ///< JITC_EMU_FAIL=function:nth:code;…
  std::string problem;                        ///< the first variable that cannot be read; cuInit fails then
};

Settings settings_of_environment();

/// The rows of such a text; nothing where it cannot be read.
std::optional<std::vector<FailRow>> read_fails(std::string_view text);

}  // namespace jitc::emulator::driver
