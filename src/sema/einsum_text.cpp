#include "src/sema/einsum_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jitc::sema {

namespace {

constexpr std::string_view kEllipsis = "...";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The last `count` axes that ellipses stand for.
std::string hidden(size_t count) {
  std::string out;
  for (size_t k = count; k-- > 0;) out += static_cast<char>(-1 - static_cast<int>(k));  // no text writes these
  return out;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

class Parser {
 public:
  Parser(std::string_view text, const std::vector<int>& ranks, std::string& problem)
      : ranks_(ranks), problem_(problem) {
    for (const char c : text) {
      if (c != ' ' && c != '\t') text_ += c;
    }
  }

  std::optional<EinsumLabels> run() {
    const size_t arrow = text_.find("->");
    const std::vector<std::string> parts = split(std::string_view(text_).substr(0, arrow));
    if (parts.size() != ranks_.size()) {
      return fail(fmt::format("letters for {} operands, not for {}", ranks_.size(), parts.size()));
    }
    EinsumLabels out;
    for (size_t k = 0; k < parts.size(); ++k) {
      const auto labels = input(parts[k], ranks_[k], k);
      if (!labels) return std::nullopt;
      out.inputs.push_back(*labels);
    }
    const auto result = arrow == std::string::npos ? implicit(out) : output(text_.substr(arrow + 2), out);
    if (!result) return std::nullopt;
    out.output = *result;
    return out;
  }

 private:
  std::nullopt_t fail(std::string what) {
    problem_ = std::move(what);
    return std::nullopt;
  }

  /// The letters before and behind the ellipsis.
  bool cut(const std::string& part, std::string& before, std::string& behind, bool& has_ellipsis) {
    const size_t at = part.find(kEllipsis);
    has_ellipsis = at != std::string::npos;
    before = part.substr(0, at);
    behind = has_ellipsis ? part.substr(at + kEllipsis.size()) : "";
    for (const char c : before + behind) {
      if (is_letter(c)) continue;
      fail(fmt::format("letters, commas, '...' and '->', not '{}'", c));
      return false;
    }
    return true;
  }

  std::optional<std::string> input(const std::string& part, int rank, size_t index) {
    std::string before, behind;
    bool has_ellipsis = false;
    if (!cut(part, before, behind, has_ellipsis)) return std::nullopt;
    const int count = static_cast<int>(before.size() + behind.size());
    if (has_ellipsis ? count > rank : count != rank) {
      return fail(fmt::format("{} letters for operand {}, which has {} ax{}: '{}' has {}", rank, index, rank,
                              rank == 1 ? "is" : "es", part, count));
    }
    const size_t own = static_cast<size_t>(rank - count);
    most_hidden_ = std::max(most_hidden_, has_ellipsis ? own : 0);
    return before + hidden(has_ellipsis ? own : 0) + behind;
  }

  std::optional<std::string> implicit(const EinsumLabels& labels) {
    std::string all, once;
    for (const std::string& part : labels.inputs) all += part;
    for (const char c : all) {
      if (is_letter(c) && std::count(all.begin(), all.end(), c) == 1) once += c;
    }
    std::sort(once.begin(), once.end());
    return hidden(most_hidden_) + once;
  }

  std::optional<std::string> output(const std::string& part, const EinsumLabels& labels) {
    std::string before, behind;
    bool has_ellipsis = false;
    if (!cut(part, before, behind, has_ellipsis)) return std::nullopt;
    std::string all;
    for (const std::string& input : labels.inputs) all += input;
    const std::string own = before + behind;
    for (const char c : own) {
      if (all.find(c) == std::string::npos)
        return fail(fmt::format("letters of the operands in the result, not '{}'", c));
      if (std::count(own.begin(), own.end(), c) > 1)
        return fail(fmt::format("each letter once in the result, not '{}' twice", c));
    }
    if (!has_ellipsis && most_hidden_ != 0) return fail("'...' in the result, as the operands have it");
    return before + hidden(most_hidden_) + behind;
  }

  std::string text_;
  const std::vector<int>& ranks_;
  std::string& problem_;
  size_t most_hidden_ = 0;
};

}  // namespace

std::optional<EinsumLabels> parse_einsum(std::string_view text, const std::vector<int>& ranks, std::string& problem) {
  return Parser(text, ranks, problem).run();
}

}  // namespace jitc::sema
