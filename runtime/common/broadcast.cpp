#include "runtime/common/broadcast.hpp"

#include <algorithm>
#include <optional>

#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::runtime {

namespace {

std::string shapes_text(std::span<const Operand> operands) {
  std::string out;
  for (const Operand& o : operands) {
    out += fmt::format("{}'{}' is {}", out.empty() ? "" : ", ", o.name, tuple_text(o.shape));
  }
  return out;
}

/// The extent at `from_right` (0 is the last axis), or 1 where the operand has no such axis.
int64_t extent_from_right(std::span<const int64_t> shape, size_t from_right) {
  return from_right < shape.size() ? shape[shape.size() - 1 - from_right] : 1;
}

/// Which of the operands decides an axis: the first whose extent is not 1.
const Operand* owner_of(std::span<const Operand> operands, size_t from_right) {
  const auto decides = [&](const Operand& o) { return extent_from_right(o.shape, from_right) != 1; };
  const auto found = std::ranges::find_if(operands, decides);
  return found == operands.end() ? nullptr : &*found;
}

struct Mismatch {
  const Operand *first, *second;
};

/// The extent of an axis, or the first two that differ.
std::optional<Mismatch> join_axis(std::span<const Operand> operands, size_t from_right, int64_t& extent) {
  const Operand* owner = owner_of(operands, from_right);
  extent = owner == nullptr ? 1 : extent_from_right(owner->shape, from_right);
  for (const Operand& o : operands) {
    const int64_t own = extent_from_right(o.shape, from_right);
    if (own != 1 && own != extent) return Mismatch{owner, &o};
  }
  return std::nullopt;
}

size_t rank_of(std::string_view title, std::span<const Operand> operands) {
  size_t rank = 0;
  for (const Operand& o : operands) {
    rank = std::max(rank, o.shape.size());
    if (o.shape.size() > kMaxBroadcastRank) {
      fail(ErrorCode::argument, "{}: '{}' has {} axes; arrays of a call have at most {}", title, o.name, o.shape.size(),
           kMaxBroadcastRank);
    }
  }
  return rank;
}

[[noreturn]] void fail_mismatch(std::string_view title, std::span<const Operand> operands, size_t from_right,
                                const Mismatch& found) {
  fail(ErrorCode::argument, "{}: the shapes do not broadcast: {}; axis -{} is {} in '{}' but {} in '{}'", title,
       shapes_text(operands), from_right + 1, extent_from_right(found.first->shape, from_right), found.first->name,
       extent_from_right(found.second->shape, from_right), found.second->name);
}

}  // namespace

std::vector<int64_t> broadcast_shapes(std::string_view title, std::span<const Operand> operands) {
  std::vector<int64_t> shape(rank_of(title, operands), 1);
  for (size_t k = 0; k < shape.size(); ++k) {
    if (const auto found = join_axis(operands, k, shape[shape.size() - 1 - k])) {
      fail_mismatch(title, operands, k, *found);
    }
  }
  return shape;
}

bool broadcast_together(std::span<const Operand> operands) {
  size_t rank = 0;
  for (const Operand& o : operands) rank = std::max(rank, o.shape.size());
  int64_t extent = 1;
  for (size_t k = 0; k < rank; ++k) {
    if (join_axis(operands, k, extent)) return false;
  }
  return true;
}

std::vector<int64_t> broadcast_shapes(std::string_view title, std::span<const Operand> operands,
                                      std::span<const Operand> results) {
  if (results.empty()) return broadcast_shapes(title, operands);
  std::vector<Operand> all(operands.begin(), operands.end());
  all.insert(all.end(), results.begin(), results.end());
  std::vector<int64_t> shape = broadcast_shapes(title, all);
  for (const Operand& result : results) {
    if (std::ranges::equal(result.shape, shape)) continue;
    fail(ErrorCode::argument, "{}: '{}' has shape {}, the result has {}: {}", title, result.name,
         tuple_text(result.shape), tuple_text(shape), shapes_text(operands));
  }
  return shape;
}

std::vector<int64_t> broadcast_strides(const Operand& operand, std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size());
  const size_t missing = shape.size() - operand.shape.size();
  for (size_t axis = 0; axis < operand.shape.size(); ++axis) {
    if (operand.shape[axis] != 1) strides[missing + axis] = operand.strides_bytes[axis];
  }
  return strides;
}

}  // namespace jitc::runtime
