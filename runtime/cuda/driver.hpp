// A CUDA driver library, loaded by path while the program runs.
#pragma once

#include <memory>
#include <string>

#include "runtime/cuda/driver_table.hpp"

namespace jitc::runtime::cuda {

/// The oldest driver that jitc works with: the first with today's primary contexts.
inline constexpr int kOldestDriverVersion = 11000;

/// "12.4" for 12040.
std::string version_text(int driver_version);

/// Immutable and safe from all threads. Several may live in one process, also of one library, which then share its
/// state. The library stays loaded for good: threads of the driver may still run in it when the last owner is gone.
class Driver : public DriverTable {
 public:
  /// Loads and initialises the library: a full path, or a bare file name that the system's loader searches. Throws
  /// Error(device) with a sentence that names the library, what is wrong and what to do; DriverError when the driver
  /// itself refuses to start.
  static std::shared_ptr<const Driver> load(const std::string& path);

  /// The environment's JITC_CUDA_DRIVER when it is set, even to nothing; else "libcuda.so.1".
  static std::string default_path();

  /// As given to load().
  const std::string& path() const { return path_; }
  /// The newest CUDA release that the driver serves, 1000 * major + 10 * minor.
  int version() const { return version_; }

 private:
  explicit Driver(const std::string& path) : path_(path) {}

  void bind_functions(void* library);
  void require_functions() const;
  void start();

  std::string path_;
  int version_ = 0;
};

}  // namespace jitc::runtime::cuda
