#include "runtime/cuda/driver_error.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/cuda/driver.hpp"

namespace jitc::runtime::cuda {

namespace {

enum class Afterwards : uint8_t { usable, poisoned, gone };

struct CodeRow {
  CUresult code;
  ErrorCode kind;
  Afterwards afterwards;
  const char* name;
  const char* text;
};

constexpr CodeRow kCodes[] = {
#define JITC_CUDA_CODE(number, kind, afterwards, name, text) \
  {name, ErrorCode::kind, Afterwards::afterwards, #name, text},
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE
};

constexpr CodeRow kUnnamed = {CUDA_ERROR_UNKNOWN, ErrorCode::device, Afterwards::usable, "an unnamed code",
                              "the driver has no text for it"};

const CodeRow& row_of(CUresult code) {
  const auto* row =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](const CodeRow& r) { return r.code == code; });
  return row == std::end(kCodes) ? kUnnamed : *row;
}

/// What the driver's `function` (cuGetErrorName, cuGetErrorString) says of the code.
std::string ask(const DriverFunction<CUresult(CUresult, const char**)>& function, CUresult code, const char* fallback) {
  const char* answer = nullptr;
  const bool answered = function.available() && function(code, &answer) == CUDA_SUCCESS && answer != nullptr;
  return answered ? answer : fallback;
}

}  // namespace

ErrorCode error_code_of(CUresult code) { return row_of(code).kind; }

bool is_sticky(CUresult code) { return row_of(code).afterwards != Afterwards::usable; }

bool is_shutdown(CUresult code) { return row_of(code).afterwards == Afterwards::gone; }

DriverError make_driver_error(const AnyDriverFunction& function, CUresult code, std::string_view doing,
                              std::string_view context) {
  const Driver& driver = function.driver();
  const CodeRow& row = row_of(code);
  const std::string name = ask(driver.cuGetErrorName, code, row.name);
  std::string message = fmt::format("{}: {} returned {} ({}): {}", doing, function.name(), name, static_cast<int>(code),
                                    ask(driver.cuGetErrorString, code, row.text));
  if (!context.empty()) message += fmt::format("; {}", context);
  return DriverError(row.kind, message, function.name(), code, name);
}

}  // namespace jitc::runtime::cuda
