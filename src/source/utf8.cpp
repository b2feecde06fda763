#include "src/source/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace jitc::source {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Length that a first byte announces; 0 for a byte that begins nothing.
uint32_t announced_size(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

bool is_scalar_value(char32_t c, uint32_t size_bytes) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return c >= kSmallest[size_bytes] && c <= 0x10FFFF && !(c >= 0xD800 && c < 0xE000);
}

}  // namespace

Decoded decode_utf8(std::string_view text, size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const uint32_t size = announced_size(first);
  if (size == 1) return {first, 1, true};
  constexpr Decoded kIllFormed{kReplacementCharacter, 1, false};
  if (size == 0 || at + size > text.size()) return kIllFormed;
  char32_t code_point = first & (0x7Fu >> size);
  for (uint32_t i = 1; i < size; ++i) {
    if (!is_continuation(text[at + i])) return kIllFormed;
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  return is_scalar_value(code_point, size) ? Decoded{code_point, size, true} : kIllFormed;
}

void append_utf8(std::string& out, char32_t c) {
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | ((c >> shift) & 0x3F))); };
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (c >> 6)));
    tail(0);
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (c >> 12)));
    tail(6), tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (c >> 18)));
    tail(12), tail(6), tail(0);
  }
}

size_t count_code_points(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

size_t find_invalid_utf8(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (size_t i = 0; i < text.size();) {
    uint64_t eight = kHighBits;
    if (i + sizeof eight <= text.size()) std::memcpy(&eight, text.data() + i, sizeof eight);
    if ((eight & kHighBits) == 0) {
      i += sizeof eight;
      continue;
    }
    const Decoded decoded = decode_utf8(text, i);
    if (!decoded.valid) return i;
    i += decoded.size_bytes;
  }
  return std::string_view::npos;
}

}  // namespace jitc::source
