// The recursive descent parser: one member function per grammar rule, spread over parse_*.cpp by theme.
//
// After a fault the parser "panics": fail() reports it, the rest of the logical line is thrown away, and until
// recover() every rule sees an end of line and returns at once without a word. So rules need no error paths of their
// own: they may build nodes from invalid children, which are dropped with the statement.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/syntax/children.hpp"
#include "src/syntax/lexer.hpp"
#include "src/syntax/parser.hpp"

namespace jitc::syntax {

/// The operator of an augmented assignment's token.
std::optional<BinaryOp> augmented_op(TokenKind token);

class Parser {
 public:
  Parser(const source::SourceFile& file, Span range, Lexer::Layout layout, Ast& ast, source::DiagnosticSink& sink,
         const ParseLimits& limits);

  Block parse_file();
  ExprId parse_lone_expression();

 private:
  using Handle = source::DiagnosticSink::Handle;
  using DiagId = source::DiagId;

  /// Counts one level of nesting during its lifetime; panics when that is one too many.
  class Nested;

  // parser_core.cpp: tokens
  bool at(TokenKind kind) const { return token_.kind == kind; }
  void advance();
  bool accept(TokenKind kind);
  /// Takes `kind` or fails with "expected `what`, found …".
  bool expect(TokenKind kind, std::string_view what);
  /// Takes the bracket that closes the one at `open`.
  void expect_closing(TokenKind kind, Span open);
  std::string found() const { return describe(file_, token_); }
  std::string_view text(Span span) const { return file_.text(span); }
  Span span_from(uint32_t begin) const { return {begin, std::max(begin, prev_.span.end)}; }
  /// Just after the last token: where something is missing.
  Span after_prev() const { return {prev_.span.end, prev_.span.end}; }
  bool next_is_assign() const;
  bool line_assigns();
  /// name: NAME; a keyword is reported and taken for one. Empty after a failure.
  std::string parse_name(std::string_view what);

  // parser_core.cpp: faults
  template <class... Args>
  Handle fail(DiagId id, Span span, const Args&... args);
  /// As fail(), for limits: what else is wrong with the line is not said.
  template <class... Args>
  Handle fail_limit(DiagId id, Span span, const Args&... args);
  /// Reports without a panic: the parser knows how to go on.
  template <class... Args>
  Handle report(DiagId id, Span span, const Args&... args);
  void panic();
  void skip_line(Lexer::Voice voice);
  void recover();
  void skip_block();

  // parser_core.cpp: nodes
  template <class Kind>
  ExprId add_expr(Span span, Kind kind);
  template <class Kind>
  StmtId add_stmt(Span span, Kind kind);
  bool at_node_limit();

  // parse_expr.cpp
  ExprId parse_expression();
  ExprId parse_disjunction();
  ExprId parse_conjunction();
  ExprId parse_bool_chain(TokenKind word, BoolOp op, ExprId (Parser::*operand)());
  ExprId parse_inversion();
  ExprId parse_comparison();
  std::optional<CompareOp> accept_compare_op(Span& op_span);
  ExprId parse_binary(int min_binding);
  ExprId parse_factor();
  ExprId parse_power();
  ExprId parse_lambda();
  ExprId parse_expression_list();
  ExprId parse_tuple_rest(uint32_t begin, ExprId first);
  bool ends_expression_list() const;

  // parse_atom.cpp
  ExprId parse_atom();
  ExprId parse_number();
  ExprId parse_strings();
  ExprId parse_parenthesised();
  ExprId parse_list();
  ExprId parse_set();
  bool is_string(ExprId expr) const;
  bool parse_elements(TokenKind closing, std::vector<ExprId>& out, std::string_view comprehension);
  ExprId fail_expected_expression();

  // parse_call.cpp
  ExprId parse_primary();
  ExprId parse_call(uint32_t begin, ExprId callee);
  bool parse_argument(CallExpr& call);
  bool is_name_at(ExprId expr, uint32_t begin) const;
  ExprId parse_attribute(uint32_t begin, ExprId base);
  ExprId parse_subscript(uint32_t begin, ExprId base);
  ExprId parse_index();
  ExprId parse_slice_or_expression();

  // parse_simple.cpp
  void parse_simple_line(Block& out);
  StmtId parse_simple_statement();
  void end_simple_line(Span first);
  void fail_missing_operator(Span first);
  StmtId parse_expression_statement();
  StmtId parse_assignment(uint32_t begin, ExprId first);
  StmtId parse_annotated_assignment(uint32_t begin, ExprId target);
  StmtId parse_augmented_assignment(uint32_t begin, ExprId target, BinaryOp op);
  StmtId parse_return();
  StmtId parse_assert();
  StmtId parse_raise();
  StmtId parse_del();
  template <class Kind>
  StmtId parse_word_statement();
  bool at_statement_end() const { return at(TokenKind::kNewline) || at(TokenKind::kSemicolon) || at(TokenKind::kEnd); }

  // parse_targets.cpp
  bool make_target(ExprId expr);
  bool make_single_target(ExprId expr);
  bool collect_deletable(ExprId expr, std::vector<ExprId>& out);
  ExprId parse_target_list();
  std::string describe_expr(ExprId expr) const;

  // parse_compound.cpp
  struct Suite {
    Block body;
    bool header_ok = true;  ///< the line that opens the block was understood
  };
  void parse_statements(Block& out);
  void parse_statement(Block& out);
  /// suite: ":" (NEWLINE INDENT statement+ DEDENT | simple_line)
  Suite parse_suite(Span keyword);
  bool parse_colon(Span keyword);
  void parse_indented_block(Block& out);
  ExprId parse_condition();
  StmtId parse_if();
  bool parse_if_rest(Block& orelse);
  bool parse_elif(Block& orelse);
  bool parse_else(Block& orelse);
  StmtId parse_while();
  StmtId parse_for();
  void parse_unexpected_indent(Block& out);
  void skip_orphan_clause();

  // parse_def.cpp
  StmtId parse_decorated();
  StmtId parse_def(std::vector<ExprId> decorators);
  std::vector<Param> parse_params(TokenKind closing, bool annotated);
  void parse_param(std::vector<Param>& out, bool annotated);
  void check_default_order(const std::vector<Param>& params);
  bool skip_star_param(TokenKind closing);

  // parse_import.cpp
  StmtId parse_import();
  StmtId parse_import_from();
  std::string parse_module_name(Span& span);
  std::string parse_alias();
  void parse_imported_names(ImportFromStmt& stmt);

  // unsupported.cpp
  bool refuse_statement();
  bool at_match_statement() const;
  void skip_compound_statement();
  bool refuse_comprehension(std::string_view what);
  ExprId refuse_braces(Span open, std::string_view what);
  void refuse_star(std::string_view where);
  void refuse_star_target();

  const source::SourceFile& file_;
  Ast& ast_;
  source::DiagnosticSink& sink_;
  ParseLimits limits_;
  Lexer lexer_;
  Token token_;  ///< not yet taken
  Token prev_;   ///< taken last, layout not counted
  bool panicking_ = false;
  bool skip_due_ = false;  ///< the rest of the broken line is still to be thrown away
  Lexer::Voice skip_voice_ = Lexer::Voice::kUnclosedBrackets;
  uint32_t nesting_ = 0;
  size_t assign_search_end_ = 0;  ///< line_assigns() knows the text up to here
  size_t last_assign_ = 0;
  source::Diagnostic unsaid_{};
};

class Parser::Nested {
 public:
  explicit Nested(Parser& parser) : Nested(parser, parser.token_.span) {}
  /// `span`: what is one level deeper.
  Nested(Parser& parser, Span span) : parser_(parser) {
    if (++parser_.nesting_ <= parser_.limits_.max_nesting) return;
    too_deep_ = true;
    parser_.fail_limit(DiagId::kNestingTooDeep, span, parser_.limits_.max_nesting)
        .help("give parts of it a name or move them to a function");
  }
  ~Nested() { --parser_.nesting_; }
  bool too_deep() const { return too_deep_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  Parser& parser_;
  bool too_deep_ = false;
};

template <class... Args>
Parser::Handle Parser::fail(DiagId id, Span span, const Args&... args) {
  unsaid_ = {};
  const bool said = !panicking_ && !at(TokenKind::kInvalid);
  const bool inside_brackets = lexer_.inside_brackets();
  panic();
  // An error inside a bracket that is never closed is most likely its consequence: the lexer tells.
  if (said && inside_brackets) {
    skip_line(Lexer::Voice::kUnclosedBrackets);
    if (lexer_.take_unclosed_report()) return Handle(&unsaid_);
  }
  return said ? sink_.report(id, span, args...) : Handle(&unsaid_);
}

template <class... Args>
Parser::Handle Parser::fail_limit(DiagId id, Span span, const Args&... args) {
  unsaid_ = {};
  if (panicking_) return Handle(&unsaid_);
  panic();
  skip_voice_ = Lexer::Voice::kNothing;
  return sink_.report(id, span, args...);
}

template <class... Args>
Parser::Handle Parser::report(DiagId id, Span span, const Args&... args) {
  unsaid_ = {};
  return panicking_ ? Handle(&unsaid_) : sink_.report(id, span, args...);
}

template <class Kind>
ExprId Parser::add_expr(Span span, Kind kind) {
  if (panicking_) return ExprId();
  Expr expr{span, std::move(kind), 1};
  for_each_child(expr, [&](ExprId child) { expr.height = std::max(expr.height, ast_.exprs[child].height + 1); });
  if (expr.height > limits_.max_expr_height) {
    fail_limit(DiagId::kExpressionTooDeep, prev_.span, limits_.max_expr_height)
        .help("split it into several statements");
    return ExprId();
  }
  if (at_node_limit()) return ExprId();
  return ast_.exprs.add(std::move(expr));
}

template <class Kind>
StmtId Parser::add_stmt(Span span, Kind kind) {
  if (panicking_ || at_node_limit()) return StmtId();
  return ast_.stmts.add(Stmt{span, std::move(kind)});
}

}  // namespace jitc::syntax
