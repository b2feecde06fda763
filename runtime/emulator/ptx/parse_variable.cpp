// Declarations of variables, parameters and registers. Source: PTX ISA, "Variables".
#include <bit>

#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

constexpr uint64_t kLargestAlign = 1 << 16;
constexpr uint64_t kMostRegisters = 1 << 20;

struct SpaceName {
  std::string_view directive;
  Space space;
};

constexpr SpaceName kSpaces[] = {{".reg", Space::reg},     {".param", Space::param},    {".shared", Space::shared},
                                 {".local", Space::local}, {".const", Space::constant}, {".global", Space::global}};

Space parse_space(TokenReader& tokens) {
  for (const SpaceName& name : kSpaces) {
    if (tokens.accept(name.directive)) return name.space;
  }
  tokens.fail_expected("a state space");
}

// align: '.align' integer
uint32_t parse_align(TokenReader& tokens) {
  const Token at = tokens.peek();
  const uint64_t align = tokens.expect_count("an alignment", kLargestAlign);
  if (!std::has_single_bit(align)) refuse(at.at, "alignment {} is not a power of two", align);
  return static_cast<uint32_t>(align);
}

// hints of a kernel parameter: '.ptr' space? align?
void skip_pointer_hints(TokenReader& tokens) {
  tokens.expect(".ptr");
  for (std::string_view space : {".const", ".global", ".local", ".shared"}) {
    if (tokens.accept(space)) break;
  }
  if (tokens.accept(".align")) parse_align(tokens);
}

uint32_t parse_vector_width(TokenReader& tokens) {
  if (tokens.accept(".v2")) return 2;
  if (tokens.accept(".v4")) return 4;
  return 1;
}

// dimensions: ('[' integer? ']')*
void parse_dimensions(Parser& parser, Variable& variable) {
  TokenReader& tokens = parser.tokens;
  while (tokens.at("[")) {
    const Token open = tokens.next();
    const bool is_open_ended = tokens.at("]");
    if (is_open_ended && variable.is_array) refuse(open.at, "only the first dimension may be left out");
    const uint64_t extent = is_open_ended ? 0 : tokens.expect_count("an array's extent", parser.limits.variable_bytes);
    tokens.expect("]");
    variable.is_array = true;
    variable.count_elems *= extent;
    if (variable.total_bytes() > parser.limits.variable_bytes) refuse(variable.at, "'{}' is too large", variable.name);
  }
}

// offset: ('+' integer | '-' integer)?
int64_t parse_offset(TokenReader& tokens) {
  if (!tokens.at("+") && !tokens.at("-")) return 0;
  tokens.accept("+");
  return static_cast<int64_t>(tokens.expect_integer("an offset"));
}

// symbol: identifier offset
NameOperand parse_symbol(TokenReader& tokens) {
  NameOperand symbol = {tokens.expect(TokenKind::identifier, "a symbol").text};
  symbol.offset_bytes = parse_offset(tokens);
  return symbol;
}

// generic: 'generic' '(' symbol ')' offset
NameOperand parse_generic_symbol(TokenReader& tokens) {
  tokens.expect("generic");
  tokens.expect("(");
  NameOperand symbol = parse_symbol(tokens);
  tokens.expect(")");
  symbol.offset_bytes += parse_offset(tokens);
  return symbol;
}

// number: '-'? (integer | real)
InitialValue parse_number(TokenReader& tokens) {
  InitialValue initial = {tokens.peek().at, {}};
  if (tokens.at(TokenKind::single_real)) {
    initial.value = RealOperand{tokens.next().bits, true};
  } else if (tokens.at(TokenKind::real) || (tokens.at("-") && tokens.peek_second().kind == TokenKind::real)) {
    const uint64_t sign = tokens.accept("-") ? uint64_t{1} << 63 : 0;
    initial.value = RealOperand{tokens.next().bits ^ sign, false};
  } else {
    initial.value = IntegerOperand{tokens.expect_integer("an initial value")};
  }
  return initial;
}

// value: number | symbol | generic | mask '(' (symbol | generic) ')'
InitialValue parse_initial_value(TokenReader& tokens) {
  InitialValue initial = {tokens.peek().at, {}};
  const bool is_number = !tokens.at(TokenKind::identifier);
  if (is_number) {
    initial = parse_number(tokens);
    if (!std::holds_alternative<IntegerOperand>(initial.value) || !tokens.accept("(")) return initial;
    initial.mask = std::get<IntegerOperand>(initial.value).bits;
  }
  initial.is_generic = tokens.at("generic") && tokens.peek_second().text == "(";
  initial.value = initial.is_generic ? parse_generic_symbol(tokens) : parse_symbol(tokens);
  if (is_number) tokens.expect(")");
  return initial;
}

// initialiser: value | '{' initialiser (',' initialiser)* '}'. Nested braces only group: what counts is the order.
std::vector<InitialValue> parse_initialiser(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  std::vector<InitialValue> values;
  uint32_t depth = 0;
  do {
    while (tokens.at("{")) {
      if (++depth > parser.limits.block_depth) refuse(tokens.peek().at, "braces are nested too deeply");
      tokens.next();
    }
    if (++parser.count_initial_values > parser.limits.initial_values)
      refuse(tokens.peek().at, "too many initial values");
    if (!tokens.at("}")) values.push_back(parse_initial_value(tokens));
    while (depth > 0 && tokens.accept("}")) --depth;
  } while (depth > 0 && (tokens.accept(",") || (tokens.fail_expected("',' or '}'"), false)));
  return values;
}

void check_initialiser(const Variable& variable) {
  const uint64_t room = variable.count_elems * variable.vector_width;
  if (variable.space != Space::global && variable.space != Space::constant) {
    refuse(variable.at, "'{}' may not have an initial value in its state space", variable.name);
  }
  if (variable.initial.size() > room) refuse(variable.at, "'{}' has more initial values than elements", variable.name);
}

}  // namespace

Type parse_type(Parser& parser) {
  const Token token = parser.tokens.expect(TokenKind::directive, "a type");
  const std::optional<Type> type = type_named(token.text.substr(1));
  if (!type) refuse(token.at, "unknown type '{}'", token.text.substr(0, 40));
  return *type;
}

// declarator: space align? attribute? vector? type hints? align? name dimensions
Variable parse_declarator(Parser& parser, Linkage linkage) {
  TokenReader& tokens = parser.tokens;
  Variable variable = {tokens.peek().at, linkage};
  variable.space = parse_space(tokens);
  if (tokens.accept(".attribute")) {
    tokens.expect("(");
    while (!tokens.at(")")) tokens.at_end() ? tokens.fail_expected("')'") : void(tokens.next());
    tokens.next();
  }
  if (tokens.accept(".align")) variable.align_bytes = parse_align(tokens);
  variable.vector_width = parse_vector_width(tokens);
  variable.type = parse_type(parser);
  if (variable.type == Type::pred && variable.space != Space::reg) refuse(variable.at, "predicates live in registers");
  if (tokens.at(".ptr")) skip_pointer_hints(tokens);
  if (tokens.accept(".align")) variable.align_bytes = parse_align(tokens);
  variable.name = tokens.expect(TokenKind::identifier, "a variable name").text;
  parse_dimensions(parser, variable);
  const uint32_t natural = size_bytes(variable.type) * variable.vector_width;
  if (variable.align_bytes == 0) variable.align_bytes = natural;
  return variable;
}

// variable: declarator ('=' initialiser)? ';'
Variable parse_variable(Parser& parser, Linkage linkage) {
  Variable variable = parse_declarator(parser, linkage);
  if (parser.tokens.accept("=")) {
    variable.initial = parse_initialiser(parser);
    if (variable.is_array && variable.count_elems == 0) {
      variable.count_elems = variable.initial.size() / variable.vector_width;
    }
    check_initialiser(variable);
  }
  parser.tokens.expect(";");
  return variable;
}

// registers: '.reg' vector? type name ('<' integer '>')? (',' name ('<' integer '>')?)* ';'
std::vector<RegisterDeclaration> parse_registers(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  tokens.expect(".reg");
  const uint32_t vector_width = parse_vector_width(tokens);
  const Type type = parse_type(parser);
  std::vector<RegisterDeclaration> registers;
  do {
    const Token name = tokens.expect(TokenKind::identifier, "a register name");
    registers.push_back({name.at, type, vector_width, name.text, std::nullopt});
    if (tokens.accept("<")) {
      registers.back().count = static_cast<uint32_t>(tokens.expect_count("a register count", kMostRegisters));
      tokens.expect(">");
    }
  } while (tokens.accept(","));
  tokens.expect(";");
  return registers;
}

}  // namespace jitc::emulator
