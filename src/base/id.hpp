// Strong 32-bit indices into append-only stores: children of IR nodes are ids, never pointers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace jitc::base {

/// An index into a Store of one node type. `Tag` keeps the ids of different stores apart.
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t i) : index(i) {}

  constexpr bool valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace jitc::base

template <class Tag>
struct std::hash<jitc::base::Id<Tag>> {
  size_t operator()(jitc::base::Id<Tag> id) const noexcept { return id.index; }
};
