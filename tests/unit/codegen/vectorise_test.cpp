// Guarded straight-line kernels come out as vector loops on the host.
#include <catch2/catch.hpp>

#include <regex>

#include "tests/support/host_assembly.hpp"
#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;
using jitc::tests::host_has;
using jitc::tests::loop_with;

std::string host_assembly(const KernelProgram& program) { return codegen::assembly(program, {}); }

TEST_CASE("axpy is one branch-free loop of full vectors") {
  if (!host_has("avx2")) {
    WARN("this processor has no AVX2: vector code is not checked");
    return;
  }
  const std::string reg = host_has("avx512f") ? "%zmm" : "%ymm";
  const std::string loop = loop_with(host_assembly(axpy()), "vmulps.*" + reg);
  INFO(loop);
  REQUIRE(loop != "");
  CHECK(std::regex_search(loop, std::regex("vaddps.*" + reg)));
  CHECK(std::regex_search(loop, std::regex("vmovups\\s+" + reg + "[0-9]+, .*\\(")));
  CHECK(std::regex_search(loop, std::regex(R"(\n\s+j\w+\s+\.LBB[^\n]*\n$)")));
  CHECK(!std::regex_search(loop, std::regex(R"(\n\s+j\w+[^\n]*\n[^\n]*\n)")));  // the last line is the only jump
}

TEST_CASE("a kernel that returns early is vectorised as well") {
  if (!host_has("avx2")) return;
  Builder k("early");
  const uint32_t n = k.scalar_param("n", DType::i8);
  const uint32_t x = k.data_param(k.array_argument("x", DType::f8, 1));
  const LocalId i = k.add_local("i", scalar(DType::i8));
  k.assign(i, k.thread(ThreadValue::kGlobalIdx));
  k.if_then(k.compare(CompareOp::kGe, k.local(i), k.param(n)), [&] { k.return_thread(); });
  const MemRef place = k.element(k.param(x), k.local(i));
  k.store(place, k.unary(UnaryOp::kSqrt, k.load(place)));
  CHECK(loop_with(host_assembly(k.take()), R"(vsqrtpd.*%[yz]mm)") != "");
}

TEST_CASE("vector loops compute every element and no other") {
  const CpuProgram program(axpy());
  for (const int64_t n : {0, 1, 7, 63, 64, 65, 255, 256, 257, 1000}) {
    std::vector<float> x(1024), y(1024), out(1024, -1.0f), expected(1024, -1.0f);
    for (size_t i = 0; i < 1024; ++i) x[i] = static_cast<float>(i) * 0.37f, y[i] = 1.0f / static_cast<float>(i + 1);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
      volatile float product = 1.7f * x[i];
      expected[i] = product + y[i];
    }
    program.run(launch_for(1000), n, 1.7f, x.data(), y.data(), out.data());
    CHECK(out == expected);
  }
}

TEST_CASE("pairwise distances are those of the plain loops") {
  const size_t n = 37, m = 4;
  std::vector<double> x(n * m), out(n * n, -1.0), expected;
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 101) / 7;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double d = 0;
      for (size_t c = 0; c < m; ++c) d = std::fma(x[i * m + c] - x[j * m + c], x[i * m + c] - x[j * m + c], d);
      expected.push_back(std::sqrt(d));
    }
  }
  const CpuLaunch launch{{3, 3, 1}, {16, 16, 1}};
  const auto bytes = [](size_t elems) { return static_cast<int64_t>(elems * sizeof(double)); };
  CpuProgram(pairwise())
      .run(launch, x.data(), int64_t(n), int64_t(m), bytes(m), bytes(1), out.data(), bytes(n), bytes(1));
  CHECK(out == expected);
}

}  // namespace
