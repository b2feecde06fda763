#include "tests/random_arrays/memory.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "tests/random_arrays/chance.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::random_arrays {

namespace {

/// Small numbers of few bits mostly, so that equal ones meet; `wild` arrays have the others more often.
double real_number(Chance& chance, bool wild) {
  if (chance.likely(wild ? 0.1 : 0.002)) {
    const double inf = std::numeric_limits<double>::infinity();
    return chance.one_of(
        {0.0, -0.0, inf, -inf, std::numeric_limits<double>::quiet_NaN(), 1e-310, 1e-40, 6e-8, 3e38, 65504.0, 1e300});
  }
  const double quarter = static_cast<double>(chance.between(-24, 24)) / 4;
  return chance.likely(0.5) ? quarter : quarter + static_cast<double>(chance.below(1000)) / 1000;
}

uint64_t element(Chance& chance, DType dtype, bool wild) {
  if (is_bool(dtype)) return chance.below(2U);
  if (is_float(dtype)) {
    const double value = real_number(chance, wild);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return reference::convert(DType::f8, dtype, bits);
  }
  if (wild && chance.likely(0.1)) return chance.bits();
  return static_cast<uint64_t>(chance.between(is_signed_int(dtype) ? -9 : 0, 12));
}

}  // namespace

Memory memory_of(const Parameter& p) {
  const auto part = static_cast<int64_t>(size_bytes(part_type(p.dtype))),
             size = static_cast<int64_t>(size_bytes(p.dtype));
  Memory out;
  out.strides_bytes.assign(p.shape.size(), 0);
  int64_t step = size, last = 0;
  for (size_t k = p.order.size(); k-- > 0;) {
    const uint32_t axis = p.order[k];
    out.strides_bytes[axis] = step * p.steps[axis];
    const int64_t reach = out.strides_bytes[axis] * std::max<int64_t>(p.shape[axis] - 1, 0);
    if (reach < 0) out.offset_bytes -= reach;
    last += std::abs(reach);
    if (p.steps[axis] != 0) step *= std::max<int64_t>(p.shape[axis], 1) * std::abs(p.steps[axis]);
  }
  Chance chance(p.seed);
  const bool wild = chance.likely(0.3);
  out.bytes.resize(static_cast<size_t>(last + size));
  for (size_t at = 0; at < out.bytes.size(); at += static_cast<size_t>(part)) {
    const uint64_t bits = element(chance, part_type(p.dtype), wild);
    std::memcpy(out.bytes.data() + at, &bits, static_cast<size_t>(part));
  }
  return out;
}

}  // namespace jitc::random_arrays
