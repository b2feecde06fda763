// Text to tokens, one at a time: the parser pulls, so that memory does not grow with the file. Layout (Newline, Indent,
// Dedent, joined lines) follows Python's rules.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "src/source/diagnostic.hpp"
#include "src/syntax/token.hpp"

namespace jitc::syntax {

class Lexer {
 public:
  enum class Layout : uint8_t {
    kLines,  ///< a file: line ends and indentation are tokens
    kNone,   ///< one expression: line ends are blanks
  };

  /// Reads [range.begin, range.end) of `file`. Positions in tokens are those of the file. Without a sink it is silent.
  Lexer(const source::SourceFile& file, source::Span range, Layout layout, source::DiagnosticSink* sink);

  /// The next token; kEnd for ever once the text is read. Before it come a Newline and the open Dedents.
  Token next();

  /// The rest of the text is not read; the layout is still closed properly.
  void stop();

  bool inside_brackets() const { return !brackets_.empty(); }

  /// What is said while the parser throws away the rest of a broken line.
  enum class Voice : uint8_t { kAll, kUnclosedBrackets, kNothing };
  void set_voice(Voice voice) { voice_ = voice; }

  /// True once after a bracket was found never closed.
  bool take_unclosed_report() { return std::exchange(unclosed_reported_, false); }

 private:
  struct Bracket {
    TokenKind kind;
    uint32_t at;
  };
  /// An indentation with tabs as 8 columns and as 1: two lines agree only when both do.
  struct Indentation {
    uint32_t columns = 0;
    uint32_t columns_tab1 = 0;
  };

  // lexer.cpp
  Token read_token();
  Token read_name_or_keyword();
  Token read_string(const struct StringOpening& opening);
  Token read_punctuation();
  std::optional<Token> read_foreign_operator();
  Token read_unexpected();
  Token take(TokenKind kind, size_t end);
  void open_bracket(const Token& token);
  void close_bracket(Token& token);

  // lexer_layout.cpp
  bool skip_blanks();
  bool skip_joined_line();
  void skip_comment();
  void skip_line_end();
  std::optional<Token> read_line_start();
  Indentation measure_indentation();
  Token enter_line(Indentation indentation);
  void leave_blocks(Indentation indentation);
  Token read_end();
  bool begins_statement(size_t at) const;
  Token abandon_brackets();
  size_t find_resumption(const Bracket& open) const;

  bool at_end() const { return at_ >= end_; }
  char peek(size_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }
  bool at_line_end() const { return peek() == '\n' || peek() == '\r'; }
  source::Span span_from(size_t begin) const { return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)}; }
  template <class... Args>
  source::DiagnosticSink::Handle report(source::DiagId id, source::Span span, const Args&... args);

  const source::SourceFile& file_;
  std::string_view text_;
  size_t at_;
  size_t end_;
  Layout layout_;
  source::DiagnosticSink* sink_;
  Voice voice_ = Voice::kAll;
  source::Diagnostic unsaid_{};

  std::vector<Bracket> brackets_;
  std::vector<Indentation> indents_{Indentation{}};
  size_t pending_dedents_ = 0;
  size_t line_indent_begin_ = 0;  ///< where the indentation of the current logical line begins
  bool at_line_start_ = true;
  bool first_on_line_ = true;  ///< no token yet on this physical line
  bool newline_due_ = false;   ///< a Newline must come before the next line's tokens
  bool unclosed_reported_ = false;
};

template <class... Args>
source::DiagnosticSink::Handle Lexer::report(source::DiagId id, source::Span span, const Args&... args) {
  unsaid_ = {};
  const bool said =
      voice_ == Voice::kAll || (voice_ == Voice::kUnclosedBrackets && id == source::DiagId::kUnclosedBracket);
  if (!sink_ || !said) return source::DiagnosticSink::Handle(&unsaid_);
  return sink_->report(id, span, args...);
}

}  // namespace jitc::syntax
