// A CUDA driver without a GPU: the scripted one of tests/fakes, or the emulator. What tests that run on both need of
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests {

class AnyDriver {
 public:
  AnyDriver() = default;
  virtual ~AnyDriver() = default;
  AnyDriver(const AnyDriver&) = delete;
  AnyDriver& operator=(const AnyDriver&) = delete;

  virtual const char* library() const = 0;
  /// As after its load, with its calls counted from zero.
  virtual void reset() = 0;
  /// The nth call of the function from now on returns the code and does nothing else.
  virtual void fail(const std::string& symbol, uint64_t nth, int code) = 0;
  /// Calls since reset(), as long as nothing was to fail.
  virtual uint64_t count(const std::string& symbol) const = 0;
  /// Work of streams waits, as long as it may, until someone waits for it.
  virtual void hold() = 0;
  /// What kernels do where the driver executes none.
  virtual void set_kernel(const FakeKernel& kernel) = 0;
  /// Allocations of page-locked memory.
  virtual size_t pinned() const = 0;
  /// What has come into being since reset() and is still there, and what was done that no caller may do, in words;
  /// empty when all is well.
  virtual std::string leftovers() = 0;
};

/// Both are reset at both ends of their life; one of a library at a time.
std::unique_ptr<AnyDriver> make_fake_driver(const char* library);
std::unique_ptr<AnyDriver> make_emulator_driver();

/// Those that this build has: "fake", "old fake" (without pools), "emulator".
std::vector<std::string> driver_names();
std::unique_ptr<AnyDriver> make_driver(const std::string& name);

}  // namespace jitc::tests
