// The planner of calls: shapes, shared memory, and how threads are spread. Nothing here has memory of the sizes it
// speaks of.
#include <catch2/catch.hpp>
#include <set>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/elementwise_plan.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_common/random_views.hpp"

using namespace jitc;
using namespace jitc::runtime;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;

namespace {

/// An operand that owns its shape.
struct Owned {
  std::string name;
  Ints shape, strides;
  uintptr_t address = 0x10000;
  size_t elem_bytes = 4;

  Operand operand() const { return {name, shape, strides, address, elem_bytes}; }
};

Owned packed(std::string name, Ints shape, size_t elem_bytes = 4, uintptr_t address = 0x10000) {
  Ints strides = c_strides(shape, elem_bytes);
  return {std::move(name), std::move(shape), std::move(strides), address, elem_bytes};
}

std::vector<Operand> operands(const std::vector<Owned>& list) {
  std::vector<Operand> out;
  for (const Owned& o : list) out.push_back(o.operand());
  return out;
}

Ints broadcast(const std::vector<Owned>& list) { return broadcast_shapes("ufunc 'f'", operands(list)); }

constexpr int64_t kGiB = int64_t{1} << 30;

}  // namespace

TEST_CASE("shapes are aligned at their last axes, and axes of extent 1 stretch") {
  CHECK(broadcast({}) == Ints{});
  CHECK(broadcast({packed("a", {2, 3}), packed("b", {3})}) == Ints{2, 3});
  CHECK(broadcast({packed("a", {2, 1, 3}), packed("b", {4, 3})}) == Ints{2, 4, 3});
  CHECK(broadcast({packed("a", {1}), packed("b", {0})}) == Ints{0});
  CHECK(broadcast({packed("a", {}), packed("b", {5, 1}), packed("c", {1, 7})}) == Ints{5, 7});
  CHECK(broadcast({packed("a", Ints(16, 1)), packed("b", {3})}).size() == 16);
  CHECK(broadcast_strides(packed("a", {3, 1}).operand(), Ints{2, 3, 5}) == Ints{0, 4, 0});
}

TEST_CASE("shapes that do not broadcast are told with all shapes and the axis from the right") {
  CHECK_ERROR(broadcast({packed("a", {2, 3}), packed("b", {1}), packed("c", {4, 3})}), ErrorCode::argument,
              "ufunc 'f': the shapes do not broadcast: 'a' is (2, 3), 'b' is (1,), 'c' is (4, 3); axis -2 is 2 in 'a' "
              "but 4 in 'c'");
  CHECK_ERROR(broadcast({packed("a", {1}), packed("b", {0}), packed("c", {3})}), ErrorCode::argument,
              "ufunc 'f': the shapes do not broadcast: 'a' is (1,), 'b' is (0,), 'c' is (3,); axis -1 is 0 in 'b' but "
              "3 in 'c'");
  CHECK_ERROR(broadcast({packed("a", Ints(17, 1))}), ErrorCode::argument,
              "ufunc 'f': 'a' has 17 axes; arrays of a call have at most 16");
}

TEST_CASE("arguments broadcast to a given result, which itself is never stretched") {
  const std::vector<Owned> inputs{packed("a", {3}), packed("b", {1, 1})};
  const auto shape_of = [&](const Ints& out) {
    return broadcast_shapes("ufunc 'f'", operands(inputs), operands({packed("out", out)}));
  };
  CHECK(shape_of({1, 3}) == Ints{1, 3});
  CHECK(shape_of({5, 3}) == Ints{5, 3});
  CHECK(shape_of({2, 5, 3}) == Ints{2, 5, 3});
  CHECK_ERROR(shape_of({1, 1}), ErrorCode::argument,
              "ufunc 'f': 'out' has shape (1, 1), the result has (1, 3): 'a' is (3,), 'b' is (1, 1)");
  CHECK_ERROR(shape_of({4}), ErrorCode::argument,
              "ufunc 'f': the shapes do not broadcast: 'a' is (3,), 'b' is (1, 1), 'out' is (4,); axis -1 is 3 in 'a' "
              "but 4 in 'out'");
}

TEST_CASE("memory is shared where two elements touch: against a look at every byte") {
  Chance chance(11);
  int shared = 0, apart = 0, said_though_apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto by_chance = [&] {
      Owned o{"", chance.shape(3, 4), {}, static_cast<uintptr_t>(1000 + chance.from(0, 40)), 1};
      o.elem_bytes = size_t{1} << chance.from(0, 3);
      for (size_t axis = 0; axis < o.shape.size(); ++axis) o.strides.push_back(chance.from(-12, 12));
      return o;
    };
    const Owned a = by_chance(), b = by_chance();
    const auto bytes_of = [](const Owned& o, bool& twice) {
      std::set<uintptr_t> bytes;
      for (const int64_t offset : offsets_of(o.shape, o.strides)) {
        for (size_t k = 0; k < o.elem_bytes; ++k) {
          twice |= !bytes.insert(o.address + static_cast<uintptr_t>(offset) + k).second;
        }
      }
      return bytes;
    };
    bool twice_in_a = false, twice_in_b = false;
    const std::set<uintptr_t> in_a = bytes_of(a, twice_in_a), in_b = bytes_of(b, twice_in_b);
    CHECK(may_overlap_itself(a.operand()) == twice_in_a);
    CHECK(may_overlap_itself(b.operand()) == twice_in_b);
    const bool touch = std::ranges::any_of(in_a, [&](uintptr_t byte) { return in_b.count(byte) != 0; });
    const bool said = may_overlap(a.operand(), b.operand());
    CHECK(said == may_overlap(b.operand(), a.operand()));
    if (touch) CHECK(said);
    (touch ? shared : apart) += 1;
    said_though_apart += said && !touch;
  }
  CHECK(shared > 500);
  CHECK(apart > 500);
  CHECK(said_though_apart < apart / 2);
}

TEST_CASE("columns and every second element share no memory though their ranges cross") {
  Owned even = packed("even", {100}), odd = packed("odd", {100}, 4, 0x10004);
  even.strides = odd.strides = {8};
  CHECK_FALSE(may_overlap(even.operand(), odd.operand()));
  odd.strides = {12};
  CHECK(may_overlap(even.operand(), odd.operand()));
  Owned left{"left", {50, 3}, {40, 4}}, right{"right", {50, 7}, {40, 4}, 0x10000 + 12};
  CHECK(may_overlap(left.operand(), right.operand()));  // a search would tell them apart; the plan takes a copy
  right.shape[1] = 1, left.shape[1] = 1;
  CHECK_FALSE(may_overlap(left.operand(), right.operand()));
  CHECK_FALSE(may_overlap(packed("a", {0}).operand(), packed("b", {4}).operand()));
}

TEST_CASE("an array that does not lie over itself may have nested or interleaved axes") {
  CHECK_FALSE(may_overlap_itself(packed("a", {3, 4, 5}).operand()));
  CHECK_FALSE(may_overlap_itself(Owned{"a", {3, 2}, {8, 12}}.operand()));
  CHECK(may_overlap_itself(Owned{"a", {4, 2}, {8, 16}}.operand()));
  CHECK(may_overlap_itself(Owned{"a", {2}, {0}}.operand()));
  CHECK_FALSE(may_overlap_itself(Owned{"a", {1}, {0}}.operand()));
  CHECK(may_overlap_itself(Owned{"windows", {1000000, 3}, {4, 4}}.operand()));
}

TEST_CASE("the same elements are those of one address and the same steps") {
  const Owned out = packed("out", {2, 3});
  const Ints shape{2, 3};
  CHECK(are_same_elements(out.operand(), packed("a", {2, 3}).operand(), shape));
  CHECK_FALSE(are_same_elements(out.operand(), packed("a", {3}).operand(), shape));
  CHECK_FALSE(are_same_elements(out.operand(), packed("a", {2, 3}, 8).operand(), shape));
  CHECK_FALSE(are_same_elements(out.operand(), packed("a", {2, 3}, 4, 0x10004).operand(), shape));
  CHECK_FALSE(are_same_elements(out.operand(), Owned{"a", {2, 3}, {4, 8}}.operand(), shape));
  CHECK(are_same_elements(packed("out", {1, 3}).operand(), packed("a", {3}).operand(), Ints{1, 3}));
}

TEST_CASE("axes that are contiguous in all operands are one") {
  const std::vector<Owned> same{packed("out", {4, 5, 6}), packed("a", {4, 5, 6}), packed("b", {4, 5, 6}, 8)};
  const ElementwisePlan line = plan_elementwise(Ints{4, 5, 6}, operands(same));
  CHECK(line.extents == Ints{120});
  CHECK(line.strides_bytes == Ints{4, 4, 8});
  CHECK(line.is_narrow);

  const std::vector<Owned> row{packed("out", {4, 5, 6}), packed("a", {6})};
  const ElementwisePlan rows = plan_elementwise(Ints{4, 5, 6}, operands(row));
  CHECK(rows.extents == Ints{20, 6});
  CHECK(rows.strides_bytes == Ints{24, 4, 0, 4});

  const std::vector<Owned> one{packed("out", {1, 1}), packed("a", {1})};
  CHECK(plan_elementwise(Ints{1, 1}, operands(one)).extents == Ints{1});
  CHECK(plan_elementwise(Ints{1, 1}, operands(one)).strides_bytes == Ints{4, 4});
  CHECK(plan_elementwise(Ints{}, operands({packed("out", {})})).extents == Ints{1});

  const std::vector<Owned> point{packed("out", {7}), packed("a", {1})};
  CHECK(plan_elementwise(Ints{7}, operands(point)).strides_bytes == Ints{4, 0});
}

TEST_CASE("the walk of a plan visits every element of every operand once, together") {
  Chance chance(5);
  for (int round = 0; round < 300; ++round) {
    const Ints shape = chance.shape(4, 4);
    std::vector<Owned> list;
    for (int k = 0; k < 3; ++k) {
      Owned o = packed("", shape, 4, 0x10000 * static_cast<uintptr_t>(k + 1));
      for (size_t axis = 0; k > 0 && axis < shape.size(); ++axis) {
        if (chance.one_in(3)) o.strides[axis] = chance.from(-20, 20) * 4;
        if (chance.one_in(4)) o.shape[axis] = 1;
      }
      list.push_back(std::move(o));
    }
    const ElementwisePlan plan = plan_elementwise(shape, operands(list));
    std::multiset<std::vector<uintptr_t>> wanted, walked;
    std::vector<Ints> offsets, steps;
    for (const Owned& o : list) offsets.push_back(offsets_of(shape, broadcast_strides(o.operand(), shape)));
    for (size_t k = 0; k < list.size(); ++k) {
      Ints strides;
      for (size_t axis = 0; axis < plan.rank(); ++axis) strides.push_back(plan.stride(k, axis));
      steps.push_back(offsets_of(plan.extents, strides));
    }
    REQUIRE(steps[0].size() == offsets[0].size());
    for (size_t i = 0; i < offsets[0].size(); ++i) {
      std::vector<uintptr_t> element, step;
      for (size_t k = 0; k < list.size(); ++k) {
        element.push_back(list[k].address + static_cast<uintptr_t>(offsets[k][i]));
        step.push_back(plan.addresses[k] + static_cast<uintptr_t>(steps[k][i]));
      }
      wanted.insert(element), walked.insert(step);
    }
    CHECK(wanted == walked);
  }
}

TEST_CASE("indices are narrow only while everything is within 2^31 bytes and elements") {
  const auto is_narrow = [](const Ints& shape, size_t elem_bytes) {
    const std::vector<Owned> list{packed("out", shape, elem_bytes), packed("a", shape, elem_bytes)};
    return plan_elementwise(shape, operands(list)).is_narrow;
  };
  CHECK(is_narrow({kGiB}, 1));
  CHECK_FALSE(is_narrow({2 * kGiB}, 1));
  CHECK_FALSE(is_narrow({2 * kGiB - 1}, 1));  // the last block's idle threads count, too
  CHECK(is_narrow({2 * kGiB - (1 << 17)}, 1));
  CHECK_FALSE(is_narrow({kGiB}, 4));
  CHECK_FALSE(is_narrow({4 * kGiB + 5}, 1));
  // Few elements, far apart.
  const std::vector<Owned> wide{packed("out", {3}), Owned{"a", {3}, {kGiB}}};
  CHECK_FALSE(plan_elementwise(Ints{3}, operands(wide)).is_narrow);
  const std::vector<Owned> back{packed("out", {3}), Owned{"a", {3}, {-kGiB}}};
  CHECK_FALSE(plan_elementwise(Ints{3}, operands(back)).is_narrow);
  // All elements of a stretched array are one.
  const std::vector<Owned> stretched{packed("out", {1000, 1000}), packed("a", {1000, 1})};
  CHECK(plan_elementwise(Ints{1000, 1000}, operands(stretched)).is_narrow);
}

TEST_CASE("more elements than 32 bits count are spread over one launch") {
  for (const int64_t count : {4 * kGiB + 5, 4 * kGiB - 127, 2 * kGiB, int64_t{1}}) {
    const ThreadSpread spread = spread_line(count, 256).value();
    CHECK(spread.block.x == 256);
    CHECK(int64_t{spread.grid.x} * 256 >= count);
    CHECK((int64_t{spread.grid.x} - 1) * 256 < count);
  }
  CHECK_FALSE(spread_line(int64_t{1} << 40, 256).has_value());
}

TEST_CASE("rows are spread so that every element has its thread and few threads have none") {
  const auto spread = [](const Ints& extents) {
    ElementwisePlan plan;
    plan.extents = extents;
    plan.count_elems = count_elems(extents);
    const ThreadSpread out = spread_rows(plan, 256).value();
    const int64_t rows = plan.count_elems / extents.back();
    CHECK(out.block.x * out.block.y <= 256);
    CHECK(int64_t{out.grid.x} * out.block.x >= extents.back());
    CHECK(int64_t{out.grid.y} * out.grid.z * out.block.y >= rows);
    CHECK((out.grid.y <= 65535 && out.grid.z <= 65535));
    CHECK(int64_t{out.grid.y} * out.grid.z * out.block.y < 2 * rows + 65536);
    return out;
  };
  CHECK(spread({1000, 3}).block.x == 4);
  CHECK(spread({1000, 3}).block.y == 64);
  CHECK(spread({7, 1000}).block.x == 256);
  CHECK(spread({3, 5}).block.y == 4);
  CHECK(spread({70000, 300}).grid.z == 2);
  CHECK(spread({4 * kGiB, 3}).grid.x == 1);
  CHECK(spread({2, 4 * kGiB}).grid.x == 16777216);
}

TEST_CASE("groups start at an address that is a multiple of theirs, the same for all that walk") {
  const auto shift = [](std::vector<Owned> list, int64_t count = 4) {
    return group_shift(plan_elementwise(list[0].shape, operands(list)), count);
  };
  CHECK(shift({packed("out", {100}), packed("a", {100})}) == 0);
  for (int64_t k = 0; k < 8; ++k) {
    const auto at = 0x10000 + static_cast<uintptr_t>(4 * k);
    CHECK(shift({packed("out", {100}, 4, at), packed("a", {100}, 4, at + 64)}) == k % 4);
    CHECK(shift({packed("out", {100}, 4, at), packed("a", {1})}) == k % 4);
  }
  CHECK_FALSE(shift({packed("out", {100}), packed("a", {100}, 4, 0x10004)}));
  CHECK_FALSE(shift({packed("out", {100}), Owned{"a", {100}, {8}}}));
  CHECK_FALSE(shift({packed("out", {10, 10}), packed("a", {10})}));
  CHECK_FALSE(shift({packed("out", {100}, 4, 0x10002)}));
  // A group of two f8 is 16 bytes, of two f4 8.
  CHECK(shift({packed("out", {9}, 8, 0x10008), packed("a", {9}, 4, 0x10004)}, 2) == 1);
  CHECK_FALSE(shift({packed("out", {9}, 8, 0x10008), packed("a", {9}, 4, 0x10000)}, 2));
}
