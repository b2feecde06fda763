#include "src/engine/view_maps.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace jitc::engine {

namespace {

std::vector<int64_t> shape_of(const ViewMap& map) {
  std::vector<int64_t> out;
  for (const ViewAxis& axis : map.axes) out.push_back(axis.count);
  return out;
}

NodeValue strided_view(const NodeValue& base, const ViewMap& map) {
  const std::vector<int64_t>& own = base.strides();
  std::vector<int64_t> strides;
  int64_t offset = 0;
  bool is_empty = false;
  for (const ViewAxis& axis : map.axes) {
    const int64_t stride = axis.axis == ViewAxis::kNew ? 0 : own[static_cast<size_t>(axis.axis)];
    strides.push_back(stride * axis.step);
    offset += stride * axis.begin;
    is_empty = is_empty || axis.count == 0;
  }
  for (const auto& [axis, index] : map.indices) offset += own[axis] * index;
  return base.with(shape_of(map), std::move(strides), is_empty ? 0 : offset);
}

int64_t ceil_div(int64_t value, int64_t unit) { return value > 0 ? (value - 1) / unit + 1 : -(-value / unit); }

/// The places i of the view whose place in the base lies in [low, high): from `first` up to `end`.
std::pair<int64_t, int64_t> places_in(const ViewAxis& axis, int64_t low, int64_t high) {
  if (axis.step == 0)
    return axis.begin >= low && axis.begin < high ? std::pair(int64_t{0}, axis.count)
                                                  : std::pair(int64_t{0}, int64_t{0});
  const int64_t stride = axis.step > 0 ? axis.step : -axis.step;
  const int64_t first = axis.step > 0 ? ceil_div(low - axis.begin, stride) : ceil_div(axis.begin - (high - 1), stride);
  const int64_t end = axis.step > 0 ? ceil_div(high - axis.begin, stride) : ceil_div(axis.begin - (low - 1), stride);
  return {std::clamp<int64_t>(first, 0, axis.count), std::clamp<int64_t>(end, 0, axis.count)};
}

/// What the view shows of one part, if anything.
std::optional<JoinedPart> view_of_part(const JoinedPart& part, const ViewMap& map) {
  ViewMap inside;
  JoinedPart out;
  for (const auto& [axis, index] : map.indices) {
    if (index < part.begin[axis] || index >= part.end[axis]) return std::nullopt;
    inside.indices.emplace_back(axis, index - part.begin[axis]);
  }
  for (const ViewAxis& axis : map.axes) {
    ViewAxis own = axis;
    int64_t first = 0, end = axis.count;
    if (axis.axis != ViewAxis::kNew) {
      const auto k = static_cast<size_t>(axis.axis);
      std::tie(first, end) = places_in(axis, part.begin[k], part.end[k]);
      own.begin = axis.begin + first * axis.step - part.begin[k];
      own.count = end - first;
    }
    if (first >= end) return std::nullopt;
    inside.axes.push_back(own);
    out.begin.push_back(first);
    out.end.push_back(end);
  }
  out.value = view_of(part.value, inside);
  return out;
}

}  // namespace

NodeValue view_of(const NodeValue& base, const ViewMap& map) {
  if (base.kind == NodeValue::Kind::scalar) return base;
  if (base.kind != NodeValue::Kind::joined) return strided_view(base, map);
  std::vector<JoinedPart> parts;
  for (const JoinedPart& part : *base.parts) {
    if (auto shown = view_of_part(part, map)) parts.push_back(std::move(*shown));
  }
  return NodeValue::joined(shape_of(map), std::move(parts));
}

NodeValue box_of(const NodeValue& base, std::span<const int64_t> begin, std::span<const int64_t> end) {
  ViewMap map;
  for (size_t k = 0; k < begin.size(); ++k) map.axes.push_back({static_cast<int>(k), begin[k], end[k] - begin[k], 1});
  return view_of(base, map);
}

}  // namespace jitc::engine
