// Which libraries are taken for a driver, and what is said of the others.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/cuda/driver.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using namespace jitc::runtime::cuda;
using jitc::tests::FakeDriver;
using jitc::tests::FakeLasting;

namespace {

/// A file that holds no library, for its lifetime.
class TextFile {
 public:
  TextFile() : path_(std::filesystem::temp_directory_path() / "jitc_no_driver.txt") {
    std::ofstream(path_) << "text\n";
  }
  ~TextFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("the environment chooses the driver library") {
  unsetenv("JITC_CUDA_DRIVER");
  CHECK(Driver::default_path() == "libcuda.so.1");
  setenv("JITC_CUDA_DRIVER", "/opt/driver.so", 1);
  CHECK(Driver::default_path() == "/opt/driver.so");
  setenv("JITC_CUDA_DRIVER", "", 1);
  CHECK(Driver::default_path().empty());
  unsetenv("JITC_CUDA_DRIVER");
}

TEST_CASE("an empty path is refused") {
  CHECK_ERROR(Driver::load(""), ErrorCode::device,
              "the path of the CUDA driver is empty: set JITC_CUDA_DRIVER to a driver library, or unset it to use "
              "libcuda.so.1");
}

TEST_CASE("a relative path is refused") {
  CHECK_ERROR(Driver::load("build/libcuda.so"), ErrorCode::device,
              "the path 'build/libcuda.so' of the CUDA driver is relative: give a full path, or a file name alone for "
              "the system to search");
}

TEST_CASE("a path without a file is refused") {
  CHECK_ERROR(Driver::load("/nowhere/libcuda.so"), ErrorCode::device,
              "there is no CUDA driver at '/nowhere/libcuda.so': the file does not exist");
}

TEST_CASE("a directory is refused") {
  CHECK_ERROR(Driver::load("/tmp"), ErrorCode::device, "'/tmp' is a directory: name the CUDA driver library in it");
  CHECK_ERROR(Driver::load("/dev/null"), ErrorCode::device, "'/dev/null' is no file that could be a CUDA driver");
}

TEST_CASE("a file that is no library is refused with the loader's words") {
  const TextFile file;
  CHECK_ERROR(Driver::load(file.path()), ErrorCode::device,
              "the CUDA driver '" + file.path() + "' does not load: file too short");
}

TEST_CASE("a library that the system does not have means that there is no driver") {
  CHECK_ERROR(Driver::load("libcuda_of_nobody.so.1"), ErrorCode::device,
              "there is no CUDA driver: the system has no library 'libcuda_of_nobody.so.1'; install the NVIDIA driver, "
              "or set JITC_CUDA_DRIVER");
}

TEST_CASE("a library that is no driver is refused with the first function that it lacks") {
  CHECK_ERROR(
      Driver::load("libm.so.6"), ErrorCode::device,
      "'libm.so.6' is not a CUDA driver that jitc can use: it lacks cuInit; version 11.0 or newer of the NVIDIA "
      "driver has it");
}

TEST_CASE("a driver is loaded by its path, with its version") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  fake->pose({.driver_version = 12040});
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  CHECK(driver->path() == JITC_FAKE_CUDA);
  CHECK(driver->version() == 12040);
  CHECK(version_text(driver->version()) == "12.4");
}

TEST_CASE("a driver from before the oldest that jitc works with is refused") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  fake->pose({.driver_version = 10020});
  CHECK_ERROR(Driver::load(JITC_FAKE_CUDA), ErrorCode::device,
              "the CUDA driver '" JITC_FAKE_CUDA "' is too old: it has version 10.2, and jitc needs 11.0 or newer");
}

TEST_CASE("a driver without a device says so when it starts") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  fake->pose({.devices = {}});
  CHECK_ERROR(Driver::load(JITC_FAKE_CUDA), ErrorCode::device,
              "starting the CUDA driver '" JITC_FAKE_CUDA
              "': cuInit returned CUDA_ERROR_NO_DEVICE (100): no CUDA device is visible; no NVIDIA GPU is visible to "
              "this process: see nvidia-smi and CUDA_VISIBLE_DEVICES");
}

TEST_CASE("a driver that does not start is told with its code, and may start later") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  for (const char* function : {"cuDriverGetVersion", "cuInit"}) {
    fake->script({function, 1, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, FakeLasting::once, {}});
    CHECK_ERROR(Driver::load(JITC_FAKE_CUDA), ErrorCode::device,
                "starting the CUDA driver '" JITC_FAKE_CUDA "': " + std::string(function) +
                    " returned CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): library and kernel module differ; the NVIDIA "
                    "driver was updated while it was running: restart the machine");
    CHECK(Driver::load(JITC_FAKE_CUDA) != nullptr);
  }
}
