#include "src/syntax/lexer.hpp"

#include <algorithm>

#include "src/source/utf8.hpp"
#include "src/source/visible.hpp"
#include "src/syntax/scan.hpp"

namespace jitc::syntax {

using source::DiagId;

namespace {

struct Foreign {
  std::string_view text;
  TokenKind meant;
  std::string_view python;
};

constexpr Foreign kForeign[] = {
#define JITC_FOREIGN(text, meant, python) {text, TokenKind::meant, python},
#include "src/syntax/foreign_operators.def"
#undef JITC_FOREIGN
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The bracket that `opening` needs.
TokenKind closing_of(TokenKind opening) {
  if (opening == TokenKind::kLParen) return TokenKind::kRParen;
  return opening == TokenKind::kLBracket ? TokenKind::kRBracket : TokenKind::kRBrace;
}

bool is_opening(TokenKind kind) {
  return kind == TokenKind::kLParen || kind == TokenKind::kLBracket || kind == TokenKind::kLBrace;
}

bool is_closing(TokenKind kind) {
  return kind == TokenKind::kRParen || kind == TokenKind::kRBracket || kind == TokenKind::kRBrace;
}

}  // namespace

Lexer::Lexer(const source::SourceFile& file, source::Span range, Layout layout, source::DiagnosticSink* sink)
    : file_(file), text_(file.text()), at_(range.begin), end_(range.end), layout_(layout), sink_(sink) {
  text_ = text_.substr(0, end_);
  at_line_start_ = layout == Layout::kLines;
  if (at_ == 0 && text_.starts_with(source::kByteOrderMark)) at_ = source::kByteOrderMark.size();
}

Token Lexer::next() {
  while (true) {
    if (pending_dedents_ > 0) {
      --pending_dedents_;
      return {TokenKind::kDedent, span_from(at_)};
    }
    if (at_line_start_) {
      if (const auto token = read_line_start()) return *token;
      continue;
    }
    if (skip_blanks()) continue;
    if (at_end()) return read_end();
    if (at_line_end()) {
      const Token newline{TokenKind::kNewline, span_from(at_)};
      skip_line_end();
      first_on_line_ = true;
      if (layout_ == Layout::kNone || inside_brackets()) continue;
      at_line_start_ = true;
      newline_due_ = false;
      return newline;
    }
    if (first_on_line_ && inside_brackets() && begins_statement(at_)) return abandon_brackets();
    first_on_line_ = false;
    newline_due_ = true;
    return read_token();
  }
}

void Lexer::stop() {
  at_ = end_;
  brackets_.clear();
}

Token Lexer::take(TokenKind kind, size_t end) {
  const size_t begin = std::exchange(at_, end);
  return {kind, span_from(begin)};
}

Token Lexer::read_token() {
  const StringOpening opening = scan_string_opening(text_, at_);
  if (opening.quote_size > 0) return read_string(opening);
  if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1))))
    return take(TokenKind::kNumber, scan_number(text_, at_));
  if (const size_t end = scan_name(text_, at_); end > at_) {
    const auto keyword = find_keyword(text_.substr(at_, end - at_));
    return take(keyword.value_or(TokenKind::kName), end);
  }
  if (const auto foreign = read_foreign_operator()) return *foreign;
  return read_punctuation();
}

Token Lexer::read_string(const StringOpening& opening) {
  const StringExtent extent = scan_string(text_, at_, opening);
  const auto begin = static_cast<uint32_t>(at_);
  if (extent.closed) return take(opening.format ? TokenKind::kFormatString : TokenKind::kString, extent.end);
  auto handle = report(DiagId::kUnterminatedString, {begin, begin + opening.size()});
  if (opening.quote_size == 3) {
    handle.help("close it with the same three quotes");
  } else {
    handle.help("close it on the same line, or begin it with three quotes to go on over lines");
  }
  // The closing brackets of this line are most likely inside the string.
  const uint32_t line_start = file_.line_start(file_.position(begin).line);
  while (!brackets_.empty() && (brackets_.back().at >= line_start || opening.quote_size == 3)) brackets_.pop_back();
  return take(TokenKind::kInvalid, extent.end);
}

std::optional<Token> Lexer::read_foreign_operator() {
  if (std::string_view("&|=!<").find(peek()) == std::string_view::npos) return std::nullopt;
  const Foreign* best = nullptr;
  for (const Foreign& foreign : kForeign) {
    if (text_.substr(at_).starts_with(foreign.text) && (!best || foreign.text.size() > best->text.size())) {
      best = &foreign;
    }
  }
  if (!best) return std::nullopt;
  const bool is_not_equal = best->text == "!" && peek(1) == '=';
  if (is_not_equal) return std::nullopt;
  const Token token = take(best->meant, at_ + best->text.size());
  report(DiagId::kForeignOperator, token.span, best->text)
      .help(fmt::format("write '{}'", best->text == "!" ? "not" : best->python))
      .fixit(token.span, std::string(best->python));
  return token;
}

Token Lexer::read_punctuation() {
  const auto kind = find_punctuation(text_.substr(at_, 3));
  if (!kind) return read_unexpected();
  Token token = take(*kind, at_ + spelling(*kind).size());
  if (is_opening(token.kind)) open_bracket(token);
  if (is_closing(token.kind)) close_bracket(token);
  return token;
}

void Lexer::open_bracket(const Token& token) { brackets_.push_back({token.kind, token.span.begin}); }

void Lexer::close_bracket(Token& token) {
  if (brackets_.empty()) {
    report(DiagId::kUnmatchedClosing, token.span, spelling(token.kind));
    token.kind = TokenKind::kInvalid;
    return;
  }
  const Bracket open = brackets_.back();
  brackets_.pop_back();
  if (closing_of(open.kind) == token.kind) return;
  report(DiagId::kMismatchedBracket, token.span, spelling(token.kind), spelling(open.kind))
      .label({open.at, open.at + 1}, "opened here")
      .fixit(token.span, std::string(spelling(closing_of(open.kind))));
}

}  // namespace jitc::syntax
