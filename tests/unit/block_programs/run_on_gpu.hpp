// Block programs as PTX on a CUDA device.
#pragma once

#include <memory>

#include "runtime/cuda/driver.hpp"
#include "tests/unit/block_programs/run_block_program.hpp"

namespace jitc::blocks {

/// The first device of a driver library.
class Gpu {
 public:
  explicit Gpu(const std::string& driver_library);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Compiles for `sm`, which is the device's or older. What the driver refuses is the run's error.
  BlockRun run(const BlockProgram& program, int sm);

 private:
  void open();
  void close();

  std::shared_ptr<const runtime::cuda::Driver> driver_;
};

}  // namespace jitc::blocks
