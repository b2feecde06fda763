// The statements of a function. Blocks are flat: a marker where one begins, one where it ends.
#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

constexpr std::string_view kVariableSpaces[] = {".param", ".shared", ".local", ".const", ".global"};

bool at_variable(const TokenReader& tokens) {
  for (std::string_view space : kVariableSpaces) {
    if (tokens.at(space)) return true;
  }
  return false;
}

// instruction: ('@' '!'? identifier)? identifier directive* operands
Instruction parse_instruction(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  Instruction instruction = {};
  if (tokens.accept("@")) {
    const bool is_negated = tokens.accept("!");
    instruction.guard = Guard{tokens.expect(TokenKind::identifier, "a predicate").text, is_negated};
  }
  const Token opcode = tokens.expect(TokenKind::identifier, "an instruction");
  instruction.at = opcode.at;
  instruction.opcode = opcode.text;
  while (tokens.at(TokenKind::directive)) instruction.modifiers.push_back(tokens.next().text.substr(1));
  instruction.operands = parse_operands(parser);
  return instruction;
}

// .branchtargets label (',' label)* ';'
BranchTargets parse_branch_targets(TokenReader& tokens, const Token& name) {
  BranchTargets targets = {name.at, name.text, {}};
  do { targets.labels.push_back(tokens.expect(TokenKind::identifier, "a label").text); } while (tokens.accept(","));
  tokens.expect(";");
  return targets;
}

// .callprototype params? '_' params? '.noreturn'? ';'
CallPrototype parse_call_prototype(Parser& parser, const Token& name) {
  TokenReader& tokens = parser.tokens;
  CallPrototype prototype = {name.at, name.text, {}, {}};
  if (tokens.at("(")) prototype.results = parse_param_list(parser);
  tokens.expect(TokenKind::identifier, "'_'");
  if (tokens.at("(")) prototype.params = parse_param_list(parser);
  tokens.accept(".noreturn");
  tokens.expect(";");
  return prototype;
}

// labelled: identifier ':' ('.branchtargets' … | '.calltargets' … | '.callprototype' …)?
Statement parse_labelled(Parser& parser) {
  const Token name = parser.tokens.next();
  parser.tokens.expect(":");
  if (parser.tokens.accept(".branchtargets")) return parse_branch_targets(parser.tokens, name);
  if (parser.tokens.accept(".callprototype")) return parse_call_prototype(parser, name);
  return Label{name.at, name.text};
}

/// What may stand at this place and adds at most one statement.
void parse_statement(Parser& parser, std::vector<Statement>& body) {
  TokenReader& tokens = parser.tokens;
  if (tokens.at(TokenKind::identifier) && tokens.peek_second().text == ":") {
    body.push_back(parse_labelled(parser));
  } else if (tokens.at(TokenKind::identifier) || tokens.at("@")) {
    body.push_back(parse_instruction(parser));
  } else if (tokens.at(".reg")) {
    for (RegisterDeclaration& one : parse_registers(parser)) body.push_back(one);
  } else if (tokens.at(".loc")) {
    body.push_back(parse_source_line(parser));
  } else if (at_debug_directive(parser)) {
    parse_debug_directive(parser);
  } else if (at_variable(tokens)) {
    body.push_back(parse_variable(parser, Linkage::internal));
  } else if (!tokens.accept(";")) {
    tokens.fail_expected("a statement");
  }
}

}  // namespace

// body: ('{' | '}' | statement)* '}'
std::vector<Statement> parse_body(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  std::vector<Statement> body;
  for (uint32_t depth = 1;;) {
    if (++parser.count_statements > parser.limits.statements) refuse(tokens.peek().at, "too many statements");
    if (tokens.at("{")) {
      if (++depth > parser.limits.block_depth) refuse(tokens.peek().at, "blocks are nested too deeply");
      tokens.next();
      body.push_back(BlockBegin{});
    } else if (tokens.accept("}")) {
      if (--depth == 0) return body;
      body.push_back(BlockEnd{});
    } else {
      parse_statement(parser, body);
    }
  }
}

}  // namespace jitc::emulator
