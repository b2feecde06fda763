// The outermost level of a PTX text. Source: PTX ISA, "PTX Module Directives", "Linking Directives".
#include <charconv>

#include "runtime/emulator/ptx/parser_parts.hpp"

namespace jitc::emulator {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

// '.version' major '.' minor
void parse_version(Parser& parser) {
  parser.tokens.expect(".version");
  const Token token = parser.tokens.expect(TokenKind::real, "a version such as 7.0");
  const size_t point = token.text.find('.');
  uint32_t major = 0, minor = 0;
  const bool is_version = point != std::string_view::npos && read_number(token.text.substr(0, point), major) &&
                          read_number(token.text.substr(point + 1), minor) && minor < 10 && major < 1000;
  if (!is_version) refuse(token.at, "'{}' is not a PTX version", token.text.substr(0, 40));
  parser.module.version = 10 * major + minor;
}

// target: 'sm_' digits letter?
void parse_target_name(Parser& parser, const Token& token) {
  std::string_view number = token.text.substr(0, 3) == "sm_" ? token.text.substr(3) : std::string_view();
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) number.remove_suffix(1);
  if (!read_number(number, parser.module.sm)) refuse(token.at, "unknown target '{}'", token.text.substr(0, 40));
  parser.module.target = token.text;
}

// '.target' target (',' option)*
void parse_target(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  tokens.expect(".target");
  parse_target_name(parser, tokens.expect(TokenKind::identifier, "a target such as sm_80"));
  while (tokens.accept(",")) {
    const Token option = tokens.expect(TokenKind::identifier, "a target option");
    if (option.text == "debug") parser.module.has_debug = true;
    if (option.text != "debug" && option.text != "texmode_independent" && option.text != "texmode_unified") {
      refuse(option.at, "unknown target option '{}'", option.text.substr(0, 40));
    }
  }
}

// '.address_size' 64
void parse_address_size(Parser& parser) {
  if (!parser.tokens.accept(".address_size")) return;
  const Token size = parser.tokens.expect(TokenKind::integer, "an address size");
  if (size.bits != 64) refuse(size.at, "addresses of {} bits are not supported", size.bits);
}

// linkage: ('.visible' | '.weak' | '.extern' | '.common')?
Linkage parse_linkage(TokenReader& tokens) {
  if (tokens.accept(".visible")) return Linkage::visible;
  if (tokens.accept(".weak")) return Linkage::weak;
  if (tokens.accept(".extern")) return Linkage::external;
  if (tokens.accept(".common")) return Linkage::common;
  return Linkage::internal;
}

// alias: '.alias' identifier ',' identifier ';'
void parse_alias(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  tokens.expect(".alias");
  const Token name = tokens.expect(TokenKind::identifier, "a function name");
  tokens.expect(",");
  parser.module.aliases.push_back({name.at, name.text, tokens.expect(TokenKind::identifier, "a function name").text});
  tokens.expect(";");
}

/// The lines right above the one that begins at `line`, as far as they begin with //.
std::string_view comment_above(std::string_view text, size_t line) {
  size_t begin = line;
  while (begin >= 2) {
    const size_t end = text.rfind('\n', begin - 2);
    const size_t above = end == std::string_view::npos ? 0 : end + 1;
    if (!text.substr(above).starts_with("//")) break;
    begin = above;
  }
  return text.substr(begin, line - begin);
}

void parse_declaration(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  if (tokens.at(".alias")) return parse_alias(parser);
  const std::string_view text = *parser.module.text;
  const auto begin = static_cast<size_t>(tokens.peek().text.data() - text.data());
  const Linkage linkage = parse_linkage(tokens);
  if (tokens.at(".entry") || tokens.at(".func")) {
    parser.module.functions.push_back(parse_function(parser, linkage));
    parser.module.functions.back().comment = comment_above(text, begin);
  } else if (tokens.at(".global") || tokens.at(".const") || tokens.at(".shared")) {
    parser.module.variables.push_back(parse_variable(parser, linkage));
  } else {
    tokens.fail_expected("a function or a variable");
  }
}

}  // namespace

// module: version target address_size? (declaration | debug directive)*
void parse_module(Parser& parser) {
  TokenReader& tokens = parser.tokens;
  parse_version(parser);
  parse_target(parser);
  parse_address_size(parser);
  while (!tokens.at_end()) {
    if (at_debug_directive(parser)) {
      parse_debug_directive(parser);
    } else if (!tokens.accept(";")) {
      parse_declaration(parser);
    }
  }
}

Module parse(std::string text, const ParseLimits& limits) {
  if (text.size() > limits.text_bytes) refuse({}, "the text is larger than {} bytes", limits.text_bytes);
  const auto shared = std::make_shared<const std::string>(std::move(text));
  Parser parser = {TokenReader(*shared), limits, {}};
  parser.module.text = shared;
  parse_module(parser);
  return std::move(parser.module);
}

}  // namespace jitc::emulator
