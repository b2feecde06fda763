// How the axes of a contraction join, and how it is cut: nothing here touches memory.
#include "runtime/common/contract_plan.hpp"

#include <catch2/catch.hpp>

using namespace jitc;
using namespace jitc::runtime;

namespace {

using Ints = std::vector<int64_t>;

ContractOperand a_of(Ints strides) { return {ContractRole::a, std::move(strides), 4}; }
ContractOperand b_of(Ints strides) { return {ContractRole::b, std::move(strides), 4}; }
ContractOperand out_of(Ints strides) { return {ContractRole::output, std::move(strides), 4}; }

ContractPlan square(int64_t extent, int64_t batch = 1) {
  const int64_t row = extent * 4;
  return plan_contraction({{batch}, {extent}, {extent}, {extent}},
                          {a_of({row * extent, row, 4}), b_of({row * extent, row, 4}), out_of({row * extent, row, 4})});
}

}  // namespace

TEST_CASE("a product of two matrices is one axis of each kind") {
  const ContractPlan plan = plan_contraction({{}, {2}, {3}, {5}}, {a_of({20, 4}), b_of({12, 4}), out_of({12, 4})});
  CHECK(plan.batch.empty());
  CHECK(plan.count_batch() == 1);
  CHECK(Ints{plan.m, plan.n, plan.k} == Ints{2, 3, 5});
  CHECK(plan.strides_bytes == std::vector<Ints>{{20, 4}, {12, 4}, {12, 4}});
  CHECK(plan.first_bytes == Ints{0, 0, 0});
  CHECK(plan.to_copy.empty());
}

TEST_CASE("several axes of a group are one where all arrays that have them agree") {
  // a[i, j, k] @ b[k, n] -> out[i, j, n]
  const ContractPlan plan =
      plan_contraction({{}, {2, 3}, {7}, {5}}, {a_of({60, 20, 4}), b_of({28, 4}), out_of({84, 28, 4})});
  CHECK(plan.m == 6);
  CHECK(plan.strides_bytes == std::vector<Ints>{{20, 4}, {28, 4}, {28, 4}});
  CHECK(plan.to_copy.empty());
  // The same with the axes named the other way round.
  const ContractPlan turned =
      plan_contraction({{}, {3, 2}, {7}, {5}}, {a_of({20, 60, 4}), b_of({28, 4}), out_of({28, 84, 4})});
  CHECK(turned.m == 6);
  CHECK(turned.strides_bytes[0] == Ints{20, 4});
  CHECK(turned.to_copy.empty());
}

TEST_CASE("an array whose axes do not join is to be copied") {
  // a[j, i, k] as a[i, j, k]
  const ContractPlan plan =
      plan_contraction({{}, {2, 3}, {7}, {5}}, {a_of({20, 40, 4}), b_of({28, 4}), out_of({84, 28, 4})});
  CHECK(plan.to_copy == std::vector<size_t>{0});
  // A bias that depends on one of two axes.
  const ContractPlan bias = plan_contraction(
      {{}, {2, 3}, {7}, {5}}, {a_of({60, 20, 4}), b_of({28, 4}), out_of({0, 4, 0}), out_of({84, 28, 4})});
  CHECK(bias.to_copy == std::vector<size_t>{2});
}

TEST_CASE("k is never taken in another order, since its order is that of the sum") {
  // Both arrays have the second axis of k outside.
  const ContractPlan plan =
      plan_contraction({{}, {2}, {3}, {5, 7}}, {a_of({140, 4, 20}), b_of({12, 60, 4}), out_of({12, 4})});
  CHECK(plan.to_copy == std::vector<size_t>{0, 1});
  const ContractPlan backwards =
      plan_contraction({{}, {2}, {3}, {5, 7}}, {a_of({140, -28, -4}), b_of({-84, -12, 4}), out_of({12, 4})});
  CHECK(backwards.k == 35);
  CHECK(backwards.strides_bytes[0] == Ints{140, -4});
  CHECK(backwards.strides_bytes[1] == Ints{-12, 4});
  CHECK(backwards.first_bytes == Ints{0, 0, 0});
}

TEST_CASE("axes that all walk backwards, or stand still along, turn around") {
  const ContractPlan plan = plan_contraction({{}, {4}, {3}, {5}}, {a_of({-20, 4}), b_of({12, 4}), out_of({-12, 4})});
  CHECK(plan.strides_bytes[0] == Ints{20, 4});
  CHECK(plan.strides_bytes[2] == Ints{12, 4});
  CHECK(plan.first_bytes == Ints{-60, 0, -36});
}

TEST_CASE("batch axes join as far as they can") {
  const ContractPlan plan = plan_contraction(
      {{2, 3, 1, 4}, {5}, {6}, {7}},
      {a_of({1680, 560, 9, 140, 28, 4}), b_of({0, 0, 0, 168, 24, 4}), out_of({1440, 480, 7, 120, 24, 4})});
  CHECK(plan.batch == Ints{6, 4});
  CHECK(plan.strides_bytes[1] == Ints{0, 168, 24, 4});
  CHECK(plan.count_batch() == 24);
}

TEST_CASE("tiles of a host keep all workers busy, and are as large as caches allow") {
  const auto large = cut_contraction(square(2048), {}, {.is_host = true, .workers = 2});
  REQUIRE(large);
  CHECK(large->thread_m == 6);
  CHECK(large->thread_n == 16);
  CHECK(large->tile_m == 342);  // 2048 in six parts
  CHECK(large->tile_n == 512);
  CHECK(large->grid.x == 24);
  CHECK(large->block.x == 1);
  const auto many = cut_contraction(square(512), {}, {.is_host = true, .workers = 16});
  REQUIRE(many);
  CHECK(many->grid.x >= 32);
  const auto batch = cut_contraction(square(3, 1000), {}, {.is_host = true, .workers = 16});
  REQUIRE(batch);
  CHECK(batch->grid.x == 1000);
  CHECK(batch->tile_m == 6);
  CHECK(batch->tile_n == 16);
}

TEST_CASE("tiles never exceed what a kernel has room for") {
  for (const ContractElement element : {ContractElement{1}, {2}, {4}, {8}, {4, true}, {8, true}}) {
    for (const size_t vector_bytes : {size_t{32}, size_t{64}}) {
      for (const int64_t extent : {1, 17, 100, 255, 1000, 5000}) {
        const auto cut = cut_contraction(square(extent), element, {true, 3, vector_bytes});
        REQUIRE(cut);
        CHECK(cut->tile_m <= cut->block_m);
        CHECK(cut->tile_n <= cut->block_n);
        CHECK(cut->tile_m % cut->thread_m == 0);
        CHECK(cut->tile_n % cut->thread_n == 0);
        CHECK(cut->block_m % cut->thread_m == 0);
        CHECK(cut->block_n % cut->thread_n == 0);
        const auto device = cut_contraction(square(extent), element, {.is_host = false});
        REQUIRE(device);
        CHECK(256 % device->block_k == 0);
        CHECK(device->block_m % device->thread_m == 0);
        CHECK(device->block.x <= 256);
      }
    }
  }
}

TEST_CASE("a device takes large tiles where there are enough of them") {
  CHECK(cut_contraction(square(2048), {4}, {.is_host = false})->block_m == 128);
  CHECK(cut_contraction(square(1024), {4}, {.is_host = false})->block_m == 64);
  CHECK(cut_contraction(square(16), {4}, {.is_host = false})->block_m == 16);
  CHECK(cut_contraction(square(2048), {8}, {.is_host = false})->block_n == 64);
}

TEST_CASE("more tiles than a grid has are refused") {
  ContractPlan plan = square(16);
  plan.batch = {int64_t{1} << 31};
  CHECK(!cut_contraction(plan, {}, {.is_host = false}));
}

TEST_CASE("a product without elements needs no plan") {
  const ContractPlan plan = plan_contraction({{}, {0}, {3}, {5}}, {a_of({20, 4}), b_of({12, 4}), out_of({12, 4})});
  CHECK(plan.m == 0);
  CHECK(plan.to_copy.empty());
}
