#include "src/cli/launch_shape.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/cli/refusal.hpp"

using namespace jitc;
using cli::choose_launch_shape;
using cli::LaunchedArray;

namespace {

/// A kernel that reads the thread index along x, y … up to `axes`.
kernel::KernelProgram kernel_with(int axes) {
  kernel::KernelProgram program;
  for (int axis = 0; axis < axes; ++axis) {
    program.exprs.add(
        {{}, kernel::scalar(i8), kernel::ThreadIndex{kernel::ThreadValue::kGlobalIdx, static_cast<uint8_t>(axis)}});
  }
  return program;
}

/// "grid / block note".
std::string chosen(int axes, const std::vector<LaunchedArray>& arrays, std::optional<Dim3> grid = {},
                   std::optional<Dim3> block = {}) {
  const cli::LaunchShape shape = choose_launch_shape(kernel_with(axes), arrays, grid, block);
  return cli::format_dim3(shape.config.grid) + " / " + cli::format_dim3(shape.config.block) + " " + shape.note;
}

}  // namespace

TEST_CASE("a 1-D kernel gets blocks of 256 that cover the longest vector") {
  CHECK(chosen(1, {{"x", {1000}}}) == "4 / 256 chosen to cover x[1000]");
  CHECK(chosen(1, {{"x", {10}}, {"y", {1024}}, {"A", {100, 100}}}) == "4 / 256 chosen to cover y[1024]");
  CHECK(chosen(1, {{"x", {1025}}}) == "5 / 256 chosen to cover x[1025]");
}

TEST_CASE("of equally large arrays the written one is covered") {
  CHECK(chosen(2, {{"a", {30, 40}}, {"b", {40, 30}, true}}) == "3,2 / 16,16 chosen to cover b[40,30]");
  CHECK(chosen(2, {{"a", {30, 40}}, {"b", {40, 30}}}) == "2,3 / 16,16 chosen to cover a[30,40]");
}

TEST_CASE("axis 0 of a matrix lies along x") {
  CHECK(chosen(2, {{"D", {150, 20}}}) == "10,2 / 16,16 chosen to cover D[150,20]");
  CHECK(chosen(3, {{"V", {9, 8, 7}}}) == "2,1,2 / 8,8,4 chosen to cover V[9,8,7]");
}

TEST_CASE("arrays of more axes serve where none has as many as the thread index") {
  CHECK(chosen(1, {{"A", {30, 40}}}) == "5 / 256 chosen to cover A[30,40]");
  CHECK(chosen(2, {{"V", {32, 16, 99}}}) == "2 / 16,16 chosen to cover V[32,16,99]");
}

TEST_CASE("a grid or block that is given is kept") {
  CHECK(chosen(1, {{"x", {1000}}}, Dim3{7}) == "7 / 256 ");
  CHECK(chosen(1, {{"x", {1000}}}, {}, Dim3{128}) == "8 / 128 chosen to cover x[1000]");
  CHECK(chosen(2, {{"x", {1000}}}, Dim3{7, 5}, Dim3{3, 2}) == "7,5 / 3,2 ");
}

TEST_CASE("without a thread index or without elements there is one block") {
  CHECK(chosen(0, {{"x", {1000}}}) == "1 / 1 one block, as the kernel uses no thread index");
  CHECK(chosen(1, {}) == "1 / 256 one block, as there are no arrays");
  CHECK(chosen(1, {{"x", {0}}}) == "1 / 256 chosen to cover x[0]");
}

TEST_CASE("a block never has more threads than the kernel allows") {
  kernel::KernelProgram program = kernel_with(2);
  program.max_threads_per_block = 100;
  const Dim3 block = choose_launch_shape(program, {{"A", {5, 5}}}, {}, {}).config.block;
  CHECK(cli::format_dim3(block) == "8,8");
  program.max_threads_per_block = 1;
  CHECK(cli::format_dim3(choose_launch_shape(program, {{"A", {5, 5}}}, {}, {}).config.block) == "1");
}

TEST_CASE("a grid that cannot be chosen is asked for") {
  CHECK(refusal([] {
          chosen(2, {{"x", {1000}}});
        }) ==
        "no grid can be chosen: the kernel uses 2 axes of the thread index, no array has as many | give --grid and "
        "--block");
  CHECK(
      refusal([] {
        chosen(2, {{"A", {2, 2000000}}});
      }) ==
      "no grid covers A[2,2000000]: 125000 blocks along y, the limit is 65535 | give --grid and --block, and let each "
      "thread do several elements");
}

TEST_CASE("dims are written with commas") {
  CHECK(cli::format_dim3(cli::parse_dim3("63", "--grid")) == "63");
  CHECK(cli::format_dim3(cli::parse_dim3("63,1", "--grid")) == "63");
  CHECK(cli::format_dim3(cli::parse_dim3("63,62", "--grid")) == "63,62");
  CHECK(cli::format_dim3(cli::parse_dim3("1,1,7", "--grid")) == "1,1,7");
  for (const char* text : {"", "x", "1,", "1,,2", "1,2,3,4", "-1", "1x1", "4294967296", "1, 2"}) {
    CHECK(refusal([&] { cli::parse_dim3(text, "--grid"); }) ==
          std::string("--grid ") + text + " is not X, X,Y or X,Y,Z | such as --grid 63,63");
  }
}
