// The functions of one loaded driver, as members that know their own names.
#pragma once

#include <span>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::runtime::cuda {

class Driver;

/// One row of driver_functions.def.
struct DriverFunctionInfo {
  const char* name;    ///< "cuMemAlloc"
  const char* symbol;  ///< "cuMemAlloc_v2"
  int since;           ///< driver version that brought the symbol, 1000 * major + 10 * minor
  bool is_required;    ///< a library without it is refused
};

/// All rows, in the order of the list.
std::span<const DriverFunctionInfo> driver_functions();

/// What all functions of the table have in common.
class AnyDriverFunction {
 public:
  AnyDriverFunction() = default;
  AnyDriverFunction(const AnyDriverFunction&) = delete;
  AnyDriverFunction& operator=(const AnyDriverFunction&) = delete;

  /// As exported and as errors call it: "cuMemAlloc_v2".
  const char* name() const { return info_->symbol; }
  const DriverFunctionInfo& info() const { return *info_; }
  const Driver& driver() const { return *driver_; }
  bool available() const { return address_ != nullptr; }

 protected:
  ~AnyDriverFunction() = default;
  /// Throws Error(device): which function, which driver version has it, and which version this driver is.
  [[noreturn]] void throw_unavailable() const;

  void* address_ = nullptr;  // in the driver; null when the library lacks the symbol

 private:
  friend class Driver;

  const DriverFunctionInfo* info_ = nullptr;
  const Driver* driver_ = nullptr;
};

template <class Signature>
class DriverFunction;

template <class... Args>
class DriverFunction<CUresult(Args...)> : public AnyDriverFunction {
 public:
  /// Calls the driver and returns its code; throws only when the library lacks the function.
  CUresult operator()(Args... args) const {
    if (address_ == nullptr) [[unlikely]]
      throw_unavailable();
    return reinterpret_cast<CUresult (*)(Args...)>(address_)(args...);
  }
};

/// `table.cuMemAlloc(&data, size_bytes)`: a member for every row of the list.
struct DriverTable {
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) DriverFunction<CUresult params> name;
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
};

}  // namespace jitc::runtime::cuda
