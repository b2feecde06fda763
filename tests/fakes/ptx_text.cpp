#include "tests/fakes/ptx_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace jitc::tests::fake {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.'; }

/// The text without comments.
std::string without_comments(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.substr(i, 2) == "/*") {
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 1;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Words (with their dots) and single signs.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
      words.push_back(text.substr(i, end - i));
    } else if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
      words.push_back(text.substr(i, 1));
    }
    i = end;
  }
  words.insert(words.end(), 4, ";");  // whoever looks ahead in a text that breaks off meets a sign
  return words;
}

uint32_t number_in(std::string_view word) {
  uint32_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

/// Bytes of ".f32", ".b8" …; nothing for words that are no type.
std::optional<uint32_t> type_size(std::string_view word) {
  if (word.size() < 3 || word[0] != '.' || std::string_view("busf").find(word[1]) == std::string_view::npos) return {};
  const uint32_t bits = number_in(word.substr(2));
  return bits >= 8 && bits <= 128 ? std::optional(bits / 8) : std::nullopt;
}

struct Variable {
  std::string name;
  uint32_t align_bytes = 1;
  uint32_t size_bytes = 0;
};

/// `.align 8 .b8 name[16]`: from `at` to the sign that ends it.
Variable read_variable(const std::vector<std::string_view>& words, size_t at) {
  Variable variable;
  uint32_t stated_align = 0;
  for (; at < words.size() && std::string_view(";,)=").find(words[at]) == std::string_view::npos; ++at) {
    if (words[at] == ".align" && variable.size_bytes == 0) stated_align = number_in(words[++at]);
    if (const auto size = type_size(words[at])) variable.size_bytes = variable.align_bytes = *size;
    if (words[at] == "[" && at + 1 < words.size()) variable.size_bytes *= number_in(words[++at]);
    if (words[at][0] != '.' && std::isdigit(static_cast<unsigned char>(words[at][0])) == 0 && is_word(words[at][0]))
      variable.name = words[at];
  }
  variable.align_bytes = std::max(variable.align_bytes, stated_align);
  return variable;
}

void add_param(PtxEntry& entry, const Variable& variable) {
  const uint32_t align = variable.align_bytes;
  const uint32_t offset = (entry.params_size_bytes + align - 1) / align * align;
  entry.params.push_back({offset, variable.size_bytes});
  entry.params_size_bytes = offset + variable.size_bytes;
}

/// The words from `at` to the one that closes the brace there.
size_t end_of_body(const std::vector<std::string_view>& words, size_t at) {
  int depth = 0;
  for (; at < words.size(); ++at) {
    if (words[at] == "{") ++depth;
    if (words[at] == "}" && --depth == 0) return at;
  }
  return at;
}

/// `.entry name (.param …, …) .maxntid x, y, z { … }`: `at` is the word after `.entry`, then the end of the body.
PtxEntry read_entry(const std::vector<std::string_view>& words, size_t& at, const std::vector<Variable>& shared) {
  PtxEntry entry;
  entry.name = words[at];
  for (; at < words.size() && words[at] != "{" && words[at] != ";"; ++at) {
    if (words[at] == ".param") add_param(entry, read_variable(words, at + 1));
    if (words[at] == ".maxntid") {
      entry.max_threads = 1;
      do entry.max_threads *= static_cast<int>(number_in(words[++at]));
      while (words[at + 1] == "," && ++at != 0);
    }
  }
  const size_t end = end_of_body(words, at);
  for (const Variable& variable : shared) {
    const auto first = words.begin() + static_cast<ptrdiff_t>(at), last = words.begin() + static_cast<ptrdiff_t>(end);
    if (std::find(first, last, variable.name) != last) entry.shared_bytes += variable.size_bytes;
  }
  at = end;
  return entry;
}

/// All .shared variables of the text, also those inside bodies; their names are unique.
std::vector<Variable> shared_variables(const std::vector<std::string_view>& words) {
  std::vector<Variable> shared;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == ".shared" && (i == 0 || words[i - 1] != ".extern")) shared.push_back(read_variable(words, i + 1));
  }
  return shared;
}

void read_version(std::string_view word, PtxText& ptx) {
  const size_t dot = word.find('.');
  const uint32_t minor = dot == std::string_view::npos ? 0 : number_in(word.substr(dot + 1));
  ptx.isa = static_cast<int>(10 * number_in(word) + minor);
}

}  // namespace

PtxText parse_ptx(std::string_view text, std::string& error) {
  PtxText ptx;
  const std::string plain = without_comments(text);
  const std::vector<std::string_view> words = words_of(plain);
  const std::vector<Variable> shared = shared_variables(words);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == ".version") read_version(words[i + 1], ptx);
    if (words[i] == ".target" && words[i + 1].starts_with("sm_"))
      ptx.target = static_cast<int>(number_in(words[i + 1].substr(3)));
    if (words[i] == ".global" || words[i] == ".const") {
      const Variable variable = read_variable(words, i + 1);
      ptx.globals.push_back({variable.name, variable.size_bytes});
    }
    if (words[i] == ".entry") ptx.entries.push_back(read_entry(words, ++i, shared));
  }
  if (ptx.isa == 0) error = "ptxas fatal   : Missing .version directive at start of file '<text>'";
  if (error.empty() && ptx.target == 0) error = "ptxas fatal   : Missing .target directive";
  return ptx;
}

}  // namespace jitc::tests::fake
