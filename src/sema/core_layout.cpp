#include "src/sema/core_layout.hpp"

#include <algorithm>
#include <limits>

#include "src/sema/nearest.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using source::Span;

/// What arrays of signatures have.
constexpr size_t kMaxCoreRank = 3;

constexpr int64_t kMaxConstant = std::numeric_limits<int32_t>::max();

constexpr const char* kForm =
    "a layout is written like \"(m,n),(n,p)->(m,p)\": one pair of parentheses for each "
    "argument, an arrow, one for each result; () is a single element";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class LayoutParser {
 public:
  LayoutParser(std::string_view text, Span literal, std::optional<Span> inside, source::DiagnosticSink& sink)
      : text_(text), literal_(literal), inside_(inside), sink_(sink) {}

  std::optional<CoreLayout> run() {
    CoreLayout out;
    out.span = inside_.value_or(literal_);
    if (!shapes(out.inputs, "argument")) return std::nullopt;
    if (!arrow() || !shapes(out.outputs, "result")) return std::nullopt;
    if (skip_blanks(); at_ != text_.size()) return fault_here(text_.substr(at_, 2) == "->" ? "a second arrow" : "");
    return has_known_outputs(out) ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  // --- the text ---

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  /// The place of text_[from, to), or of the whole literal where that is not known.
  Span place(size_t from, size_t to) const {
    if (!inside_) return literal_;
    return {inside_->begin + static_cast<uint32_t>(from), inside_->begin + static_cast<uint32_t>(to)};
  }

  /// How much of the text a report about its next character shows: a whole character of UTF-8.
  size_t next_size() const {
    size_t size = at_ < text_.size() ? 1 : 0;
    while (size != 0 && at_ + size < text_.size() && (static_cast<unsigned char>(text_[at_ + size]) & 0xc0) == 0x80) {
      ++size;
    }
    return size;
  }

  std::string found() const {
    if (text_.substr(at_, 2) == "->") return "'->'";
    return at_ == text_.size() ? "the end" : fmt::format("'{}'", text_.substr(at_, next_size()));
  }

  std::nullopt_t fault(const std::string& why, size_t from, size_t to) {
    sink_.report(DiagId::kBadCoreLayout, place(from, to), why).help(kForm);
    return std::nullopt;
  }
  /// At the next character, or at the closing quote.
  std::nullopt_t fault_here(const std::string& why) {
    const size_t size = text_.substr(at_, 2) == "->" ? 2 : std::max<size_t>(next_size(), 1);
    return fault(why.empty() ? "unexpected " + found() : why, at_, at_ + size);
  }

  // --- the grammar ---

  /// shapes = shape { "," shape } [ "," ]
  bool shapes(std::vector<CoreShape>& out, const std::string& of) {
    if (next() != '(') {
      fault_here(fmt::format("expected '(' of the first {}, found {}", of, found()));
      return false;
    }
    do {
      if (next() != '(') return true;  // a trailing comma
      if (!shape(out.emplace_back())) return false;
    } while (take(','));
    return true;
  }

  /// shape = "(" [ dim { "," dim } [ "," ] ] ")"
  bool shape(CoreShape& out) {
    const size_t begin = at_;
    take('(');
    while (next() != ')') {
      if (!dim(out.dims.emplace_back())) return false;
      if (take(',')) continue;
      if (next() == ')') break;
      fault_here(fmt::format("expected ',' or ')', found {}", found()));
      return false;
    }
    take(')');
    out.span = place(begin, at_);
    if (out.dims.size() <= kMaxCoreRank) return true;
    sink_.report(DiagId::kRankTooHigh, out.span, out.dims.size(), kMaxCoreRank);
    return false;
  }

  /// dim = name | number
  bool dim(CoreDim& out) {
    skip_blanks();
    const size_t begin = at_;
    const bool is_number = is_digit(next());
    if (!is_number && !is_name_start(next())) {
      fault_here(fmt::format("expected the name of a dimension or its extent, found {}", found()));
      return false;
    }
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_start(text_[at_]))) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    out.span = place(begin, at_);
    if (next() == '?') {
      fault_here("dimensions that may be missing ('n?') are not supported");
      return false;
    }
    if (!is_number) {
      out.symbol = word;
      return true;
    }
    if (const auto extent = number(word)) out.extent = *extent;
    if (out.extent == 0)
      fault(fmt::format("an extent is a number from 1 to {}", kMaxConstant), begin, begin + word.size());
    return out.extent != 0;
  }

  static std::optional<int64_t> number(const std::string& word) {
    int64_t value = 0;
    for (const char c : word) {
      if (!is_digit(c)) return std::nullopt;
      value = value * 10 + (c - '0');
      if (value > kMaxConstant) return std::nullopt;
    }
    return value;
  }

  bool arrow() {
    skip_blanks();
    if (text_.substr(at_, 2) == "->") {
      at_ += 2;
      return true;
    }
    fault_here(at_ == text_.size() ? "there is no arrow, and no result"
                                   : fmt::format("expected '->', found {}", found()));
    return false;
  }

  // --- symbols ---

  /// The extents of outputs come from the inputs alone.
  bool has_known_outputs(const CoreLayout& layout) {
    std::vector<std::string_view> known;
    for (const CoreShape& shape : layout.inputs) {
      for (const CoreDim& dim : shape.dims) {
        if (!dim.symbol.empty()) known.push_back(dim.symbol);
      }
    }
    bool ok = true;
    for (const CoreShape& shape : layout.outputs) {
      for (const CoreDim& dim : shape.dims) {
        if (dim.symbol.empty() || std::ranges::find(known, dim.symbol) != known.end()) continue;
        auto report = sink_.report(DiagId::kUnknownCoreSymbol, dim.span, dim.symbol);
        const auto near = nearest_name(dim.symbol, known);
        report.help(near ? fmt::format("did you mean '{}'?", *near)
                         : "the extents of a result are those of arguments, or numbers: pass an argument of that size");
        ok = false;
      }
    }
    return ok;
  }

  std::string_view text_;
  Span literal_;
  std::optional<Span> inside_;
  source::DiagnosticSink& sink_;
  size_t at_ = 0;
};

}  // namespace

std::string to_string(const CoreShape& shape) {
  std::string out = "(";
  for (const CoreDim& dim : shape.dims) {
    out +=
        fmt::format("{}{}", out.size() == 1 ? "" : ",", dim.symbol.empty() ? std::to_string(dim.extent) : dim.symbol);
  }
  return out + ")";
}

std::string to_string(const CoreLayout& layout) {
  std::string out;
  for (const auto* shapes : {&layout.inputs, &layout.outputs}) {
    if (shapes == &layout.outputs) out += "->";
    for (size_t i = 0; i < shapes->size(); ++i) out += (i == 0 ? "" : ",") + to_string((*shapes)[i]);
  }
  return out;
}

std::optional<CoreLayout> parse_core_layout(std::string_view value, Span literal, std::optional<Span> inside,
                                            source::DiagnosticSink& sink) {
  return LayoutParser(value, literal, inside, sink).run();
}

}  // namespace jitc::sema
