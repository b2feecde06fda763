#include <catch2/catch.hpp>
#include <thread>

#include "src/kernel/kernel.hpp"
#include "src/pipeline/pipeline.hpp"

using namespace jitc;

namespace {

const char kText[] = R"dsl(
import math
from numba import cuda

def scale(v, s):
    return v * s

@cuda.jit(["void(f4[:], f4)", "void(f8[:], f8)"])
def k(x, s):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = scale(x[i], s) + math.sqrt(s)

@cuda.jit("void(i4[:,::1])")
def other(a):
    a[-1, -1] = 7
)dsl";

}  // namespace

TEST_CASE("a text becomes kernels with a variant per signature, in source order") {
  const auto m = pipeline::check(kText, {});
  INFO(source::render_all(m->file, m->diagnostics));
  REQUIRE(m->ok);
  REQUIRE(m->kernels.size() == 2);
  CHECK(m->kernels[0].name == "k");
  REQUIRE(m->kernels[0].variants.size() == 2);
  CHECK(m->kernels[0].variants[0].signature == "void(f4[:], f4)");
  CHECK(m->kernels[0].variants[1].signature == "void(f8[:], f8)");
  CHECK(m->kernels[1].variants[0].signature == "void(i4[:,::1])");
}

TEST_CASE("the contiguous program takes no strides, the strided one does") {
  const auto m = pipeline::check(kText, {});
  REQUIRE(m->ok);
  const auto strides = [](const kernel::KernelProgram& p) {
    size_t n = 0;
    for (const auto& param : p.params) n += param.part == ParamSlot::Part::stride;
    return n;
  };
  CHECK(strides(m->kernels[0].variants[0].strided) == 1);
  CHECK(strides(m->kernels[0].variants[0].contiguous) == 0);
  CHECK(strides(m->kernels[1].variants[0].strided) == 0);
}

TEST_CASE("entry names depend on name and signature alone") {
  const auto m = pipeline::check(kText, {});
  REQUIRE(m->ok);
  CHECK(m->kernels[0].variants[0].strided.symbol == "k__f4a1_f4");
  CHECK(m->kernels[1].variants[0].strided.symbol == "other__i4c2");
}

TEST_CASE("a text with an error gives no kernels and says why") {
  const auto m = pipeline::check("@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = y\n", {});
  CHECK_FALSE(m->ok);
  CHECK(m->kernels.empty());
  REQUIRE(m->diagnostics.size() == 1);
  CHECK(m->diagnostics[0].id == source::DiagId::kUnknownName);
}

TEST_CASE("a signature beside the text types a kernel without one") {
  pipeline::Options options;
  options.entry = "saxpy";
  options.signature = "void(f4, f4[:], f4[:])";
  const auto m = pipeline::check("def saxpy(a, x, y):\n    i = cuda.grid(1)\n    y[i] = a * x[i] + y[i]\n", options);
  INFO(source::render_all(m->file, m->diagnostics));
  REQUIRE(m->ok);
  CHECK(m->kernels.at(0).variants.at(0).signature == "void(f4, f4[:], f4[:])");
}

TEST_CASE("16 threads check one text at once and agree") {
  std::vector<std::string> printed(16);
  std::vector<std::thread> threads;
  for (std::string& out : printed) {
    threads.emplace_back([&out] {
      for (int i = 0; i < 20; ++i)
        out = kernel::print(pipeline::check(kText, {})->kernels.at(0).variants.at(0).strided);
    });
  }
  for (std::thread& t : threads) t.join();
  for (const std::string& p : printed) CHECK(p == printed[0]);
}

TEST_CASE("a kernel past the node limit is refused, not compiled") {
  std::string text = "def f0(a):\n    return a + a * a\n";
  for (int i = 1; i < 20; ++i) {
    const std::string n = std::to_string(i), below = std::to_string(i - 1);
    text += "def f" + n + "(a):\n    return f" + below + "(a) + f" + below + "(a + 1)\n";
  }
  text += "@cuda.jit(\"void(f4[:])\")\ndef k(x):\n    x[0] = f19(x[0])\n";
  pipeline::Options options;
  options.max_nodes = 100000;
  const auto m = pipeline::check(text, options);
  REQUIRE(m->diagnostics.size() == 1);
  CHECK(m->diagnostics[0].id == source::DiagId::kKernelTooLarge);
}
