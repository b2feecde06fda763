#include "src/io/png_header.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "src/io/input_error.hpp"

namespace jitc::io {

namespace {

using Colour = PngHeader::Colour;

uint32_t big_endian(std::span<const std::byte> file, size_t at) {
  uint32_t out = 0;
  for (size_t i = 0; i < 4; ++i) out = out << 8 | std::to_integer<uint32_t>(file[at + i]);
  return out;
}

/// The table of PNG, third edition, 11.2.1.
bool is_allowed(int colour, int bits) {
  switch (colour) {
    case int(Colour::grey): return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
    case int(Colour::palette): return bits == 1 || bits == 2 || bits == 4 || bits == 8;
    case int(Colour::rgb):
    case int(Colour::grey_alpha):
    case int(Colour::rgba): return bits == 8 || bits == 16;
    default: return false;
  }
}

int samples_of_pixel(Colour colour) {
  switch (colour) {
    case Colour::grey:
    case Colour::palette: return 1;
    case Colour::grey_alpha: return 2;
    case Colour::rgb: return 3;
    case Colour::rgba: return 4;
  }
  return 1;
}

}  // namespace

ArrayType PngHeader::array_type() const {
  ArrayType out{bits == 16 ? DType::u2 : DType::u1, {int64_t{height}, int64_t{width}}};
  if (colour == Colour::grey) {
    if (bits == 1) out.dtype = DType::b1;
    return out;
  }
  out.shape.push_back(colour == Colour::rgb || colour == Colour::palette ? 3 : 4);
  return out;
}

uint64_t PngHeader::packed_bytes() const {
  const uint64_t row_bits = uint64_t{width} * static_cast<unsigned>(samples_of_pixel(colour) * bits);
  uint64_t out = 0;
  return __builtin_mul_overflow(row_bits / 8, uint64_t{height}, &out) ? UINT64_MAX : out;
}

PngHeader parse_png_header(std::span<const std::byte> file, const std::string& name) {
  constexpr std::array<unsigned char, 16> kBegin = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                                    0,    0,   0,   13,  'I',  'H',  'D',  'R'};
  constexpr uint32_t kMaxExtent = 0x7fffffff;
  const auto fail = [&](const std::string& why, const char* help) {
    throw InputError(ErrorCode::io, fmt::format("{}: {}", name, why), help);
  };
  const size_t begin = std::min(file.size(), kBegin.size());
  if (begin == 0 || std::memcmp(file.data(), kBegin.data(), begin) != 0) {
    fail("it is no PNG file", "a PNG begins with the byte 0x89 and PNG");
  }
  if (file.size() < kPngHeaderBytes) fail("it is cut short, in its header", "write the file again");
  PngHeader out{big_endian(file, 16), big_endian(file, 20), std::to_integer<int>(file[24])};
  const int colour = std::to_integer<int>(file[25]);
  if (out.width == 0 || out.height == 0 || out.width > kMaxExtent || out.height > kMaxExtent) {
    fail(fmt::format("its header says {} × {} pixels", out.width, out.height), "write the file again");
  }
  if (!is_allowed(colour, out.bits)) {
    fail(fmt::format("its header says colour type {} with {} bits, which PNG does not have", colour, out.bits),
         "write the file again");
  }
  out.colour = static_cast<Colour>(colour);
  return out;
}

}  // namespace jitc::io
