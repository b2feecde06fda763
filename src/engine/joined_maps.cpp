// Maps that read arrays side by side: a launch for each box of elements that lies in one part of all of them. The inner
// of a rolled or padded array is one large box, and its borders are thin ones.
#include <algorithm>
#include <set>

#include "src/engine/plan_runner.hpp"
#include "src/engine/view_maps.hpp"

namespace jitc::engine {

namespace {

/// More boxes than this are launches that cost more than a copy.
constexpr size_t kMaxBoxes = 64;

/// Along each axis where a box ends, the first place excepted.
std::vector<std::vector<int64_t>> find_ends(std::span<const int64_t> shape, std::span<const NodeValue> inputs) {
  std::vector<std::set<int64_t>> ends(shape.size());
  for (size_t k = 0; k < shape.size(); ++k) ends[k].insert(shape[k]);
  for (const NodeValue& input : inputs) {
    if (input.kind != NodeValue::Kind::joined) continue;
    for (const JoinedPart& part : *input.parts) {
      for (size_t k = 0; k < shape.size(); ++k) ends[k].insert(part.end[k]);
    }
  }
  std::vector<std::vector<int64_t>> out;
  for (const std::set<int64_t>& along : ends) out.emplace_back(along.begin(), along.end());
  return out;
}

/// The part that holds the box, where there are parts.
NodeValue in_box(const NodeValue& input, std::span<const int64_t> begin, std::span<const int64_t> end) {
  const NodeValue box = box_of(input, begin, end);
  return box.kind == NodeValue::Kind::joined ? box.parts->at(0).value : box;
}

}  // namespace

void PlanRunner::launch_boxes(uint32_t kernel, const array::MapKernel& map, const MapOperands& whole) {
  MapOperands all{whole.shape, {}, whole.results};
  for (const NodeValue& input : whole.inputs) {
    const bool is_scalar = input.kind == NodeValue::Kind::scalar;
    all.inputs.push_back(is_scalar ? input : broadcast_to(input, whole.shape));
  }
  const std::vector<std::vector<int64_t>> ends = find_ends(all.shape, all.inputs);
  size_t count = 1;
  for (const auto& along : ends) count *= along.size();
  if (count > kMaxBoxes) {
    for (size_t k = 0; k < all.inputs.size(); ++k) {
      if (all.inputs[k].kind == NodeValue::Kind::joined)
        all.inputs[k] = copied_together(all.inputs[k], map.kinds[k].dtype);
    }
    return launch_box(kernel, map, all, false);
  }
  for (size_t number = 0; number < count; ++number) {
    MapOperands box;
    std::vector<int64_t> begin, end;
    size_t rest = number;
    for (const auto& along : ends) {
      const size_t place = rest % along.size();
      rest /= along.size();
      begin.push_back(place == 0 ? 0 : along[place - 1]);
      end.push_back(along[place]);
      box.shape.push_back(end.back() - begin.back());
    }
    for (const NodeValue& input : all.inputs) box.inputs.push_back(in_box(input, begin, end));
    for (const Array& result : all.results) box.results.push_back(box_of(NodeValue::of(result), begin, end).array);
    launch_box(kernel, map, box, !box.shape.empty());
  }
}

}  // namespace jitc::engine
