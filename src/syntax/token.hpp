// The words of the language: what the lexer hands to the parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/source/source_file.hpp"
#include "src/source/span.hpp"

namespace jitc::syntax {

enum class TokenKind : uint8_t {
  kEnd,
  kNewline,  ///< the end of a logical line
  kIndent,
  kDedent,
  kInvalid,  ///< already reported: the parser drops the statement without a word
  kName,
  kNumber,
  kString,
  kFormatString,
#define JITC_PUNCT(id, spelling) id,
#include "src/syntax/token.def"
#define JITC_KEYWORD(id, spelling) id,
#include "src/syntax/token.def"
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  source::Span span;
};

/// The kind's name in dumps: "Newline", "Name", "'<='", "'while'".
std::string kind_name(TokenKind kind);
/// As written for punctuation and keywords, else empty.
std::string_view spelling(TokenKind kind);

bool is_keyword(TokenKind kind);
std::optional<TokenKind> find_keyword(std::string_view word);
/// The longest punctuation that `text` begins with.
std::optional<TokenKind> find_punctuation(std::string_view text);

/// The token in the words of an error: "'x'", "a string", "the end of the line".
std::string describe(const source::SourceFile& file, const Token& token);

}  // namespace jitc::syntax
