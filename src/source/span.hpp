// A range of bytes in the one source text of a compile.
#pragma once

#include <algorithm>
#include <cstdint>

namespace jitc::source {

/// Half-open byte range [begin, end).
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  constexpr bool operator==(const Span&) const = default;
};

/// The smallest span that covers both.
constexpr Span cover(Span a, Span b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

}  // namespace jitc::source
