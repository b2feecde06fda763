#include "src/io/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jitc/float_bits.hpp"
#include "src/io/input_error.hpp"

namespace jitc::io {

namespace {

/// PNG, third edition, 11.2.1: width and height are 31-bit numbers.
constexpr int64_t kMaxExtent = 2147483647;

[[noreturn]] void fail(const HostArray& array, const std::string& name, const std::string& why,
                       const std::string& help) {
  throw InputError(ErrorCode::argument,
                   fmt::format("{}: {} is no picture: {}", name, type_text(array.dtype, array.shape), why), help);
}

void check_shape(const HostArray& array, const std::string& name) {
  const char* const shapes = "a picture is [height,width], or [height,width,3] and [height,width,4] in colour";
  if (array.rank() != 2 && array.rank() != 3) {
    fail(array, name, fmt::format("it has {} ax{}", array.rank(), array.rank() == 1 ? "is" : "es"), shapes);
  }
  if (array.rank() == 3 && array.shape[2] != 3 && array.shape[2] != 4) {
    fail(array, name, fmt::format("axis 2 has {} channel{}", array.shape[2], array.shape[2] == 1 ? "" : "s"), shapes);
  }
  if (array.shape[0] == 0 || array.shape[1] == 0) {
    fail(array, name, "it has no pixels", "write it to a .npy file, which may be empty");
  }
  if (array.shape[0] > kMaxExtent || array.shape[1] > kMaxExtent) {
    fail(array, name, fmt::format("a PNG has at most {} rows and columns", kMaxExtent), "write it to a .npy file");
  }
}

int bits_of(const HostArray& array, const std::string& name) {
  if (is_float(array.dtype) || array.dtype == DType::u1) return 8;
  if (array.dtype == DType::u2) return 16;
  if (array.dtype == DType::b1 && array.rank() == 2) return 1;
  if (array.dtype == DType::b1) fail(array, name, "b1 has no colours", "multiply it by 255 and convert it to u1");
  fail(array, name, fmt::format("{} has no range of brightness", jitc::name(array.dtype)),
       "convert it to u1 (0 to 255), to u2 (0 to 65535) or to floats from 0 to 1");
}

std::byte scaled_sample(double value) {
  const double clamped = value > 0 ? std::min(value, 1.0) : 0.0;  // NaN is 0
  return static_cast<std::byte>(std::nearbyint(255 * clamped));
}

}  // namespace

ScaledPicture to_picture(const HostArray& array, const std::string& name) {
  check_shape(array, name);
  ScaledPicture out;
  out.picture.bits = bits_of(array, name);
  out.picture.height = static_cast<uint32_t>(array.shape[0]);
  out.picture.width = static_cast<uint32_t>(array.shape[1]);
  out.picture.channels = array.rank() == 3 ? static_cast<int>(array.shape[2]) : 1;
  out.picture.samples = array.bytes;
  if (!is_float(array.dtype)) return out;
  out.scaled.resize(static_cast<size_t>(array.size()));
  for (int64_t i = 0; i < array.size(); ++i) {
    out.scaled[static_cast<size_t>(i)] = scaled_sample(float_from_bits(array.dtype, array.element(i).bits));
  }
  out.picture.samples = out.scaled;
  return out;
}

}  // namespace jitc::io
