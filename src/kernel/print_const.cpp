#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "src/kernel/print.hpp"

namespace jitc::kernel {

namespace {

/// The shortest text that reads back as the value; always seen to be a float. NaNs other than the usual one show bits.
template <class Float, class Bits>
std::string float_text(Bits bits, Bits usual_nan) {
  const Float value = std::bit_cast<Float>(bits);
  if (std::isnan(value)) return bits == usual_nan ? "nan" : fmt::format("nan({:#x})", bits);
  std::string text = fmt::format("{}", value);
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
  if (dtype == DType::f8) return float_text<double>(bits, uint64_t{0x7ff8000000000000});
  if (dtype == DType::f4) {
    const std::string text = float_text<float>(static_cast<uint32_t>(bits), 0x7fc00000U);
    return text.find('n') == std::string::npos ? text + "f4" : "f4(" + text + ")";  // inf, nan
  }
  const std::string text = is_signed_int(dtype) ? signed_text(dtype, bits) : fmt::format("{}", bits);
  return dtype == DType::i8 ? text : text + std::string(jitc::name(dtype));
}

}  // namespace jitc::kernel
