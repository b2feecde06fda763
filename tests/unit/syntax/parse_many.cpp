// Parses texts from the standard input, for against_python.py: each as its size in bytes, a newline and the bytes.
// The answer to each has the same form: "ok" and the printed tree, or "error" and the codes.
#include <iostream>
#include <string>

#include "src/syntax/parser.hpp"

namespace {

std::string answer(std::string text) {
  const jitc::source::SourceFile file("case.dsl", std::move(text));
  jitc::source::DiagnosticSink sink;
  const jitc::syntax::Ast ast = jitc::syntax::parse(file, sink);
  if (!sink.has_errors()) return "ok\n" + jitc::syntax::print_ast(ast);
  std::string codes = "error\n";
  for (const auto& diagnostic : sink.all()) {
    codes += fmt::format("{} {}\n", jitc::source::info(diagnostic.id).code, file.position(diagnostic.span.begin).line);
  }
  return codes;
}

}  // namespace

int main() {
  std::string size_line;
  while (std::getline(std::cin, size_line)) {
    std::string text(std::stoul(size_line), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    const std::string out = answer(std::move(text));
    std::cout << out.size() << '\n' << out;
  }
}
