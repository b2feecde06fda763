// Imports: only their shape; which modules there are is known later.
#include "src/syntax/parser_impl.hpp"

namespace jitc::syntax {

/// import: "import" module ["as" NAME] ("," module ["as" NAME])*
StmtId Parser::parse_import() {
  const uint32_t begin = token_.span.begin;
  advance();
  ImportStmt stmt;
  do {
    ImportName name;
    name.module = parse_module_name(name.span);
    name.alias = parse_alias();
    if (name.alias.empty()) name.alias = name.module.substr(name.module.rfind('.') + 1);
    stmt.names.push_back(std::move(name));
  } while (accept(TokenKind::kComma));
  return add_stmt(span_from(begin), std::move(stmt));
}

/// import_from: "from" module "import" ("*" | names | "(" names [","] ")")
StmtId Parser::parse_import_from() {
  const uint32_t begin = token_.span.begin;
  advance();
  ImportFromStmt stmt;
  if (at(TokenKind::kDot) || at(TokenKind::kEllipsis)) {
    fail(DiagId::kNoRelativeImport, token_.span).help("put the functions into one file");
    return StmtId();
  }
  stmt.module = parse_module_name(stmt.module_span);
  expect(TokenKind::kImport, "'import' after the module");
  const Span open = token_.span;
  if (accept(TokenKind::kStar)) {
    stmt.star = true;
  } else if (accept(TokenKind::kLParen)) {
    parse_imported_names(stmt);
    expect_closing(TokenKind::kRParen, open);
  } else {
    parse_imported_names(stmt);
  }
  return add_stmt(span_from(begin), std::move(stmt));
}

/// names: NAME ["as" NAME] ("," NAME ["as" NAME])*
void Parser::parse_imported_names(ImportFromStmt& stmt) {
  do {
    const bool trailing_comma = at(TokenKind::kRParen) && !stmt.names.empty();
    if (trailing_comma) return;
    ImportedName name;
    name.span = token_.span;
    name.name = parse_name("a name to import");
    name.alias = parse_alias();
    if (name.alias.empty()) name.alias = name.name;
    stmt.names.push_back(std::move(name));
  } while (accept(TokenKind::kComma));
}

/// module: NAME ("." NAME)*
std::string Parser::parse_module_name(Span& span) {
  const uint32_t begin = token_.span.begin;
  std::string module = parse_name("a module");
  while (accept(TokenKind::kDot)) module += "." + parse_name("a name after '.'");
  span = span_from(begin);
  return module;
}

/// ["as" NAME]
std::string Parser::parse_alias() { return accept(TokenKind::kAs) ? parse_name("a name after 'as'") : ""; }

}  // namespace jitc::syntax
