// Operands of instructions. Source: PTX ISA, "Instruction Operands".
#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

// offset: ('+' '-'? integer | '-' integer)?
int64_t parse_offset(TokenReader& tokens) {
  if (!tokens.at("+") && !tokens.at("-")) return 0;
  tokens.accept("+");
  return static_cast<int64_t>(tokens.expect_integer("an offset"));
}

// component of a vector register or a special one: '.x'
std::string_view parse_component(TokenReader& tokens) {
  return tokens.at(TokenKind::directive) ? tokens.next().text.substr(1) : std::string_view();
}

// name: '!'? identifier component? offset
NameOperand parse_name(TokenReader& tokens) {
  NameOperand name = {};
  name.is_negated = tokens.accept("!");
  name.name = tokens.expect(TokenKind::identifier, "an operand").text;
  name.component = parse_component(tokens);
  name.offset_bytes = parse_offset(tokens);
  return name;
}

// number: ('-' | '+')? (integer | real)
bool at_number(const TokenReader& tokens) {
  const auto is_number = [](TokenKind kind) {
    return kind == TokenKind::integer || kind == TokenKind::real || kind == TokenKind::single_real;
  };
  return is_number(tokens.peek().kind) || (tokens.at("-") && is_number(tokens.peek_second().kind));
}

ElementOperand parse_number(TokenReader& tokens) {
  const bool is_negative = tokens.accept("-");
  const Token token = tokens.next();
  if (token.kind == TokenKind::integer) return IntegerOperand{is_negative ? 0 - token.bits : token.bits};
  const bool is_single = token.kind == TokenKind::single_real;
  const uint64_t sign = is_negative ? uint64_t{1} << (is_single ? 31 : 63) : 0;
  return RealOperand{token.bits ^ sign, is_single};
}

// element: number | name
ElementOperand parse_element(TokenReader& tokens) {
  if (at_number(tokens)) return parse_number(tokens);
  return parse_name(tokens);
}

// elements: element (',' element)*
std::vector<ElementOperand> parse_elements(TokenReader& tokens, std::string_view close) {
  std::vector<ElementOperand> elements;
  if (!tokens.at(close)) {
    do { elements.push_back(parse_element(tokens)); } while (tokens.accept(","));
  }
  tokens.expect(close);
  return elements;
}

// address: '[' (name component? | integer) offset ']'
AddressOperand parse_address(TokenReader& tokens) {
  AddressOperand address = {};
  if (tokens.at(TokenKind::identifier)) {
    address.base = tokens.next().text;
    address.component = parse_component(tokens);
    address.offset_bytes = parse_offset(tokens);
  } else {
    address.offset_bytes = static_cast<int64_t>(tokens.expect_integer("an address"));
  }
  tokens.expect("]");
  return address;
}

// operand: '[' address | '{' elements '}' | '(' elements ')' | identifier '|' identifier | element
Operand parse_operand(TokenReader& tokens) {
  const Position at = tokens.peek().at;
  if (tokens.accept("[")) return {at, parse_address(tokens)};
  if (tokens.accept("{")) return {at, VectorOperand{parse_elements(tokens, "}")}};
  if (tokens.accept("(")) return {at, ListOperand{parse_elements(tokens, ")")}};
  if (tokens.at(TokenKind::identifier) && tokens.peek_second().text == "|") {
    const std::string_view first = tokens.next().text;
    tokens.next();
    return {at, PairOperand{first, tokens.expect(TokenKind::identifier, "a predicate").text}};
  }
  return std::visit([&](auto element) { return Operand{at, element}; }, parse_element(tokens));
}

}  // namespace

// operands: (operand (',' operand)*)? ';'
std::vector<Operand> parse_operands(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  std::vector<Operand> operands;
  if (!tokens.at(";")) {
    do { operands.push_back(parse_operand(tokens)); } while (tokens.accept(","));
  }
  tokens.expect(";");
  return operands;
}

}  // namespace jitc::emulator
