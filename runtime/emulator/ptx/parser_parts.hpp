// The parser's functions, one group per file. Each takes its tokens from the reader and throws LoadError at a fault.
#pragma once

#include "runtime/emulator/ptx/parse.hpp"
#include "runtime/emulator/ptx/token_reader.hpp"

namespace jitc::emulator {

struct Parser {
  TokenReader tokens;
  ParseLimits limits;
  Module module;
  size_t count_statements = 0;
  size_t count_initial_values = 0;
};

// parse_module.cpp
void parse_module(Parser& parser);

// parse_function.cpp: the tokens stand at .entry or .func
Function parse_function(Parser& parser, Linkage linkage);
std::vector<Variable> parse_param_list(Parser& parser);

// parse_body.cpp: the tokens stand behind the opening brace; takes the closing one
std::vector<Statement> parse_body(Parser& parser);

// parse_variable.cpp
/// The tokens stand at the state space.
Variable parse_variable(Parser& parser, Linkage linkage);
/// A variable without its semicolon, list and initialiser: what a parameter is.
Variable parse_declarator(Parser& parser, Linkage linkage);
std::vector<RegisterDeclaration> parse_registers(Parser& parser);
Type parse_type(Parser& parser);

// parse_operand.cpp
std::vector<Operand> parse_operands(Parser& parser);

// parse_debug.cpp
bool at_debug_directive(const Parser& parser);
/// .file, .section, .pragma: skipped, but for the names of files.
void parse_debug_directive(Parser& parser);
SourceLine parse_source_line(Parser& parser);

}  // namespace jitc::emulator
