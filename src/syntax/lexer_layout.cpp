// Line ends, blanks, indentation, and what to do when a bracket is never closed.
#include <algorithm>

#include "src/syntax/lexer.hpp"
#include "src/syntax/scan.hpp"

namespace jitc::syntax {

using source::DiagId;

/// Skips blanks, comments and joined lines; true when it skipped something.
bool Lexer::skip_blanks() {
  const size_t begin = at_;
  while (peek() == ' ' || peek() == '\t' || peek() == '\f') ++at_;
  if (peek() == '#') skip_comment();
  if (peek() == '\\') skip_joined_line();
  return at_ > begin;
}

void Lexer::skip_comment() { at_ = std::min(end_, text_.find_first_of("\r\n", at_)); }

void Lexer::skip_line_end() { at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1; }

/// A backslash before a line end joins the lines; any other, and one before the end of the text, is left for
/// read_token() to refuse.
bool Lexer::skip_joined_line() {
  const size_t line_end_size = peek(1) == '\r' && peek(2) == '\n' ? 2 : 1;
  const bool joins = (peek(1) == '\n' || peek(1) == '\r') && at_ + 1 + line_end_size < end_;
  if (joins) at_ += 1 + line_end_size;
  return joins;
}

/// At the start of a line: Indent, Dedent or nothing. Lines without a token do not count.
std::optional<Token> Lexer::read_line_start() {
  line_indent_begin_ = at_;
  const Indentation indentation = measure_indentation();
  if (peek() == '#') skip_comment();
  if (at_end()) {
    at_line_start_ = false;
    return std::nullopt;
  }
  if (at_line_end()) {
    skip_line_end();
    return std::nullopt;
  }
  at_line_start_ = false;
  first_on_line_ = true;
  const Token token = enter_line(indentation);
  if (token.kind == TokenKind::kEnd) return std::nullopt;
  return token;
}

/// A joined line adds its blanks, unless there were some before the backslash.
Lexer::Indentation Lexer::measure_indentation() {
  Indentation width;
  std::optional<Indentation> before_joined_line;
  for (; !at_end(); ++at_) {
    while (peek() == '\\' && skip_joined_line()) {
      if (!before_joined_line && width.columns > 0) before_joined_line = width;
    }
    if (peek() == ' ') {
      ++width.columns, ++width.columns_tab1;
    } else if (peek() == '\t') {
      width.columns = (width.columns / 8 + 1) * 8, ++width.columns_tab1;
    } else if (peek() == '\f') {
      width = {};
    } else {
      break;
    }
  }
  return before_joined_line.value_or(width);
}

/// Compares a line's indentation with the open blocks: Indent, pending Dedents, or kEnd for neither.
Token Lexer::enter_line(Indentation indentation) {
  Indentation& open = indents_.back();
  if (indentation.columns < open.columns) {
    leave_blocks(indentation);
    return {TokenKind::kEnd, {}};
  }
  const bool deeper = indentation.columns > open.columns;
  const bool agrees =
      deeper ? indentation.columns_tab1 > open.columns_tab1 : indentation.columns_tab1 == open.columns_tab1;
  if (!agrees) {
    report(DiagId::kTabsAndSpaces, span_from(line_indent_begin_)).help("indent the whole file with spaces");
    open.columns_tab1 = deeper ? open.columns_tab1 : indentation.columns_tab1;
  }
  if (!deeper) return {TokenKind::kEnd, {}};
  indents_.push_back(indentation);
  return {TokenKind::kIndent, span_from(line_indent_begin_)};
}

void Lexer::leave_blocks(Indentation indentation) {
  const auto outer = [&] { return indents_[indents_.size() - 2]; };
  while (indents_.back().columns > indentation.columns && outer().columns >= indentation.columns) {
    indents_.pop_back();
    ++pending_dedents_;
  }
  if (indents_.back().columns > indentation.columns) {
    // Between two blocks: the line counts as part of the inner one, which takes its indentation, so that the lines
    // that follow are judged against it.
    report(DiagId::kUnindentMismatch, span_from(line_indent_begin_))
        .help(fmt::format("the blocks around it begin at columns {} and {}", outer().columns + 1,
                          indents_.back().columns + 1));
    indents_.back() = indentation;
  } else if (indents_.back().columns_tab1 != indentation.columns_tab1) {
    report(DiagId::kTabsAndSpaces, span_from(line_indent_begin_)).help("indent the whole file with spaces");
    indents_.back() = indentation;
  }
}

/// At the end of the text: an open bracket, the last Newline, the open blocks, End.
Token Lexer::read_end() {
  if (inside_brackets()) return abandon_brackets();
  if (layout_ == Layout::kLines && std::exchange(newline_due_, false)) return {TokenKind::kNewline, span_from(at_)};
  if (indents_.size() > 1) {
    indents_.pop_back();
    return {TokenKind::kDedent, span_from(at_)};
  }
  return {TokenKind::kEnd, span_from(at_)};
}

/// True when the word at `at` begins a statement and can never stand first on a line inside brackets.
bool Lexer::begins_statement(size_t at) const {
  const auto keyword = find_keyword(text_.substr(at, scan_name(text_, at) - at));
  if (!keyword || layout_ == Layout::kNone) return false;
  switch (*keyword) {
    case TokenKind::kAssert:
    case TokenKind::kBreak:
    case TokenKind::kClass:
    case TokenKind::kContinue:
    case TokenKind::kDef:
    case TokenKind::kDel:
    case TokenKind::kElif:
    case TokenKind::kGlobal:
    case TokenKind::kImport:
    case TokenKind::kNonlocal:
    case TokenKind::kPass:
    case TokenKind::kRaise:
    case TokenKind::kReturn:
    case TokenKind::kTry:
    case TokenKind::kWhile:
    case TokenKind::kWith: return true;
    default: return false;
  }
}

/// The innermost bracket is never closed. Says so and goes on where the next statement seems to begin.
Token Lexer::abandon_brackets() {
  const Bracket open = brackets_.back();
  brackets_.clear();
  unclosed_reported_ = true;
  report(DiagId::kUnclosedBracket, {open.at, open.at + 1}, spelling(open.kind));
  const Token token{TokenKind::kInvalid, span_from(at_)};
  if (layout_ == Layout::kLines) at_ = find_resumption(open);
  return token;
}

/// The line end before the first line below `open` that is not indented deeper than the broken statement or begins
/// with a statement's keyword; at most up to here.
size_t Lexer::find_resumption(const Bracket& open) const {
  constexpr size_t kMaxBytesReadAgain = size_t{64} << 10;
  if (at_ - open.at > kMaxBytesReadAgain) return at_;
  size_t line_end = std::min(at_, text_.find_first_of("\r\n", open.at));
  while (line_end < at_) {
    const size_t line = line_end + (text_.substr(line_end).starts_with("\r\n") ? 2 : 1);
    const size_t word = std::min(at_, text_.find_first_not_of(" \t\f", line));
    const bool blank = word >= at_ || text_[word] == '#' || text_[word] == '\n' || text_[word] == '\r';
    const bool not_deeper = word - line <= indents_.back().columns_tab1;
    if (!blank && (not_deeper || begins_statement(word))) return line_end;
    if (word >= at_) break;
    line_end = std::min(at_, text_.find_first_of("\r\n", word));
  }
  return line_end;
}

}  // namespace jitc::syntax
