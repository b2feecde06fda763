#include "src/cli/bind_arguments.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/cli/refusal.hpp"

using namespace jitc;

namespace {

ArgumentInfo scalar_of(const char* name, DType dtype) {
  ArgumentInfo out;
  out.name = name;
  out.dtype = dtype;
  return out;
}

ArgumentInfo array_of(const char* name, DType dtype, int rank = 1, Layout layout = Layout::any) {
  ArgumentInfo out = scalar_of(name, dtype);
  out.is_array = true;
  out.rank = rank;
  out.layout = layout;
  return out;
}

const std::vector<ArgumentInfo> kAxpy = {scalar_of("a", f4), array_of("x", f4), array_of("y", f4)};

std::string ordered(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& spec :
       cli::order_args(cli::parse_args(words), {"a", "x", "y"}, "kernel axpy", "void(f4, f4[:], f4[:])")) {
    out += spec.name;
  }
  return out;
}

/// The number of the signature, or the refusal.
std::string matched(const std::vector<std::string>& words, const std::vector<std::vector<ArgumentInfo>>& signatures) {
  std::string out;
  const std::string refused = refusal([&] {
    const std::vector<std::string> texts(signatures.size(), "void(…)");
    out = std::to_string(cli::match_signature(cli::parse_args(words), signatures, texts, "kernel k"));
  });
  return out.empty() ? refused : out;
}

}  // namespace

TEST_CASE("arguments come in any order and are put into the kernel's") {
  CHECK(ordered({"y=zeros:f4[2]", "a=2", "x=x.npy"}) == "axy");
}

TEST_CASE("words that are not NAME=VALUE are refused") {
  CHECK(refusal([] { ordered({"a"}); }) == "--arg a: it is not NAME=VALUE | such as --arg x=points.npy");
  CHECK(refusal([] { ordered({"=2"}); }) == "--arg =2: it is not NAME=VALUE | such as --arg x=points.npy");
  CHECK(refusal([] { ordered({"a="}); }) == "--arg a=: it is not NAME=VALUE | such as --arg x=points.npy");
  CHECK(refusal([] { ordered({"a=1", "a=2"}); }) == "--arg a is given twice");
  CHECK(refusal([] { cli::parse_named({"y=a", "y=b"}, "--out"); }) == "--out y is given twice");
}

TEST_CASE("a value may hold further equal signs") {
  CHECK(cli::parse_named({"x=random:f4[2]:seed=3"}, "--arg").front().text == "random:f4[2]:seed=3");
}

TEST_CASE("unknown and missing arguments are named") {
  CHECK(refusal([] {
          ordered({"a=2", "xs=x.npy", "y=y.npy"});
        }) == "kernel axpy has no argument 'xs' | did you mean 'x'?");
  CHECK(refusal([] { ordered({"weight=2"}); }) == "kernel axpy has no argument 'weight' | its arguments are: a, x, y");
  CHECK(refusal([] {
          ordered({"a=2", "x=x.npy"});
        }) == "kernel axpy: argument y is missing | add --arg y=SPEC; the signature is void(f4, f4[:], f4[:])");
  CHECK(refusal([] { ordered({"x=x.npy"}); }) ==
        "kernel axpy: arguments a, y are missing | add --arg a=SPEC --arg y=SPEC; the signature is void(f4, f4[:], "
        "f4[:])");
}

TEST_CASE("a faulty SPEC names its argument") {
  CHECK_THAT(refusal([] { ordered({"a=zeroes:f4[2]"}); }),
             Catch::Matchers::StartsWith("argument a: 'zeroes:f4[2]' is not a SPEC: 'zeroes:' makes no array"));
}

TEST_CASE("the signature is the one that the arguments fit") {
  const std::vector<std::vector<ArgumentInfo>> signatures = {{array_of("x", f4)}, {array_of("x", f8)}};
  CHECK(matched({"x=zeros:f4[2]"}, signatures) == "0");
  CHECK(matched({"x=zeros:f8[2]"}, signatures) == "1");
  CHECK(matched({"x=zeros:i4[2]"}, signatures) ==
        "the arguments fit no signature of kernel k:\n  0: void(…): argument x: it is i4[2], f4[:] is wanted"
        "\n  1: void(…): argument x: it is i4[2], f8[:] is wanted");
  CHECK(
      matched({"x=zeros:[2]"}, signatures) ==
      "the arguments fit several signatures of kernel k:\n  0: void(…)\n  1: void(…) | choose one with --signature N, "
      "or give a scalar its type, such as f4(2)");
}

TEST_CASE("scalars choose a signature by what they can be") {
  const std::vector<std::vector<ArgumentInfo>> signatures = {{scalar_of("n", i4)}, {scalar_of("n", f4)}};
  CHECK(matched({"n=2.5"}, signatures) == "1");
  CHECK(matched({"n=i4(2)"}, signatures) == "0");
  CHECK_THAT(matched({"n=2"}, signatures), Catch::Matchers::StartsWith("the arguments fit several"));
}

TEST_CASE("signatures that differ in layout alone are no choice of the arguments") {
  CHECK(matched({"x=zeros:f4[2,2]"}, {{array_of("x", f4, 2, Layout::c)}, {array_of("x", f4, 2)}}) == "0");
}

TEST_CASE("a file that cannot be read fits nothing") {
  CHECK(matched({"x=no.npy"}, {{array_of("x", f4)}, {array_of("x", f8)}}) ==
        "argument x: cannot read no.npy: No such file or directory");
}
