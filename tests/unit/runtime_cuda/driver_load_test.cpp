// Which libraries are taken for a driver, and what is said of the others.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/cuda/driver.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using runtime::cuda::Driver;

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
