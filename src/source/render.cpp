// Diagnostics as text for people. Sample:
//
//   case.dsl:3:12: error[JT0301]: name 'flor' is not defined
//     3 |     return flor(y)
//       |            ^^^^
//     help: did you mean 'floor'?
#include <algorithm>

#include "src/source/diagnostic.hpp"
#include "src/source/visible.hpp"

namespace jitc::source {

namespace {

/// A range within one line: 0-based first column and length, in code points, at least one character long.
struct Underline {
  size_t begin;
  size_t length;
  char mark;
  std::string_view text;

  size_t end() const { return begin + length; }
};

/// The part of a line that is shown; cut at either end when the line is long.
struct Window {
  size_t begin;
  size_t length;
};

constexpr size_t kMaxShownColumns = 120;
constexpr size_t kColumnsBeforeMark = 40;

uint32_t line_of(const SourceFile& file, Span span) { return file.position(span.begin).line; }

/// The part of `span` on its first line.
Underline underline(const SourceFile& file, Span span, char mark, std::string_view text) {
  const LineColumn start = file.position(span.begin);
  const std::string_view line = file.line(start.line);
  const size_t begin_byte =
      std::min<size_t>(span.begin - std::min(span.begin, file.line_start(start.line)), line.size());
  const size_t length_bytes = std::min<size_t>(span.end - span.begin, line.size() - begin_byte);
  return {start.column - 1, std::max<size_t>(1, count_code_points(line.substr(begin_byte, length_bytes))), mark, text};
}

Window choose_window(size_t line_columns, size_t mark) {
  if (line_columns <= kMaxShownColumns) return {0, line_columns};
  const size_t begin = std::min(mark - std::min(mark, kColumnsBeforeMark), line_columns - kMaxShownColumns);
  return {begin, kMaxShownColumns};
}

bool inside(const Underline& mark, const Window& window) {
  return mark.begin >= window.begin && mark.begin <= window.begin + window.length;
}

/// Writes the lines of one diagnostic behind a gutter wide enough for all their numbers.
class Snippet {
 public:
  Snippet(const SourceFile& file, size_t gutter_width) : file_(file), gutter_width_(gutter_width) {}

  /// Shows `line` with `marks` beneath. The first mark decides what is shown of a long line.
  void show(uint32_t line, std::vector<Underline> marks) {
    const std::string_view text = file_.line(line);
    window_ = choose_window(count_code_points(text), marks.front().begin);
    shown_ = visible_columns(text, window_.begin, window_.length);
    cut_left_ = window_.begin > 0;
    const bool cut_right = window_.begin + window_.length < count_code_points(text);
    const std::string row = fmt::format("{}{}{}", cut_left_ ? "…" : "", fmt::join(shown_, ""), cut_right ? "…" : "");
    out_ += fmt::format("  {:>{}} |{}{}\n", line, gutter_width_, row.empty() ? "" : " ", row);
    std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    write_mark_row(marks);
    for (size_t i = 0; i + 1 < marks.size(); ++i) write_text_row(marks[i]);
  }

  const std::string& text() const { return out_; }

 private:
  /// The text of the last mark stands beside it; those of the others get a row each.
  void write_mark_row(const std::vector<Underline>& marks) {
    std::string row;
    size_t column = window_.begin;
    for (const Underline& mark : marks) {
      pad(row, column, mark.begin);
      const size_t end = std::min(mark.end(), window_.begin + std::max<size_t>(window_.length, 1));
      row.append(std::max<size_t>(1, end - std::min(end, mark.begin)), mark.mark);
      column = std::max(mark.begin + 1, end);
    }
    write_row(row, marks.back().text);
  }

  void write_text_row(const Underline& mark) {
    if (mark.text.empty()) return;
    std::string row;
    pad(row, window_.begin, mark.begin);
    write_row(row + std::string(mark.text), "");
  }

  /// Appends blanks for the columns [from, to): tabs where the line has tabs, so that any tab width aligns.
  void pad(std::string& row, size_t from, size_t to) const {
    for (size_t i = from; i < to; ++i) {
      const size_t at = i - window_.begin;
      row.push_back(at < shown_.size() && shown_[at] == "\t" ? '\t' : ' ');
    }
  }

  void write_row(const std::string& row, std::string_view text) {
    out_ += fmt::format("  {:>{}} | {}{}{}{}\n", "", gutter_width_, cut_left_ ? " " : "", row, text.empty() ? "" : " ",
                        text);
  }

  const SourceFile& file_;
  size_t gutter_width_;
  Window window_{};
  std::vector<std::string> shown_;
  bool cut_left_ = false;
  std::string out_;
};

bool overlap(const Underline& a, const Underline& b) { return a.begin < b.end() && b.begin < a.end(); }

size_t gutter_width(const SourceFile& file, const Diagnostic& diagnostic) {
  uint32_t last = line_of(file, diagnostic.span);
  for (const Label& label : diagnostic.labels) last = std::max(last, line_of(file, label.span));
  return std::to_string(last).size();
}

/// The line of the fault with the labels that fit beside its carets, then the other labels, each with its line.
std::string render_snippet(const SourceFile& file, const Diagnostic& diagnostic) {
  Snippet snippet(file, gutter_width(file, diagnostic));
  const uint32_t line = line_of(file, diagnostic.span);
  std::vector<Underline> marks{underline(file, diagnostic.span, '^', "")};
  const Window window = choose_window(count_code_points(file.line(line)), marks.front().begin);
  std::vector<const Label*> apart;
  for (const Label& label : diagnostic.labels) {
    const Underline mark = underline(file, label.span, '-', label.text);
    const bool beside = line_of(file, label.span) == line && inside(mark, window) &&
                        std::none_of(marks.begin(), marks.end(), [&](const auto& m) { return overlap(m, mark); });
    if (beside) {
      marks.push_back(mark);
    } else {
      apart.push_back(&label);
    }
  }
  snippet.show(line, marks);
  for (const Label* label : apart) {
    snippet.show(line_of(file, label->span), {underline(file, label->span, '-', label->text)});
  }
  return snippet.text();
}

}  // namespace

std::string render(const SourceFile& file, const Diagnostic& diagnostic) {
  const LineColumn start = file.position(diagnostic.span.begin);
  const DiagInfo& row = info(diagnostic.id);
  std::string out = fmt::format("{}:{}:{}: {}[JT{:04}]: {}\n", visible(file.name()), start.line, start.column,
                                spelling(row.severity), row.code, visible(diagnostic.message));
  out += render_snippet(file, diagnostic);
  if (!diagnostic.help.empty()) out += fmt::format("  help: {}\n", visible(diagnostic.help));
  return out;
}

std::string render_all(const SourceFile& file, const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(file, diagnostic);
  return out;
}

}  // namespace jitc::source
