// The first chunk of a PNG file, IHDR: how large the picture is, and what its samples are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/io/npy.hpp"

namespace jitc::io {

/// The signature and the chunk IHDR with its length, name and checksum.
constexpr size_t kPngHeaderBytes = 33;

/// The values of PNG, third edition, 11.2.1.
struct PngHeader {
  uint32_t width = 0, height = 0;  ///< 1 to 2^31-1
  int bits = 0;                    ///< of a sample, or of an index into the palette
  enum class Colour : uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgba = 6 } colour = Colour::grey;

  /// The array that read_png() makes of it.
  ArrayType array_type() const;
  /// Of the samples, before they are compressed, without the byte that begins each row; at most UINT64_MAX.
  uint64_t packed_bytes() const;
};

/// Throws InputError(io), which begins with `name`, for what is no PNG, has no size, or samples that PNG does not have.
/// Does not look at the checksum.
PngHeader parse_png_header(std::span<const std::byte> file, const std::string& name);

}  // namespace jitc::io
