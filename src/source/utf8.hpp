// UTF-8 as the rest of the compiler needs it: decoding that never fails, encoding, counting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jitc::source {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr char32_t kReplacementCharacter = 0xFFFD;

/// One step of decoding. An ill-formed sequence is one byte long, not valid, and stands for U+FFFD.
struct Decoded {
  char32_t code_point;
  uint32_t size_bytes;
  bool valid;
};

/// Decodes the sequence that begins at `at`, which must be inside `text` (Unicode 15, table 3-7).
Decoded decode_utf8(std::string_view text, size_t at);
void append_utf8(std::string& out, char32_t code_point);

/// Counts the bytes that begin a character, so that ill-formed text has a column too.
size_t count_code_points(std::string_view text);

/// Offset of the first byte that is not well-formed UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text);

}  // namespace jitc::source
