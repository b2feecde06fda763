// What kernels print.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/unit/emulator_launch/one_launch.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

std::string bytes_text(std::string_view name, std::string_view text) {
  std::vector<int> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return fmt::format(".global .align 1 .b8 {}[{}] = {{{}}};\n", name, bytes.size(), fmt::join(bytes, ", "));
}

/// `stores` fills the 64 bytes of arguments at %rd4, which are local.
std::string print_text(std::string_view format, std::string_view stores) {
  const std::string declarations = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n" +
                                   bytes_text("f", format) + bytes_text("t", "text");
  return grid_text(
      fmt::format(".local .align 8 .b8 args[64]; mov.u64 %rd3, args; cvta.local.u64 %rd4, %rd3; mov.u64 %rd5, t;\n"
                  "cvta.global.u64 %rd5, %rd5; mov.u64 %rd6, f; cvta.global.u64 %rd6, %rd6;\n{}\n"
                  "{{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd6; st.param.b64 [b], %rd4;\n"
                  "call (c), vprintf, (a, b); ld.param.b32 %r10, [c]; }} st.global.u32 [%rd2], %r10;",
                  stores),
      declarations);
}

std::string printed(std::string_view format, std::string_view stores) {
  OneLaunch one(print_text(format, stores));
  REQUIRE(one.run().empty());
  return one.printed();
}

TEST_CASE("Integers of four and eight bytes lie at multiples of their size") {
  CHECK(printed("%d %lld %u %x|%5d|%-5d|%05d\n",
                "st.u32 [%rd4], -3; st.u64 [%rd4+8], -5000000000; st.u32 [%rd4+16], -1; st.u32 [%rd4+20], 255;\n"
                "st.u32 [%rd4+24], 42; st.u32 [%rd4+28], 42; st.u32 [%rd4+32], 42;") ==
        "-3 -5000000000 4294967295 ff|   42|42   |00042\n");
}

TEST_CASE("Short integers, characters and percent signs are printed as C does") {
  CHECK(printed("%hhd %hu %c %% %*d.",
                "st.u32 [%rd4], 0x1ff; st.u32 [%rd4+4], 0x10002; st.u32 [%rd4+8], 65;\n"
                "st.u32 [%rd4+12], 4; st.u32 [%rd4+16], 7;") == "-1 2 A %    7.");
}

TEST_CASE("Floats are doubles, strings are addresses") {
  CHECK(printed("%f %.2e %g %s|%6s|%.2s\n",
                "st.u64 [%rd4], 0x3FF8000000000000; st.u64 [%rd4+8], 0x4059000000000000;\n"
                "st.u64 [%rd4+16], 0xFFF0000000000000; st.u64 [%rd4+24], %rd5; st.u64 [%rd4+32], %rd5;\n"
                "st.u64 [%rd4+40], %rd5;") == "1.500000 1.00e+02 -inf text|  text|te\n");
}

TEST_CASE("vprintf returns how many arguments it read") {
  OneLaunch one(print_text("%d %d\n", "st.v2.u32 [%rd4], {1, 2};"));
  REQUIRE(one.run().empty());
  CHECK(one.word(0) == 2);
}

TEST_CASE("Lines come block by block and thread by thread, whatever the host does") {
  OneLaunch one(print_text("%d\n", "st.u32 [%rd4], %r3;"));
  one.launch.grid = {12, 1, 1};
  one.launch.block = {40, 1, 1};
  REQUIRE(one.run().empty());
  std::string expected;
  for (int i = 0; i < 480; ++i) expected += fmt::format("{}\n", i);
  CHECK(one.printed() == expected);
}

TEST_CASE("A format outside memory is a fault") {
  OneLaunch one(print_text("", "mov.u64 %rd6, 16;"));
  CHECK_THAT(one.run(), Catch::Contains("kernel k: out of bounds read in k"));
}

TEST_CASE("What was printed before a fault is not lost") {
  std::string text = print_text("%s\n", "st.u64 [%rd4], %rd5;");
  text.insert(text.rfind("ret;"), "trap;\n");
  OneLaunch one(text);
  CHECK(!one.run().empty());
  CHECK(one.printed() == "text\n");
}

}  // namespace
}  // namespace jitc::emulator_test
