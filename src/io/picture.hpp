// How an array is a picture: rows, columns and channels of whole samples, and which arrays are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/io/host_array.hpp"

namespace jitc::io {

/// Samples in rows from the top, pixels from the left, the channels of a pixel side by side: grey; red, green, blue; or
/// these and alpha. A sample is a byte, 0 or 1 where `bits` is 1, or two in this machine's byte order where it is 16.
struct Picture {
  uint32_t width = 0;   ///< pixels
  uint32_t height = 0;  ///< pixels
  int channels = 1;     ///< 1, 3 or 4
  int bits = 8;         ///< of a sample: 1, 8 or 16
  std::span<const std::byte> samples;

  size_t row_bytes() const { return size_t{width} * static_cast<size_t>(channels) * (bits == 16 ? 2 : 1); }
};

/// A Picture that may own its samples: floats are scaled into them.
struct ScaledPicture {
  Picture picture;
  std::vector<std::byte> scaled;
};

/// `array` as a picture: its axes are height, width and, of 3, the channels. b1 becomes 1 bit, u1 8, u2 16; a float x
/// becomes the 8 bits of rint(255 x), where below 0 and NaN are 0 and above 1 is 255. The picture refers to `array` and
/// to `scaled`. Throws InputError(argument) that begins with `name` and the array's type for every other array, for one
/// without elements, and for more than 2147483647 rows or columns.
ScaledPicture to_picture(const HostArray& array, const std::string& name);

}  // namespace jitc::io
