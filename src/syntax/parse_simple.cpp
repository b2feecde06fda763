// Statements of one line.
#include "src/syntax/misspelt.hpp"
#include "src/syntax/parser_impl.hpp"
#include "src/syntax/scan.hpp"

namespace jitc::syntax {

/// simple_line: simple_statement (";" simple_statement)* [";"] NEWLINE
void Parser::parse_simple_line(Block& out) {
  const Span first = token_.span;
  do {
    if (at(TokenKind::kNewline)) break;
    if (const StmtId stmt = parse_simple_statement()) out.push_back(stmt);
  } while (accept(TokenKind::kSemicolon));
  end_simple_line(first);
}

/// `first`: the word that the line begins with.
void Parser::fail_missing_operator(Span first) {
  const bool print_statement = text(prev_.span) == "print";
  auto handle = fail(DiagId::kMissingOperator, token_.span, found());
  if (print_statement) {
    handle.help("print is a function: 'print(…)'");
  } else if (const std::string_view keyword = nearest_statement_keyword(text(first)); !keyword.empty()) {
    handle.help(fmt::format("did you mean '{}'?", keyword)).fixit(first, std::string(keyword));
  }
}

void Parser::end_simple_line(Span first) {
  if (!at_statement_end()) fail_missing_operator(first);
  const bool broken = panicking_;
  recover();
  accept(TokenKind::kNewline);
  // A block below a line that is not understood most likely belongs to it: read it for its own faults.
  if (broken && at(TokenKind::kIndent)) {
    Block dropped;
    parse_indented_block(dropped);
  }
}

StmtId Parser::parse_simple_statement() {
  const bool keyword_as_name = is_keyword(token_.kind) && next_is_assign();
  if (keyword_as_name) {
    fail(DiagId::kKeywordAsName, token_.span, spelling(token_.kind));
    return StmtId();
  }
  switch (token_.kind) {
    case TokenKind::kPass: return parse_word_statement<PassStmt>();
    case TokenKind::kBreak: return parse_word_statement<BreakStmt>();
    case TokenKind::kContinue: return parse_word_statement<ContinueStmt>();
    case TokenKind::kReturn: return parse_return();
    case TokenKind::kAssert: return parse_assert();
    case TokenKind::kRaise: return parse_raise();
    case TokenKind::kDel: return parse_del();
    case TokenKind::kImport: return parse_import();
    case TokenKind::kFrom: return parse_import_from();
    default: return parse_expression_statement();
  }
}

/// "pass" | "break" | "continue"
template <class Kind>
StmtId Parser::parse_word_statement() {
  advance();
  return add_stmt(prev_.span, Kind{});
}

/// expression_statement: expression_list | assignment
StmtId Parser::parse_expression_statement() {
  const uint32_t begin = token_.span.begin;
  const ExprId first = parse_expression_list();
  if (at(TokenKind::kAssign)) return parse_assignment(begin, first);
  if (at(TokenKind::kColon)) return parse_annotated_assignment(begin, first);
  if (const auto op = augmented_op(token_.kind)) return parse_augmented_assignment(begin, first, *op);
  return add_stmt(span_from(begin), ExprStmt{first});
}

/// assignment: (expression_list "=")+ expression_list
StmtId Parser::parse_assignment(uint32_t begin, ExprId first) {
  std::vector<ExprId> targets;
  ExprId last = first;
  bool assignable = true;
  while (accept(TokenKind::kAssign)) {
    assignable &= make_target(last);
    targets.push_back(last);
    last = parse_expression_list();
  }
  if (!assignable) return StmtId();
  return add_stmt(span_from(begin), AssignStmt{std::move(targets), last});
}

/// annotated_assignment: target ":" expression ["=" expression_list]
StmtId Parser::parse_annotated_assignment(uint32_t begin, ExprId target) {
  const Span colon = token_.span;
  const size_t word_end = scan_name(file_.text(), begin);
  const std::string_view first_word = file_.text().substr(begin, word_end - begin);
  advance();
  if (at(TokenKind::kNewline)) {
    // Not an annotation but the head of some block whose keyword is missing or misspelt.
    const std::string_view keyword = nearest_statement_keyword(first_word);
    auto handle = fail(DiagId::kMissingOperator, colon, "':'");
    if (!keyword.empty()) handle.help(fmt::format("did you mean '{}'?", keyword));
    return StmtId();
  }
  const bool assignable = make_single_target(target);
  const ExprId annotation = parse_expression();
  const ExprId value = accept(TokenKind::kAssign) ? parse_expression_list() : ExprId();
  if (!assignable) return StmtId();
  return add_stmt(span_from(begin), AnnAssignStmt{target, annotation, value});
}

/// augmented_assignment: target ("+=" | "-=" | …) expression_list
StmtId Parser::parse_augmented_assignment(uint32_t begin, ExprId target, BinaryOp op) {
  const Span op_span = token_.span;
  advance();
  const bool assignable = make_single_target(target);
  const ExprId value = parse_expression_list();
  if (!assignable) return StmtId();
  return add_stmt(span_from(begin), AugAssignStmt{target, op, op_span, value});
}

/// return: "return" [expression_list]
StmtId Parser::parse_return() {
  const uint32_t begin = token_.span.begin;
  advance();
  const ExprId value = at_statement_end() ? ExprId() : parse_expression_list();
  return add_stmt(span_from(begin), ReturnStmt{value});
}

/// assert: "assert" expression ["," expression]
StmtId Parser::parse_assert() {
  const uint32_t begin = token_.span.begin;
  advance();
  const ExprId cond = parse_condition();
  const ExprId message = accept(TokenKind::kComma) ? parse_expression() : ExprId();
  return add_stmt(span_from(begin), AssertStmt{cond, message});
}

/// raise: "raise" [expression ["from" expression]]
StmtId Parser::parse_raise() {
  const uint32_t begin = token_.span.begin;
  advance();
  const ExprId value = at_statement_end() ? ExprId() : parse_expression();
  // The cause says nothing that a report from a device could show.
  if (value && accept(TokenKind::kFrom)) parse_expression();
  return add_stmt(span_from(begin), RaiseStmt{value});
}

/// del: "del" expression_list
StmtId Parser::parse_del() {
  const uint32_t begin = token_.span.begin;
  advance();
  DelStmt stmt;
  const bool deletable = collect_deletable(parse_expression_list(), stmt.targets);
  return deletable ? add_stmt(span_from(begin), std::move(stmt)) : StmtId();
}

}  // namespace jitc::syntax
