#include "src/source/visible.hpp"

#include <fmt/format.h>

namespace jitc::source {

namespace {

/// Characters that change the direction of what follows: a line shown with them reads differently than it compiles.
bool is_bidi_control(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

char32_t visible_form(char32_t c) {
  constexpr char32_t kControlPictures = 0x2400;
  constexpr char32_t kDeletePicture = 0x2421;
  if (c == '\t') return c;
  if (c < 0x20) return kControlPictures + c;
  if (c == 0x7F) return kDeletePicture;
  if (is_control(c) || is_bidi_control(c) || c == 0x2028 || c == 0x2029) return kReplacementCharacter;
  return c;
}

/// Offset of the code point number `count` after `at`.
size_t skip_code_points(std::string_view text, size_t at, size_t count) {
  for (; count > 0 && at < text.size(); --count) {
    do { ++at; } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return at;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    append_utf8(out, visible_form(decoded.code_point));
    at += decoded.size_bytes;
  }
  return out;
}

std::vector<std::string> visible_columns(std::string_view line, size_t first, size_t count) {
  std::vector<std::string> out;
  size_t at = skip_code_points(line, 0, first);
  for (; out.size() < count && at < line.size();) {
    const size_t next = skip_code_points(line, at, 1);
    const Decoded decoded = decode_utf8(line.substr(at, next - at), 0);
    append_utf8(out.emplace_back(), visible_form(decoded.code_point));
    at = next;
  }
  return out;
}

std::string quoted_character(char32_t c) {
  if (is_control(c) || is_bidi_control(c) || c == 0x00A0 || (c >= 0x2000 && c <= 0x200F) || c == 0x3000 ||
      c == 0xFEFF) {
    return fmt::format("U+{:04X}", static_cast<uint32_t>(c));
  }
  std::string text = "'";
  append_utf8(text, c);
  text += "'";
  // Many characters look like an ASCII one: the number tells them apart.
  return c < 0x80 ? text : fmt::format("{} (U+{:04X})", text, static_cast<uint32_t>(c));
}

}  // namespace jitc::source
