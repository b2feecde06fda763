// The layouts of gufuncs, and what a gufunc must be.
#include <catch2/catch.hpp>

#include "src/sema/core_layout.hpp"
#include "src/sema/written_params.hpp"
#include "tests/unit/sema/typed_text.hpp"

using namespace jitc;
using sema::CoreLayout;
using source::Span;

namespace {

/// The layout as text, or the message with the place in the string: "unexpected 'x' at 3..4".
std::string parsed(const std::string& text) {
  source::DiagnosticSink sink;
  const Span inside{10, 10 + static_cast<uint32_t>(text.size())};
  const auto layout = sema::parse_core_layout(text, {9, inside.end + 1}, inside, sink);
  if (layout) return to_string(*layout);
  const source::Diagnostic& found = sink.all().at(0);
  return fmt::format("{} at {}..{}", found.message, found.span.begin - 10, found.span.end - 10);
}

/// The only gufunc of a text.
std::string checked(const std::string& decorator, const std::string& params, const std::string& body) {
  const tests::Typed typed("from numba import *\n" + decorator + "\ndef f(" + params + "):\n    " + body + "\n");
  if (typed.sink.has_errors()) return typed.messages();
  const sema::TypedKernel& f = typed.module.kernels.at(0);
  std::string out = to_string(*f.layout);
  for (const auto& variant : f.variants) out += " " + variant->signature;
  return out;
}

}  // namespace

TEST_CASE("layouts of all forms are read") {
  CHECK(parsed("(m,n),(n,p)->(m,p)") == "(m,n),(n,p)->(m,p)");
  CHECK(parsed("()->()") == "()->()");
  CHECK(parsed("(n),()->(n),()") == "(n),()->(n),()");
  CHECK(parsed("(3),(3)->(3)") == "(3),(3)->(3)");
  CHECK(parsed("(n)->(2,n)") == "(n)->(2,n)");
  CHECK(parsed(" ( a_1 , B2 ,) , ( ) , -> ( B2 , ) , ") == "(a_1,B2),()->(B2)");
  CHECK(parsed("(x)\t->\n(x)") == "(x)->(x)");
}

TEST_CASE("faults of a layout say where they are") {
  CHECK(parsed("(m,n),(n,p)") == "not a layout: there is no arrow, and no result at 11..12");
  CHECK(parsed("(n)->") == "not a layout: expected '(' of the first result, found the end at 5..6");
  CHECK(parsed("->(3)") == "not a layout: expected '(' of the first argument, found '->' at 0..2");
  CHECK(parsed("(n)->(n)->(n)") == "not a layout: a second arrow at 8..10");
  CHECK(parsed("(n") == "not a layout: expected ',' or ')', found the end at 2..3");
  CHECK(parsed("(n)->(n") == "not a layout: expected ',' or ')', found the end at 7..8");
  CHECK(parsed("(,n)->(n)") == "not a layout: expected the name of a dimension or its extent, found ',' at 1..2");
  CHECK(parsed("(n,,m)->(n)") == "not a layout: expected the name of a dimension or its extent, found ',' at 3..4");
  CHECK(parsed("(n m)->(n)") == "not a layout: expected ',' or ')', found 'm' at 3..4");
  CHECK(parsed("n->n") == "not a layout: expected '(' of the first argument, found 'n' at 0..1");
  CHECK(parsed("(n),(n)=>(n)") == "not a layout: expected '->', found '=' at 7..8");
  CHECK(parsed("(n)(n)->(n)") == "not a layout: expected '->', found '(' at 3..4");
  CHECK(parsed("(n)->(n)x") == "not a layout: unexpected 'x' at 8..9");
  CHECK(parsed("(2n)->(2n)") == "not a layout: an extent is a number from 1 to 2147483647 at 1..3");
  CHECK(parsed("(0)->(0)") == "not a layout: an extent is a number from 1 to 2147483647 at 1..2");
  CHECK(parsed("(2147483648)->()") == "not a layout: an extent is a number from 1 to 2147483647 at 1..11");
  CHECK(parsed("(n?)->(n)") == "not a layout: dimensions that may be missing ('n?') are not supported at 2..3");
  CHECK(parsed("(a,b,c,d)->()") == "an array of rank 4; arrays have 1 to 3 axes at 0..9");
  CHECK(parsed("(n)->(m)") == "the dimension 'm' of a result is that of no argument at 6..7");
  CHECK(parsed(std::string("(n)\0->(n)", 9)) ==
        "not a layout: expected '->', found '" + std::string(1, '\0') + "' at 3..4");
}

TEST_CASE("gufuncs are written in every form that ufuncs are") {
  const std::string both = "(n)->(n) void(f4[:], f4[:]) void(f8[:], f8[:])";
  const std::string body = "out[0] = a[0]";
  CHECK(checked("@guvectorize(['void(f4[:], f4[:])', '(f8[:], f8[:])'], '(n)->(n)')", "a, out", body) == both);
  CHECK(checked("@guvectorize([(f4[:], f4[:]), void(f8[:], f8[:])], '(n)->(n)', target='cuda')", "a, out", body) ==
        both);
  CHECK(checked("@guvectorize(['(f4[:], f4[:])', '(f8[:], f8[:])'], layout='(n)->(n)')", "a, out", body) == both);
  CHECK(checked("@guvectorize(['(f4[:], f4[:])', '(f8[:], f8[:])'], signature='(n)->(n)')", "a, out", body) == both);
  CHECK(checked("@guvectorize(signatures=['(f4[:], f4[:])', '(f8[:], f8[:])'], layout='(n)->(n)')", "a, out", body) ==
        both);
  CHECK(checked("@numba.guvectorize('(f4[:], f4[:])', '(n)->(n)')", "a, out", body) == "(n)->(n) void(f4[:], f4[:])");
  CHECK(checked("@guvectorize('(n)->(n)')", "a, out", body) == "(n)->(n)");
  CHECK(checked("@guvectorize('(n),()->()')", "a, s, out", "out[0] = a[0] * s") == "(n),()->()");
}

TEST_CASE("the call form makes a gufunc of a plain function") {
  const tests::Typed typed(R"dsl(
from numba import guvectorize
def g(a, out):
    out[0] = a[0]
f = guvectorize(["void(f4[:], f4[:])"], "(n)->()")(g)
)dsl");
  INFO(typed.messages());
  REQUIRE_FALSE(typed.sink.has_errors());
  CHECK(typed.module.kernels.at(0).name == "f");
  CHECK(typed.module.kernels.at(0).kind == sema::EntryKind::kGufunc);
  CHECK(typed.module.kernels.at(0).params == std::vector<std::string>{"a"});
}

TEST_CASE("signatures that differ in results alone are one") {
  const std::string message =
      checked("@guvectorize(['(f4[:], f4[:])', '(f4[:], f8[:])'], '(n)->(n)')", "a, out", "out[0] = a[0]");
  CHECK(message.find("the signature void(f4[:], f8[:]) is given twice") != std::string::npos);
}

TEST_CASE("stores are found through views, names and calls") {
  const tests::Typed typed(R"dsl(
from numba import cuda
def store(x, y):
    y[0] = x[0]
def first(x, y):
    return x
@cuda.jit("void(f4[:,:], f4[:], f4[:], f4[:], f4[:], f4[:], i4)")
def k(by_view, by_name, by_call, only_read, by_result, by_choice, n):
    by_view[0][1:][0] = 1
    x = by_name
    for i in range(2):
        y = x
        x = by_name[i:]
        y[0] = 2
    store(only_read, by_call)
    first(by_result, only_read)[0] = 3
    z = by_choice if n > 1 else by_name
    z[0] = 4
)dsl");
  INFO(typed.messages());
  REQUIRE_FALSE(typed.sink.has_errors());
  std::vector<uint32_t> written;
  for (const auto& [param, span] : sema::written_params(*typed.module.kernels.at(0).variants.at(0))) {
    written.push_back(param);
  }
  // a function that returns an array may return any of its arguments
  CHECK(written == std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("calls that multiply take no longer than their functions") {
  std::string text = "from numba import *\ndef step0(x, y):\n    y[0] = x[0]\n";
  for (int i = 1; i < 50; ++i) {
    const std::string call = "    step" + std::to_string(i - 1) + "(x, y)\n";
    text += "def step" + std::to_string(i) + "(x, y):\n" + call + call;
  }
  text += "@guvectorize(['void(f4[:], f4[:])'], '(n)->(n)')\ndef f(x, out):\n    step49(x, out)\n";
  const tests::Typed typed(text);
  INFO(typed.messages());
  CHECK_FALSE(typed.sink.has_errors());
}

TEST_CASE("what is only read is not found to be written") {
  const tests::Typed typed(R"dsl(
from numba import cuda
def store(x, y):
    y[0] = x[0]
@cuda.jit("void(f4[:,:], f4[:], f4[:])")
def k(a, b, out):
    row = a[0]
    store(row, out)
    n = b.size
    out[n - 1] = b[0] + row[1]
)dsl");
  INFO(typed.messages());
  REQUIRE_FALSE(typed.sink.has_errors());
  const auto written = sema::written_params(*typed.module.kernels.at(0).variants.at(0));
  REQUIRE(written.size() == 1);
  CHECK(written.begin()->first == 2);
  CHECK(typed.file.text(written.begin()->second) == "store(row, out)");
}
