#include "src/syntax/identifier.hpp"

#include <algorithm>
#include <iterator>

namespace jitc::syntax {

namespace {

struct Range {
  char32_t first, last;
};

constexpr Range kStart[] = {
#define JITC_ID_START(first, last) {first, last},
#include "src/syntax/unicode_identifiers.def"
};

constexpr Range kContinue[] = {
#define JITC_ID_CONTINUE(first, last) {first, last},
#include "src/syntax/unicode_identifiers.def"
};

template <size_t N>
bool contains(const Range (&ranges)[N], char32_t c) {
  const Range* after = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                        [](char32_t value, const Range& range) { return value < range.first; });
  return after != std::begin(ranges) && c <= std::prev(after)->last;
}

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_identifier_start(char32_t c) { return c < 0x80 ? is_ascii_letter(c) : contains(kStart, c); }

bool is_identifier_continue(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || (c >= '0' && c <= '9');
  return contains(kStart, c) || contains(kContinue, c);
}

}  // namespace jitc::syntax
