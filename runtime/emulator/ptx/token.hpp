// The words of a PTX text.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/emulator/ptx/load_error.hpp"

namespace jitc::emulator {

enum class TokenKind {
  end,
  identifier,   ///< add, %r1, $L__BB0_2, _Z3fooPi, _
  directive,    ///< .f32, .shared::cta, .L2::128B: the dot is part of the text
  integer,      ///< 12, 0x1F, 0b101, 017, with or without U
  real,         ///< 1.5e3 as the bits of an f64
  single_real,  ///< 0f3F800000 as the bits of an f32
  string,       ///< without its quotes
  punctuation,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Position at;
  uint64_t bits = 0;  ///< of a number
};

}  // namespace jitc::emulator
