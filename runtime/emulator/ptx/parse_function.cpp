// Entries and device functions. Source: PTX ISA, "Kernel and Function Directives".
#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

struct TuningRow {
  std::string_view name;
  size_t most_values;
};

constexpr TuningRow kTuning[] = {
#define TUNING(name, most_values) {name, most_values},
#include "runtime/emulator/ptx/tuning_directives.def"
#undef TUNING
};

const TuningRow& tuning_row(const Token& directive) {
  for (const TuningRow& row : kTuning) {
    if (directive.text.substr(1) == row.name) return row;
  }
  refuse(directive.at, "unknown directive '{}'", directive.text.substr(0, 40));
}

// tuning: directive (integer (',' integer)*)?
TuningDirective parse_tuning(TokenReader& tokens) {
  const Token directive = tokens.next();
  const TuningRow& row = tuning_row(directive);
  TuningDirective tuning = {directive.at, row.name, {}};
  while (tuning.values.size() < row.most_values) {
    tuning.values.push_back(static_cast<uint32_t>(tokens.expect_count("a number", UINT32_MAX)));
    if (!tokens.accept(",")) break;
  }
  return tuning;
}

bool is_param(const Variable& variable, bool is_entry) {
  return variable.space == Space::param || (variable.space == Space::reg && !is_entry);
}

void check_params(const Function& function) {
  for (const std::vector<Variable>* list : {&function.results, &function.params}) {
    for (const Variable& variable : *list) {
      if (!is_param(variable, function.is_entry)) refuse(variable.at, "'{}' is not a parameter", variable.name);
    }
  }
}

void parse_directives(Parser& parser, Function& function) {
  while (parser.tokens.at(TokenKind::directive)) {
    if (at_debug_directive(parser)) {
      parse_debug_directive(parser);
    } else {
      function.tuning.push_back(parse_tuning(parser.tokens));
    }
  }
}

}  // namespace

// params: '(' (declarator (',' declarator)*)? ')'
std::vector<Variable> parse_param_list(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  std::vector<Variable> params;
  tokens.expect("(");
  if (!tokens.at(")")) {
    do { params.push_back(parse_declarator(parser, Linkage::internal)); } while (tokens.accept(","));
  }
  tokens.expect(")");
  return params;
}

// function: ('.entry' | '.func' params?) name params? tuning* (';' | '{' body)
Function parse_function(Parser& parser, Linkage linkage) {
  TokenReader& tokens = parser.tokens;
  Function function = {tokens.peek().at, linkage};
  function.is_entry = tokens.next().text == ".entry";
  if (!function.is_entry && tokens.at("(")) function.results = parse_param_list(parser);
  function.name = tokens.expect(TokenKind::identifier, "a function name").text;
  if (tokens.at("(")) function.params = parse_param_list(parser);
  check_params(function);
  parse_directives(parser, function);
  if (tokens.accept(";")) return function;
  tokens.expect("{");
  function.has_body = true;
  function.body = parse_body(parser);
  return function;
}

}  // namespace jitc::emulator
