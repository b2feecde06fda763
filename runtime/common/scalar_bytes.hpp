// A scalar as one element of an array.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "jitc/program.hpp"

namespace jitc::runtime {

/// The element's bytes; zero behind them.
inline std::array<std::byte, 16> scalar_bytes(const Scalar& scalar) {
  std::array<std::byte, 16> out{};
  const size_t part = size_bytes(part_type(scalar.dtype));
  std::memcpy(out.data(), &scalar.bits, part);
  if (is_complex(scalar.dtype)) std::memcpy(out.data() + part, &scalar.imag_bits, part);
  return out;
}

}  // namespace jitc::runtime
