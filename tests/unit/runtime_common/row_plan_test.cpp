// Plans of kernels over rows: axes, shapes, passes. Numbers alone, so that arrays may be larger than any machine.
#include <catch2/catch.hpp>

#include "runtime/common/launch_limits.hpp"
#include "runtime/common/row_plan.hpp"

namespace {

using namespace jitc;
using namespace jitc::runtime;
using Extents = std::vector<int64_t>;

RowCall call_of(Extents outer, Extents inner, Extents strides, Extents out_strides, bool is_host) {
  RowCall call{std::move(outer), std::move(inner), {{4096, 4, std::move(strides)}}, {{64, 4, std::move(out_strides)}}};
  call.is_host = is_host;
  call.workers = 2;
  return call;
}

/// Rows of a matrix in C order, or its columns.
RowCall rows_of(int64_t rows, int64_t count, bool is_host) {
  return call_of({rows}, {count}, {4 * count, 4}, {4}, is_host);
}
RowCall columns_of(int64_t rows, int64_t count, bool is_host) {
  return call_of({rows}, {count}, {4, 4 * rows}, {4}, is_host);
}

int64_t threads(const RowPass& pass) {
  return int64_t{pass.grid.x} * pass.grid.y * pass.grid.z * pass.block.x * pass.block.y * pass.block.z;
}

TEST_CASE("shapes of rows on the host and on a GPU") {
  const auto shape = [](const RowCall& call) { return plan_rows(call)->passes[0].shape; };
  for (const bool is_host : {false, true}) {
    CHECK(shape(rows_of(100, 16, is_host)) == RowShape::unrolled);
    CHECK(shape(columns_of(100000, 16, is_host)) == RowShape::unrolled);
    CHECK(shape(columns_of(100000, 17, is_host)) == RowShape::side);
    CHECK(shape(rows_of(100, 0, is_host)) == RowShape::side);
    CHECK(shape(columns_of(1000, 513, is_host)) == (is_host ? RowShape::side : RowShape::tile));
  }
  CHECK(shape(rows_of(100, 17, true)) == RowShape::along);
  CHECK(plan_rows(rows_of(100, 512, true))->passes[0].count == 1);
  CHECK(plan_rows(rows_of(100, 513, true))->passes[0].count == 8);
  CHECK(shape(rows_of(100, 17, false)) == RowShape::warp);
  CHECK(shape(rows_of(100, 512, false)) == RowShape::warp);
  CHECK(shape(rows_of(100, 513, false)) == RowShape::block);
  CHECK(shape(columns_of(3, 513, false)) == RowShape::block);
  CHECK(shape(columns_of(3, 513, true)) == RowShape::along);
}

TEST_CASE("what differs along one outer axis alone is packed on the host") {
  struct Case {
    Extents outer;
    int64_t count;
    Extents x, y;  ///< strides
    bool is_packed;
  };
  const Extents x = {80, 0, 4}, y = {0, 80, 4};
  const std::vector<Case> cases = {{{16, 16}, 20, x, y, true},      {{15, 16}, 20, x, y, false},
                                   {{16, 15}, 20, x, y, false},     {{16, 16}, 513, x, y, false},
                                   {{16, 16}, 20, x, x, false},     {{16, 16}, 20, x, {8, 80, 4}, false},
                                   {{9000, 9000}, 512, x, y, true}, {{16, 16}, 20, {0, 0, 4}, y, true}};
  for (const Case& c : cases) {
    const Extents out = {c.outer[1] * 4, 4};
    RowCall call{c.outer, {c.count}, {{4096, 4, c.x}, {8192, 4, c.y}}, {{64, 4, out}}};
    call.workers = 2;
    CHECK(plan_rows(call)->passes[0].shape != RowShape::packed);
    call.is_host = true;
    const RowPass pass = plan_rows(call)->passes[0];
    INFO("case " << &c - cases.data());
    REQUIRE((pass.shape == RowShape::packed) == c.is_packed);
    if (!c.is_packed) continue;
    CHECK(int64_t{pass.grid.x} * pass.count >= c.outer[1]);
    CHECK((c.outer[1] < 1000 || pass.grid.x * pass.grid.y >= 16));
    call.outputs.push_back({64, 4, {c.outer[1] * c.count * 4, c.count * 4, 4}});
    CHECK(plan_rows(call)->passes[0].shape != RowShape::packed);
  }
  RowCall many{{70000, 16, 16}, {20}, {{4096, 4, {320, 4, 0, 4}}, {8192, 4, {0, 0, 80, 4}}}, {{64, 4, {1024, 64, 4}}}};
  many.is_host = true;
  CHECK(plan_rows(many)->passes[0].shape == RowShape::along);
}

TEST_CASE("a lane of a warp has as many elements as the row needs") {
  const auto count = [](int64_t elems) { return plan_rows(rows_of(100, elems, false))->passes[0].count; };
  CHECK(count(17) == 1);
  CHECK(count(33) == 2);
  CHECK(count(65) == 4);
  CHECK(count(512) == 16);
  CHECK(count(4096) == 16);
}

TEST_CASE("there are threads for all results and blocks") {
  for (const bool is_host : {false, true}) {
    for (const int64_t rows : {1, 2, 31, 1000, 70000, 5'000'000}) {
      for (const int64_t count : {1, 16, 17, 512, 4096, 4097, 100000}) {
        for (const bool columns : {false, true}) {
          const auto plan = plan_rows(columns ? columns_of(rows, count, is_host) : rows_of(rows, count, is_host));
          REQUIRE(plan);
          const RowPass& pass = plan->passes[0];
          const int64_t blocks = (count + kRowBlockElems - 1) / kRowBlockElems;
          const int64_t lanes = pass.shape == RowShape::warp    ? 32
                                : pass.shape == RowShape::block ? 256
                                : pass.shape == RowShape::tile  ? 8
                                                                : 1;
          const int64_t results = pass.shape == RowShape::side ? pass.count : 1;
          INFO(rows << " x " << count << (columns ? " columns" : " rows") << (is_host ? ", host" : ""));
          CHECK(threads(pass) / lanes * results >= rows * blocks);
          CHECK(pass.grid.y <= kMaxGrid[1]);
          CHECK(pass.block.x * pass.block.y <= 256);
        }
      }
    }
  }
}

TEST_CASE("long rows take passes, each over the partial results of the one before") {
  const auto phases = [](int64_t count) {
    const RowPlan plan = *plan_rows(rows_of(3, count, true));
    std::vector<RowPhase> out;
    for (const RowPass& pass : plan.passes) out.push_back(pass.phase);
    return out;
  };
  CHECK(phases(4096) == std::vector{RowPhase::whole});
  CHECK(phases(4097) == std::vector{RowPhase::first, RowPhase::last});
  CHECK(phases(int64_t{4096} * 4096) == std::vector{RowPhase::first, RowPhase::last});
  CHECK(phases(int64_t{4096} * 4096 + 1) == std::vector{RowPhase::first, RowPhase::middle, RowPhase::last});
  const RowPlan plan = *plan_rows(rows_of(3, 10000, true));
  CHECK(plan.passes[0].written.count_elems == 9);
  CHECK(plan.passes[0].written.strides_elems == Extents{3, 1});
  CHECK(plan.passes[1].inner == Extents{3});
  const RowPlan columns = *plan_rows(columns_of(100000, 10000, false));
  CHECK(columns.passes[0].written.strides_elems == Extents{1, 100000});
}

TEST_CASE("outer axes join in any order, inner axes in theirs alone") {
  const RowPlan plan = *plan_rows(call_of({5, 4}, {3, 2}, {24, 120, 8, 4}, {4, 20}, true));
  CHECK(plan.outer == Extents{20});
  CHECK(plan.inner == Extents{6});
  CHECK(plan.operands[0].strides_bytes == Extents{24, 4});
  const RowPlan apart = *plan_rows(call_of({5}, {3, 2}, {24, 4, 12}, {4}, true));
  CHECK(apart.inner == Extents{3, 2});
  const RowPlan single = *plan_rows(call_of({}, {1, 1}, {4, 4}, {}, true));
  CHECK(single.outer == Extents{1});
  CHECK(single.inner == Extents{1});
  CHECK(single.operands[0].strides_bytes == Extents{0, 0});
}

TEST_CASE("outer axes that all walk backwards turn around, inner ones stay") {
  const RowPlan plan = *plan_rows(call_of({5}, {7}, {-28, -4}, {-4}, true));
  CHECK(plan.operands[0].address == 4096U - 4 * 28);
  CHECK(plan.outputs[0].address == 64U - 4 * 4);
  CHECK(plan.operands[0].strides_bytes == Extents{28, -4});
}

TEST_CASE("no rows are no launch, and too many none either") {
  CHECK(plan_rows(rows_of(0, 5, true))->passes.empty());
  CHECK_FALSE(plan_rows(rows_of(int64_t{1} << 40, 1000, false)));
}

}  // namespace
