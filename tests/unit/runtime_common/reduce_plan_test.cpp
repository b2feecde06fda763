// Which axes of an array are folded, and how the work is spread: nothing here touches memory.
#include "runtime/common/reduce_plan.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <numeric>

#include "jitc/reduction_tree.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using namespace jitc::runtime;

namespace {

using Shape = std::vector<int64_t>;

/// A plan of an array of f4 at 1000, to a result in C order at 5000.
ReducePlan plan_of(const Shape& shape, const Shape& strides, const std::vector<bool>& folded) {
  const Shape left = shape_without(shape, folded, false);
  Shape left_strides(left.size(), 4);
  for (size_t axis = left.size(); axis-- > 1;) left_strides[axis - 1] = left_strides[axis] * left[axis];
  return plan_reduction({"a", shape, strides, 1000, 4}, folded, {"out", left, left_strides, 5000, 4});
}

ReducePlan rows_of(int64_t rows, int64_t elems) { return plan_of({rows, elems}, {elems * 4, 4}, {false, true}); }
ReducePlan columns_of(int64_t columns, int64_t elems) {
  return plan_of({elems, columns}, {columns * 4, 4}, {true, false});
}

}  // namespace

TEST_CASE("axes are counted from either end, each once") {
  CHECK(folded_axes("f", std::vector{0, -1}, 3) == std::vector<bool>{true, false, true});
  CHECK(folded_axes("f", std::vector<int>{}, 2) == std::vector<bool>{false, false});
  CHECK(folded_axes("f", std::vector{0}, 0).empty());
  CHECK_ERROR(folded_axes("f", std::vector{3}, 3), ErrorCode::argument, "f: there is no axis 3: the array has 3 axes");
  CHECK_ERROR(folded_axes("f", std::vector{1}, 0), ErrorCode::argument, "f: there is no axis 1: the array has 0 axes");
  CHECK_ERROR(folded_axes("f", std::vector{2, -1}, 3), ErrorCode::argument, "f: axis 2 is named twice");
}

TEST_CASE("the result lacks the folded axes, or keeps them with an extent of 1") {
  CHECK(shape_without(Shape{2, 3, 4}, {true, false, true}, false) == Shape{3});
  CHECK(shape_without(Shape{2, 3, 4}, {true, false, true}, true) == Shape{1, 3, 1});
}

TEST_CASE("folded axes join where one continues the other, and are never taken in another order") {
  const ReducePlan all = plan_of({2, 3, 4}, {48, 16, 4}, {true, true, true});
  CHECK(all.inner == Shape{24});
  CHECK(all.source_strides_bytes == Shape{4});
  const ReducePlan transposed = plan_of({4, 3}, {4, 16}, {true, true});
  CHECK(transposed.inner == Shape{4, 3});
  CHECK(transposed.source_strides_bytes == Shape{4, 16});
  const ReducePlan backwards = plan_of({3, 4}, {-16, -4}, {true, true});
  CHECK(backwards.inner == Shape{12});
  CHECK(backwards.source_strides_bytes == Shape{-4});
  CHECK(backwards.source == 1000);
  CHECK(plan_of({1, 5, 1}, {4, 4, 4}, {true, false, true}).inner == Shape{1});
}

TEST_CASE("the axes that stay join in any order, with what is stored") {
  const ReducePlan plan = plan_of({2, 3, 4}, {48, 16, 4}, {false, false, true});
  CHECK(plan.outer == Shape{6});
  CHECK(plan.inner == Shape{4});
  CHECK(plan.source_strides_bytes == Shape{16, 4});
  CHECK(plan.result_strides_bytes == Shape{4, 0});
  CHECK(plan.result == 5000);
}

TEST_CASE("a first pass stores what the next one reads") {
  const ReducePlan plan = rows_of(3, 2 * kReduceBlock + 1);
  CHECK(plan.blocks() == 3);
  const ReducePasses passes = split_reduction(plan, 7000, 4);
  CHECK(passes.first.source == 1000);
  CHECK(passes.first.result == 7000);
  CHECK(passes.first.result_strides_bytes == Shape{4, 12});
  CHECK(passes.rest.source == 7000);
  CHECK(passes.rest.inner == Shape{3});
  CHECK(passes.rest.source_strides_bytes == Shape{4, 12});
  CHECK(passes.rest.result == 5000);
  CHECK(passes.rest.result_strides_bytes == plan.result_strides_bytes);
}

TEST_CASE("lanes and their runs cover a block's elements, and the grid all jobs") {
  for (const bool is_host : {false, true}) {
    for (const int64_t elems : {1, 16, 17, 100, 4096, 4097, 1000000}) {
      for (const int64_t results : {1, 7, 1000, 1000000}) {
        for (const ReducePlan& plan : {rows_of(results, elems), columns_of(results, elems)}) {
          CAPTURE(is_host, elems, results);
          const auto spread = spread_reduction(plan, is_host, 2);
          REQUIRE(spread);
          CHECK(std::has_single_bit(spread->lanes));
          CHECK(spread->lanes * spread->runs * kReduceRun >= std::min(elems, kReduceBlock));
          CHECK(spread->lanes * spread->runs <= kReduceRuns);
          CHECK((!is_host || spread->lanes == 1));
          const int64_t threads = int64_t{spread->block.x} * spread->block.y;
          CHECK(spread->grid.x * (threads / spread->lanes) >= results * plan.blocks());
          if (spread->lanes > 1) {
            CHECK(threads == 256);
            CHECK((spread->jobs_first ? spread->block.y : spread->block.x) == spread->lanes);
          }
        }
      }
    }
  }
}

TEST_CASE("a GPU's threads share rows, and share columns only where there are too few") {
  CHECK(spread_reduction(rows_of(1000000, 8), false, 1)->lanes == 1);
  CHECK(spread_reduction(rows_of(1000000, 100), false, 1)->lanes == 8);
  CHECK(spread_reduction(rows_of(10, 100000), false, 1)->lanes == 256);
  CHECK(spread_reduction(columns_of(1000000, 1000), false, 1)->lanes == 1);
  CHECK(spread_reduction(columns_of(1024, 1000), false, 1)->lanes == 64);
  CHECK(spread_reduction(columns_of(1024, 1000), false, 1)->jobs_first);
  CHECK_FALSE(spread_reduction(rows_of(10, 100000), false, 1)->jobs_first);
}

TEST_CASE("what one launch does not cover is said") {
  const ReducePlan plan = plan_of({int64_t{1} << 40, 5000}, {0, 4}, {false, true});
  CHECK_FALSE(spread_reduction(plan, false, 1));
  CHECK_FALSE(spread_lines(int64_t{1} << 40, false, 1));
}
