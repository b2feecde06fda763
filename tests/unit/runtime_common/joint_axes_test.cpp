#include "runtime/common/joint_axes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/runtime_common/random_views.hpp"

using namespace jitc;
using namespace jitc::tests;
using Ints = std::vector<int64_t>;
using Rows = std::vector<Ints>;

namespace {

runtime::JointAxes join(const Ints& shape, const Rows& strides) {
  const std::vector<std::span<const int64_t>> rows(strides.begin(), strides.end());
  return runtime::join_axes(shape, rows);
}

/// The offsets of all operands at each element, in the order of the walk.
Rows visited(const runtime::JointAxes& joint) {
  Ints shape;
  for (const runtime::JointAxis& axis : joint.axes) shape.push_back(axis.extent);
  Rows out;
  for (size_t k = 0; k < joint.first_bytes.size(); ++k) {
    Ints strides;
    for (const runtime::JointAxis& axis : joint.axes) strides.push_back(axis.strides_bytes[k]);
    Ints offsets = offsets_of(shape, strides);
    for (int64_t& offset : offsets) offset += joint.first_bytes[k];
    out.resize(std::max(out.size(), offsets.size()));
    for (size_t i = 0; i < offsets.size(); ++i) out[i].push_back(offsets[i]);
  }
  return out;
}

Rows all_elements(const Ints& shape, const Rows& strides) {
  Rows out;
  for (const Ints& row : strides) {
    const Ints offsets = offsets_of(shape, row);
    out.resize(offsets.size());
    for (size_t i = 0; i < offsets.size(); ++i) out[i].push_back(offsets[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("axes that go on where the next one ends are one") {
  const auto joint = join({4, 5, 6}, {{120, 24, 4}, {240, 48, 8}});
  REQUIRE(joint.axes.size() == 1);
  CHECK(joint.axes[0].extent == 120);
  CHECK(joint.axes[0].strides_bytes == Ints{4, 8});
}

TEST_CASE("an operand that stands still keeps its axes apart from those along which it moves") {
  const auto joint = join({4, 5, 6}, {{120, 24, 4}, {0, 24, 4}, {0, 0, 0}});
  REQUIRE(joint.axes.size() == 2);
  CHECK(joint.axes[0].extent == 4);
  CHECK(joint.axes[0].strides_bytes == Ints{120, 0, 0});
  CHECK(joint.axes[1].extent == 30);
  CHECK(joint.axes[1].strides_bytes == Ints{4, 4, 0});
}

TEST_CASE("the longest stride of the first operand is outermost, whatever the order of the axes") {
  const auto joint = join({4, 5, 6}, {{4, 16, 80}, {4, 16, 80}});
  REQUIRE(joint.axes.size() == 1);
  CHECK(joint.axes[0].extent == 120);
  CHECK(joint.axes[0].strides_bytes == Ints{4, 4});
}

TEST_CASE("what runs backwards in all operands runs forwards from the other end") {
  const auto joint = join({10}, {{-4}, {-8}, {0}});
  CHECK(joint.first_bytes == Ints{-36, -72, 0});
  CHECK(joint.axes[0].strides_bytes == Ints{4, 8, 0});
  const auto mixed = join({10}, {{-4}, {8}});
  CHECK(mixed.first_bytes == Ints{0, 0});
  CHECK(mixed.axes[0].strides_bytes == Ints{-4, 8});
}

TEST_CASE("a single element has no axes") {
  CHECK(join({}, {{}, {}}).axes.empty());
  CHECK(join({1, 1}, {{4, 4}, {0, 12}}).axes.empty());
}

TEST_CASE("a walk by chance visits the same elements of all operands together, each once") {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Chance chance(seed);
    Ints shape;
    for (int64_t rank = chance.from(0, 5); rank > 0; --rank) shape.push_back(chance.from(1, 4));
    Rows strides;
    for (int64_t count = chance.from(1, 4); count > 0; --count) {
      Ints row;
      for (size_t i = 0; i < shape.size(); ++i) row.push_back(chance.one_in(4) ? 0 : 4 * chance.from(-30, 30));
      strides.push_back(chance.one_in(2) || strides.empty() ? row : strides.front());
    }
    const auto joint = join(shape, strides);
    CAPTURE(seed);
    for (const runtime::JointAxis& axis : joint.axes) CHECK(axis.extent > 1);
    Rows expected = all_elements(shape, strides), actual = visited(joint);
    std::sort(expected.begin(), expected.end());
    std::sort(actual.begin(), actual.end());
    CHECK(actual == expected);
  }
}
