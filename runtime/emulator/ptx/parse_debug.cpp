// What PTX says for debuggers and for the assembler's heuristics. Source: PTX ISA, "Debugging Directives".
#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

constexpr uint64_t kLargestLine = UINT32_MAX;

// .file index "name" (',' timestamp ',' size)?
void parse_file(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  const auto file_id = static_cast<uint32_t>(tokens.expect_count("a file number", kLargestLine));
  parser.module.files[file_id] = tokens.expect(TokenKind::string, "a file name").text;
  while (tokens.accept(",")) tokens.expect_count("a file's time or size", UINT64_MAX);
}

// .section name '{' anything but '}' '}'
void skip_section(TokenReader& tokens) {
  if (!tokens.at(TokenKind::directive)) tokens.fail_expected("a section name");
  tokens.next();
  tokens.expect("{");
  while (!tokens.at("}")) {
    if (tokens.at_end()) tokens.fail_expected("'}' at the end of the section");
    tokens.next();
  }
  tokens.next();
}

// .pragma string (',' string)* ';'
void skip_pragma(TokenReader& tokens) {
  do { tokens.expect(TokenKind::string, "a string"); } while (tokens.accept(","));
  tokens.expect(";");
}

// ',' ('function_name' label ('+' integer)? | 'inlined_at' integer integer integer)
void skip_inlining(TokenReader& tokens) {
  if (tokens.accept("function_name")) {
    tokens.expect(TokenKind::identifier, "a label");
    if (tokens.accept("+")) tokens.expect(TokenKind::integer, "an offset");
    return;
  }
  tokens.expect("inlined_at");
  for (int i = 0; i < 3; ++i) tokens.expect(TokenKind::integer, "a line position");
}

}  // namespace

bool at_debug_directive(const Parser& parser) {
  return parser.tokens.at(".file") || parser.tokens.at(".section") || parser.tokens.at(".pragma");
}

void parse_debug_directive(Parser& parser) {
  const Token directive = parser.tokens.next();
  if (directive.text == ".file") return parse_file(parser);
  if (directive.text == ".section") return skip_section(parser.tokens);
  skip_pragma(parser.tokens);
}

// .loc file line column inlining*
SourceLine parse_source_line(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  tokens.expect(".loc");
  SourceLine line = {};
  line.file_id = static_cast<uint32_t>(tokens.expect_count("a file number", kLargestLine));
  line.line = static_cast<uint32_t>(tokens.expect_count("a line", kLargestLine));
  line.column = static_cast<uint32_t>(tokens.expect_count("a column", kLargestLine));
  while (tokens.accept(",")) skip_inlining(tokens);
  return line;
}

}  // namespace jitc::emulator
