#include "tests/support/run_cases/ptx_rules.hpp"

#include <catch2/catch.hpp>

#include "src/kernel/builder.hpp"

namespace jitc::cases {
namespace {

const std::string kHead = ".version 6.3\n.target sm_75\n.address_size 64\n";

std::vector<std::string> broken(const std::string& line, DType scalar = DType::f4, const std::string& head = kHead) {
  kernel::Builder b("k");
  b.scalar_param("a", scalar);
  return broken_ptx_rules(head + line, 75, b.take());
}

TEST_CASE("Correctly rounded arithmetic is accepted") {
  CHECK(broken("\tadd.rn.f32 \t%f3, %f1, %f2;\n\tmul.rn.f32 %f3, %f1, %f2;\n\tfma.rn.f32 %f3, %f1, %f2, %f4;\n"
               "\tdiv.rn.f32 %f3, %f1, %f2;\n\tsqrt.rn.f32 %f3, %f1;\n\tadd.s64 %rd1, %rd2, %rd3;\n")
            .empty());
}

TEST_CASE("Arithmetic that ptxas could contract is refused") {
  for (const char* line : {"\tmul.f32 %f3, %f1, %f2;\n", "\tadd.f32 %f3, %f1, %f2;\n", "\tsub.f32 %f3, %f1, %f2;\n",
                           "\tmad.rn.f32 %f3, %f1, %f2, %f4;\n"}) {
    CAPTURE(line);
    CHECK(broken(line).size() == 1);
  }
  CHECK(broken("\tmul.f64 %fd3, %fd1, %fd2;\n", DType::f8).size() == 1);
}

TEST_CASE("Atomic operations round once, whatever their name") {
  CHECK(broken("\tatom.global.add.f32 %f2, [%rd1], %f1;\n\tred.shared.add.f32 [%rd1], %f1;\n").empty());
}

TEST_CASE("Approximate arithmetic and flushed subnormals are refused") {
  for (const char* line :
       {"\tdiv.full.f32 %f3, %f1, %f2;\n", "\tsqrt.approx.f32 %f3, %f1;\n", "\tadd.rn.ftz.f32 %f3, %f1, %f2;\n"}) {
    CAPTURE(line);
    CHECK_FALSE(broken(line).empty());
  }
}

TEST_CASE("A kernel without f8 values has no f8 instruction") {
  CHECK(broken("\tcvt.f64.f32 %fd1, %f1;\n").size() == 1);
  CHECK(broken("\tcvt.f64.f32 %fd1, %f1;\n", DType::f8).empty());
}

TEST_CASE("A printed f4 value is an f8 for the printer") {
  kernel::Builder b("k");
  b.print({{"", b.constant(DType::f4, 1.0F)}});
  CHECK(broken_ptx_rules(kHead + "\tcvt.f64.f32 %fd1, %f1;\n", 75, b.take()).empty());
}

TEST_CASE("The target is the one that was asked for") {
  CHECK(broken("", DType::f4, ".target sm_80\n").size() == 1);
  CHECK_FALSE(broken("", DType::f4, ".target sm_75a\n").empty());
  CHECK(broken("", DType::f4, ".target sm_75, debug\n").empty());
}

}  // namespace
}  // namespace jitc::cases
