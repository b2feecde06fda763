// Thousands of damaged programs: the parser always ends, and what it calls good is a complete tree.
#include <catch2/catch.hpp>

#include <fstream>
#include <random>
#include <sstream>

#include "src/source/utf8.hpp"
#include "tests/unit/syntax/parsing.hpp"

using namespace jitc;
using namespace jitc::syntax;

namespace {

std::vector<std::string> snippets() {
  std::ifstream in(JITC_SNIPPETS, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  std::vector<std::string> out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.size(), text.find("\n%%\n", begin));
    out.push_back(text.substr(begin, end - begin) + "\n");
    begin = end + 4;
  }
  return out;
}

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  /// Bytes exchanged, dropped, doubled, inserted, and pieces of `other` put in.
  std::string damage(std::string text, const std::string& other) {
    for (size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
      const size_t at = below(text.size());
      switch (below(5)) {
        case 0: text[at] = static_cast<char>(random_()); break;
        case 1: text.erase(at, 1 + below(8)); break;
        case 2: text.insert(at, text.substr(at, 1 + below(20))); break;
        case 3: text.insert(at, 1, "()[]{}:,.='\"\\\n\t #\0\xFF\xC3"[below(21)]); break;
        default: text.insert(at, other.substr(below(other.size()), 1 + below(30))); break;
      }
    }
    return text;
  }

  size_t below(size_t bound) { return random_() % bound; }

 private:
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("damaged programs give a tree or diagnostics that can be shown") {
  const std::vector<std::string> corpus = snippets();
  REQUIRE(corpus.size() > 30);
  Mutator mutator(7);
  for (int i = 0; i < 6000; ++i) {
    const std::string text = mutator.damage(corpus[mutator.below(corpus.size())], corpus[mutator.below(corpus.size())]);
    const source::SourceFile file("t.dsl", text);
    source::DiagnosticSink sink;
    const Ast ast = parse(file, sink);
    // print_ast visits every node that the tree reaches: an invalid child would throw.
    REQUIRE_NOTHROW(print_ast(ast));
    REQUIRE_NOTHROW(source::render_all(file, sink.all()));
    REQUIRE_NOTHROW(source::to_json(file, sink.all()));
  }
}

TEST_CASE("damaged expressions inside a file end") {
  const std::vector<std::string> corpus = snippets();
  Mutator mutator(8);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = mutator.damage("void(f4[:, ::1], i8(f8), Tuple((b1, \"x\")))", corpus[0]);
    // Of those parse() speaks, which reads the whole file before.
    if (text.find('\0') != std::string::npos || source::find_invalid_utf8(text) != std::string::npos) continue;
    const source::SourceFile file("t.dsl", text);
    source::DiagnosticSink sink;
    Ast ast;
    const ExprId expr = parse_expression(file, {0, static_cast<uint32_t>(text.size())}, ast, sink);
    REQUIRE(expr.valid() != sink.has_errors());
  }
}

TEST_CASE("every beginning of a program ends") {
  for (const std::string& text : snippets()) {
    for (size_t size = 0; size < text.size(); ++size) {
      const source::SourceFile file("t.dsl", text.substr(0, size));
      source::DiagnosticSink sink;
      REQUIRE_NOTHROW(print_ast(parse(file, sink)));
    }
  }
}
