// Texts made to break a compiler: each must end in diagnostics, never in a crash or an exception.
#include <catch2/catch.hpp>

#include "src/pipeline/pipeline.hpp"

using namespace jitc;

namespace {

std::string repeated(const std::string& part, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += part;
  return out;
}

std::string kernel_of(const std::string& expression) {
  return "@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = " + expression + "\n";
}

bool refused(const std::string& text) {
  const auto m = pipeline::check(text, {});
  INFO(source::render_all(m->file, m->diagnostics).substr(0, 2000));
  CHECK(m->diagnostics.size() <= 51);
  return !m->ok;
}

}  // namespace

TEST_CASE("nesting past every limit is refused") {
  CHECK(refused(kernel_of(repeated("(", 10000) + "1" + repeated(")", 10000))));
  CHECK(refused(kernel_of(repeated("-", 100000) + "1")));
  CHECK(refused(kernel_of(repeated("x[", 10000) + "0" + repeated("]", 10000))));
  CHECK(refused(kernel_of("1" + repeated(" + 1.5 * x[0]", 20000))));
  CHECK(refused(kernel_of(repeated("not ", 50000) + "1")));
  CHECK(refused(kernel_of(repeated("1 if x[0] else ", 5000) + "2")));
  CHECK(refused(kernel_of(repeated("2 ** ", 5000) + "2")));
}

TEST_CASE("expressions just inside the limits compile") {
  const auto deep = pipeline::check(kernel_of(repeated("(", 200) + "1" + repeated(")", 200)), {});
  CHECK(deep->ok);
  const auto wide = pipeline::check(kernel_of("x[0]" + repeated(" + x[0]", 400)), {});
  INFO(source::render_all(wide->file, wide->diagnostics));
  CHECK(wide->ok);
}

TEST_CASE("odd bytes are refused") {
  CHECK(refused(kernel_of(std::string("1\0 + 2", 6))));
  CHECK(refused(kernel_of("1 + \xff\xfe")));
  CHECK(refused(std::string(1 << 20, 'a')));
  CHECK(refused(std::string(1 << 20, '\t')));
  CHECK(refused(""));
}

TEST_CASE("huge literals are refused or become what Python makes of them") {
  CHECK(refused(kernel_of(repeated("9", 1 << 20))));
  CHECK(pipeline::check(kernel_of("1e999"), {})->ok);
  CHECK(refused(kernel_of("10 ** 10 ** 10")));
  CHECK(refused(kernel_of("2 ** 1000000000000")));
  CHECK(refused(kernel_of("1 << (1 << 62)")));
}

TEST_CASE("signatures of absurd sizes are refused") {
  CHECK(refused("@cuda.jit(\"void(f4[" + repeated(":,", 999) + ":])\")\ndef k(x):\n    pass\n"));
  CHECK(refused("@cuda.jit(\"void(" + repeated("f4,", 5000) + "f4)\")\ndef k(x):\n    pass\n"));
  CHECK(refused("@cuda.jit(\"" + repeated("void(", 5000) + "\")\ndef k(x):\n    pass\n"));
}

TEST_CASE("functions that call one another in circles are refused") {
  CHECK(refused("def f(a):\n    return g(a)\ndef g(a):\n    return f(a)\n" + kernel_of("f(x[0])")));
}

TEST_CASE("many locals and many statements stay quick to type") {
  std::string text = "@cuda.jit(\"void(f4[:])\")\ndef k(x):\n";
  for (int i = 0; i < 2000; ++i) text += "    v" + std::to_string(i) + " = x[" + std::to_string(i) + "] * 2\n";
  text += "    x[0] = v1999\n";
  CHECK(pipeline::check(text, {})->ok);
}
