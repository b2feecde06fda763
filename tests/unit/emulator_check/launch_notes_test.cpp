#include "runtime/emulator/program/launch_notes.hpp"

#include <catch2/catch.hpp>

#include "runtime/emulator/program/load_module.hpp"

using namespace jitc::emulator;

namespace {

const std::vector<ParamPlace> kParams = {{"p0", 0, 4, 4}, {"p1", 8, 8, 8}, {"p2", 16, 8, 8}, {"p3", 24, 8, 8}};

}  // namespace

TEST_CASE("the comment above an entry gives arguments, types and where their parts lie") {
  const LaunchNotes notes = read_launch_notes(
      "// k(a: f4, x: i2[:,:], y: f8[::1,:])\n//   param 0: a\n//   param 1: x.data\n//   param 2: x.shape[1]\n"
      "//   param 3: x.strides[0]\n",
      kParams);
  REQUIRE(notes.arguments.size() == 3);
  const ArgumentNote& x = notes.arguments[1];
  CHECK(x.name == "x");
  CHECK(x.type == "i2[:,:]");
  CHECK(x.elem_bytes == 2);
  CHECK(x.data == 8u);
  CHECK(x.extents == std::vector<std::optional<uint32_t>>{std::nullopt, 16u});
  CHECK(x.strides == std::vector<std::optional<uint32_t>>{24u, std::nullopt});
  CHECK_FALSE(x.is_fortran_order);
  CHECK(notes.arguments[2].is_fortran_order);
  CHECK_FALSE(notes.arguments[2].data);
  CHECK_FALSE(notes.are_in_memory);
}

TEST_CASE("the bytes of an element follow from its type") {
  const std::pair<std::string, uint32_t> rows[] = {{"b1", 1},   {"u8", 8}, {"f2", 2},
                                                   {"bf16", 2}, {"c8", 8}, {"c16", 16}};
  for (const auto& [type, bytes] : rows) {
    CAPTURE(type);
    const LaunchNotes notes = read_launch_notes("// k(x: " + type + "[:])\n//   param 1: x.data\n", kParams);
    REQUIRE(notes.arguments.size() == 1);
    CHECK(notes.arguments[0].elem_bytes == bytes);
  }
}

TEST_CASE("parameters in memory have their own offsets") {
  const LaunchNotes notes =
      read_launch_notes("// k(x: f4[:])\n//   param 0: the address of these\n//   byte 5000: x.data\n", kParams);
  REQUIRE(notes.arguments.size() == 1);
  CHECK(notes.are_in_memory);
  CHECK(notes.arguments[0].data == 5000u);
}

TEST_CASE("a comment of another kind says nothing, and is no error") {
  for (const std::string text :
       {"", "// axpy, by hand\n", "// k(x: f4[:])\n//   param 9: x.data\n", "// k(x: f4[:])\n//   param 0: z.data\n",
        "// k(x: f4[:])\n//   param 1: x.shape[1]\n", "// k(x: f4[:])\n//   param 1: x.size\n", "// k(x)\n",
        "// k(x: 4[:])\n", "// k(x: f0)\n", "// k(x: f4[:]) and more\n", "// k(x: f4[:])\n// and more\n"}) {
    CAPTURE(text);
    CHECK(read_launch_notes(text, kParams).arguments.empty());
  }
}

TEST_CASE("a kernel has the notes that stand right above it") {
  const std::string entry = ".visible .entry k(.param .u64 p)\n{\nret;\n}\n", comment = "// k(x: f4[:])\n";
  const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n", line = "//   param 0: x.data\n";
  const auto count = [&](const std::string& text) {
    return load_module(head + text).programs.at(0).notes.arguments.size();
  };
  CHECK(count(comment + line + entry) == 1);
  CHECK(count(comment + line + "\n" + entry) == 0);
  CHECK(count("// demoted\n\n" + comment + line + entry) == 1);
  CHECK(count(entry) == 0);
}
