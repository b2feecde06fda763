// Characters that begin no token: what to say about each, with the ASCII character that was probably meant.
#include "src/source/utf8.hpp"
#include "src/source/visible.hpp"
#include "src/syntax/lexer.hpp"

namespace jitc::syntax {

using source::DiagId;

namespace {

struct Lookalike {
  char32_t seen;
  std::string_view meant;
};

/// Characters that word processors and web pages put in the place of ASCII ones.
constexpr Lookalike kLookalikes[] = {
    {0x00A0, " "},  {0x3000, " "},  {0x2003, " "},  {0x2009, " "},   {0x200B, ""},    {0xFEFF, ""},
    {0x2018, "'"},  {0x2019, "'"},  {0x201C, "\""}, {0x201D, "\""},  {0x2010, "-"},   {0x2011, "-"},
    {0x2013, "-"},  {0x2014, "-"},  {0x2212, "-"},  {0x00D7, "*"},   {0x22C5, "*"},   {0x00F7, "/"},
    {0x2264, "<="}, {0x2265, ">="}, {0x2260, "!="}, {0x2026, "..."}, {0xFF08, "("},   {0xFF09, ")"},
    {0xFF0C, ","},  {0xFF1A, ":"},  {0xFF1B, ";"},  {0xFF1D, "="},   {0x00B2, "**2"}, {0x00B3, "**3"},
};

const Lookalike* find_lookalike(char32_t c) {
  for (const Lookalike& row : kLookalikes) {
    if (row.seen == c) return &row;
  }
  return nullptr;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::string help_for(char32_t c) {
  if (const Lookalike* row = find_lookalike(c)) {
    if (row->meant.empty()) return "remove it: it is invisible";
    if (row->meant == " ") return "replace it by a plain blank";
    return fmt::format("did you mean '{}'?", row->meant);
  }
  if (c == '?') return "a choice is written 'a if condition else b'";
  return "";
}

}  // namespace

Token Lexer::read_unexpected() {
  const source::Decoded c = source::decode_utf8(text_, at_);
  const Token token = take(TokenKind::kInvalid, at_ + c.size_bytes);
  // The whole text was checked for NUL and ill-formed bytes before.
  if (!c.valid || c.code_point == 0) return token;
  if (c.code_point == '\\') {
    report(DiagId::kStrayBackslash, token.span);
    return token;
  }
  const DiagId id = is_control(c.code_point) ? DiagId::kControlCharacter : DiagId::kUnexpectedCharacter;
  auto handle = report(id, token.span, source::quoted_character(c.code_point));
  if (std::string help = help_for(c.code_point); !help.empty()) handle.help(std::move(help));
  if (const Lookalike* row = find_lookalike(c.code_point)) handle.fixit(token.span, std::string(row->meant));
  return token;
}

}  // namespace jitc::syntax
