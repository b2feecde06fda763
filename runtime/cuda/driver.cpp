#include "runtime/cuda/driver.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "runtime/common/error.hpp"
#include "runtime/cuda/driver_error.hpp"

namespace jitc::runtime::cuda {

namespace {

constexpr bool required = true, optional = false;  // the words of the list

constexpr DriverFunctionInfo kFunctions[] = {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) {#name, #symbol, since, need},
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
};

constexpr const char* kDefaultLibrary = "libcuda.so.1";

bool is_file_name(const std::string& path) { return path.find('/') == std::string::npos; }

/// Refuses what dlopen would search for in the wrong place, or report badly.
void check_path(const std::string& path) {
  if (path.empty()) {
    fail(ErrorCode::device,
         "the path of the CUDA driver is empty: set JITC_CUDA_DRIVER to a driver library, or unset it to use {}",
         kDefaultLibrary);
  }
  if (is_file_name(path)) return;
  if (path.front() != '/') {
    fail(
        ErrorCode::device,
        "the path '{}' of the CUDA driver is relative: give a full path, or a file name alone for the system to search",
        path);
  }
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    fail(ErrorCode::device, "there is no CUDA driver at '{}': the file does not exist", path);
  if (status.type() == std::filesystem::file_type::directory)
    fail(ErrorCode::device, "'{}' is a directory: name the CUDA driver library in it", path);
  if (status.type() != std::filesystem::file_type::regular && status.type() != std::filesystem::file_type::none)
    fail(ErrorCode::device, "'{}' is no file that could be a CUDA driver", path);
}

/// The loader's own words, without the path that they begin with.
std::string loader_text(const std::string& path) {
  const char* error = dlerror();
  std::string text = error == nullptr ? "unknown reason" : error;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

/// Local symbols: another driver in the process must not answer for this one. There is no dlclose for it.
void* open_library(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const std::string why = loader_text(path);
  if (is_file_name(path) && why.starts_with("cannot open shared object file: No such file")) {
    fail(ErrorCode::device,
         "there is no CUDA driver: the system has no library '{}'; install the NVIDIA driver, or set JITC_CUDA_DRIVER",
         path);
  }
  fail(ErrorCode::device, "the CUDA driver '{}' does not load: {}", path, why);
}

/// What the user can do about a driver that does not start; empty where its own text says enough.
const char* advice_for(CUresult code) {
  switch (code) {
    case CUDA_ERROR_STUB_LIBRARY:
      return "this library only serves to link programs: name the one that came with the NVIDIA driver";
    case CUDA_ERROR_NO_DEVICE:
      return "no NVIDIA GPU is visible to this process: see nvidia-smi and CUDA_VISIBLE_DEVICES";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "the NVIDIA driver was updated while it was running: restart the machine";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "a service of the NVIDIA driver, such as the fabric manager, is not running";
    case CUDA_ERROR_UNKNOWN: return "the driver's kernel module may not be loaded: see nvidia-smi";
    default: return "";
  }
}

}  // namespace

std::span<const DriverFunctionInfo> driver_functions() { return kFunctions; }

std::string version_text(int driver_version) {
  return fmt::format("{}.{}", driver_version / 1000, driver_version % 1000 / 10);
}

void AnyDriverFunction::throw_unavailable() const {
  fail(ErrorCode::device, "the CUDA driver '{}' has no {}: drivers have it since version {}, and this one is {}",
       driver_->path(), name(), version_text(info_->since), version_text(driver_->version()));
}

std::string Driver::default_path() {
  const char* chosen = std::getenv("JITC_CUDA_DRIVER");
  return chosen == nullptr ? kDefaultLibrary : chosen;
}

std::shared_ptr<const Driver> Driver::load(const std::string& path) {
  check_path(path);
  const std::shared_ptr<Driver> driver(new Driver(path));
  driver->bind_functions(open_library(path));
  driver->start();
  return driver;
}

void Driver::bind_functions(void* library) {
  const DriverFunctionInfo* row = kFunctions;
  const auto bind = [&](AnyDriverFunction& function) {
    function.info_ = row++;
    function.driver_ = this;
    function.address_ = dlsym(library, function.name());
  };
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) bind(name);
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
}

void Driver::require_functions() const {
  const auto require = [&](const AnyDriverFunction& function) {
    if (function.available() || !function.info().is_required) return;
    fail(ErrorCode::device,
         "'{}' is not a CUDA driver that jitc can use: it lacks {}; version {} or newer of the NVIDIA driver has it",
         path_, function.name(), version_text(kOldestDriverVersion));
  };
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) require(name);
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
}

/// The version comes first: of an old driver it says more than the first function that it lacks.
void Driver::start() {
  const auto require_success = [&](const AnyDriverFunction& function, CUresult code) {
    const std::string doing = fmt::format("starting the CUDA driver '{}'", path_);
    if (code != CUDA_SUCCESS) throw make_driver_error(function, code, doing, advice_for(code));
  };
  if (cuDriverGetVersion.available()) require_success(cuDriverGetVersion, cuDriverGetVersion(&version_));
  if (cuDriverGetVersion.available() && version_ < kOldestDriverVersion) {
    fail(ErrorCode::device, "the CUDA driver '{}' is too old: it has version {}, and jitc needs {} or newer", path_,
         version_text(version_), version_text(kOldestDriverVersion));
  }
  require_functions();
  require_success(cuInit, cuInit(0));
}

}  // namespace jitc::runtime::cuda
