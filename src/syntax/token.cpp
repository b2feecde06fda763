#include "src/syntax/token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "src/source/utf8.hpp"

namespace jitc::syntax {

namespace {

struct Spelled {
  TokenKind kind;
  std::string_view text;
};

constexpr Spelled kPunctuation[] = {
#define JITC_PUNCT(id, spelling) {TokenKind::id, spelling},
#include "src/syntax/token.def"
};

constexpr Spelled kKeywords[] = {
#define JITC_KEYWORD(id, spelling) {TokenKind::id, spelling},
#include "src/syntax/token.def"
};

constexpr std::string_view kUnspelledNames[] = {"End",  "Newline", "Indent", "Dedent",      "Invalid",
                                                "Name", "Number",  "String", "FormatString"};

/// Long names and numbers are cut: a message stays one line.
std::string shorten(std::string_view text) {
  constexpr size_t kMaxShown = 40;
  if (text.size() <= kMaxShown) return std::string(text);
  size_t end = kMaxShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::string_view spelling(TokenKind kind) {
  const auto row = static_cast<size_t>(kind);
  constexpr size_t kFirstPunct = std::size(kUnspelledNames);
  constexpr size_t kFirstKeyword = kFirstPunct + std::size(kPunctuation);
  if (row < kFirstPunct) return "";
  return row < kFirstKeyword ? kPunctuation[row - kFirstPunct].text : kKeywords[row - kFirstKeyword].text;
}

std::string kind_name(TokenKind kind) {
  const auto row = static_cast<size_t>(kind);
  if (row < std::size(kUnspelledNames)) return std::string(kUnspelledNames[row]);
  return fmt::format("'{}'", spelling(kind));
}

bool is_keyword(TokenKind kind) { return kind >= kKeywords[0].kind; }

std::optional<TokenKind> find_keyword(std::string_view word) {
  static const auto kByWord = [] {
    std::unordered_map<std::string_view, TokenKind> map;
    for (const Spelled& keyword : kKeywords) map.emplace(keyword.text, keyword.kind);
    return map;
  }();
  const auto found = kByWord.find(word);
  return found == kByWord.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TokenKind> find_punctuation(std::string_view text) {
  // By first character, the longest first.
  static const auto kByFirst = [] {
    std::array<std::vector<Spelled>, 128> rows;
    for (const Spelled& punct : kPunctuation) rows[static_cast<unsigned char>(punct.text[0])].push_back(punct);
    for (auto& row : rows) {
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
    }
    return rows;
  }();
  const auto first = static_cast<unsigned char>(text.empty() ? 0 : text[0]);
  if (first >= kByFirst.size()) return std::nullopt;
  for (const Spelled& punct : kByFirst[first]) {
    if (text.starts_with(punct.text)) return punct.kind;
  }
  return std::nullopt;
}

std::string describe(const source::SourceFile& file, const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd: return "the end of the text";
    case TokenKind::kNewline: return "the end of the line";
    case TokenKind::kIndent: return "an indentation";
    case TokenKind::kDedent: return "the end of the block";
    case TokenKind::kString:
    case TokenKind::kFormatString: return "a string";
    default: return fmt::format("'{}'", shorten(file.text(token.span)));
  }
}

}  // namespace jitc::syntax
