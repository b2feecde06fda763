#include <fmt/format.h>

#include <cmath>

#include "jitc/float_bits.hpp"
#include "src/kernel/print.hpp"

namespace jitc::kernel {

namespace {

/// The shortest text that reads back as the value (of f2 and bf16: as the f4 it is); always seen to be a float. NaNs
/// other than the usual one show bits.
std::string float_text(DType dtype, uint64_t bits) {
  const double value = float_from_bits(dtype, bits);
  if (std::isnan(value)) return bits == float_to_bits(dtype, NAN) ? "nan" : fmt::format("nan({:#x})", bits);
  std::string text = dtype == DType::f8 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string signed_text(DType dtype, uint64_t bits) {
  const unsigned unused = 64 - size_bits(dtype);
  return fmt::format("{}", static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace

std::string print_const(DType dtype, uint64_t bits) {
  if (is_bool(dtype)) return bits != 0 ? "True" : "False";
  if (is_float(dtype)) {
    const std::string text = float_text(dtype, bits), type(jitc::name(dtype));
    if (dtype == DType::f8) return text;
    return text.find('n') == std::string::npos ? text + type : type + "(" + text + ")";  // inf, nan
  }
  const std::string text = is_signed_int(dtype) ? signed_text(dtype, bits) : fmt::format("{}", bits);
  return dtype == DType::i8 ? text : text + std::string(jitc::name(dtype));
}

}  // namespace jitc::kernel
