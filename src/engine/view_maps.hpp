// Views of nodes as one form: where each axis of the view goes along the axes of what it is a view of.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/engine/node_values.hpp"

namespace jitc::engine {

/// Place i along an axis of the view is place begin + i * step along `axis` of its base; with a step of 0 all places of
/// the view are one of the base. A new axis has extent 1 and no place in the base.
struct ViewAxis {
  static constexpr int kNew = -1;
  int axis = kNew;
  int64_t begin = 0, count = 1, step = 1;
};

struct ViewMap {
  std::vector<ViewAxis> axes;                       ///< of the view
  std::vector<std::pair<size_t, int64_t>> indices;  ///< axes of the base that the view lacks, and the place along each
};

/// The view of an array, of an index, of a scalar (itself), or of joined parts.
NodeValue view_of(const NodeValue& base, const ViewMap& map);

/// A box of the base's axes: from `begin` up to `end` along each.
NodeValue box_of(const NodeValue& base, std::span<const int64_t> begin, std::span<const int64_t> end);

}  // namespace jitc::engine
