#include "src/syntax/misspelt.hpp"

#include <algorithm>

namespace jitc::syntax {

namespace {

constexpr std::string_view kStatementKeywords[] = {"if",     "elif",   "else",   "while", "for", "def",
                                                   "return", "import", "assert", "raise", "from"};
/// Words of other languages that are no slip but mean the same.
struct Synonym {
  std::string_view word, keyword;
};
constexpr Synonym kSynonyms[] = {{"elseif", "elif"}, {"func", "def"}, {"function", "def"}, {"fn", "def"}};

/// One letter more, less or other, or two neighbours exchanged (Damerau 1964).
bool is_one_slip(std::string_view a, std::string_view b) {
  const size_t same = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  a.remove_prefix(same), b.remove_prefix(same);
  const auto rest = [](std::string_view text, size_t from) { return text.substr(std::min(from, text.size())); };
  const bool exchanged = a.size() >= 2 && b.size() >= 2 && a[0] == b[1] && a[1] == b[0] && rest(a, 2) == rest(b, 2);
  return exchanged || rest(a, 1) == b || a == rest(b, 1) || rest(a, 1) == rest(b, 1);
}

}  // namespace

std::string_view nearest_statement_keyword(std::string_view word) {
  for (const Synonym& row : kSynonyms) {
    if (row.word == word) return row.keyword;
  }
  // Two-letter words are one slip from too many others.
  if (word.size() < 3) return "";
  for (std::string_view keyword : kStatementKeywords) {
    if (word != keyword && is_one_slip(word, keyword)) return keyword;
  }
  return "";
}

}  // namespace jitc::syntax
