// Extents as symbols: what can be said of shapes before a call. Interned: equal ids are equal extents in every call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "src/base/store.hpp"

namespace jitc::array {

using NodeId = base::Id<struct ArrayNodeTag>;
using ExtentId = base::Id<struct ExtentTag>;

struct ConstExtent {
  int64_t value = 1;
  auto operator<=>(const ConstExtent&) const = default;
};
/// Of an argument of the call.
struct ParamExtent {
  uint32_t param = 0, axis = 0;
  auto operator<=>(const ParamExtent&) const = default;
};
/// A scalar of the host.
struct ScalarExtent {
  uint32_t node = 0;
  auto operator<=>(const ScalarExtent&) const = default;
};
/// Of two extents that broadcast.
struct JointExtent {
  uint32_t a = 0, b = 0;
  auto operator<=>(const JointExtent&) const = default;
};
/// What is left of an axis without `less` elements: at least 0.
struct RestExtent {
  uint32_t base = 0;
  int64_t less = 0;
  auto operator<=>(const RestExtent&) const = default;
};
/// Known from the node itself in a call: slices, reshapes, variables.
struct OwnExtent {
  uint32_t node = 0, axis = 0;
  auto operator<=>(const OwnExtent&) const = default;
};

using ExtentKind = std::variant<ConstExtent, ParamExtent, ScalarExtent, JointExtent, RestExtent, OwnExtent>;

class Extents {
 public:
  ExtentId add(ExtentKind kind);
  ExtentId constant(int64_t value) { return add(ConstExtent{value}); }
  /// The extent of the result where axes of these two broadcast.
  ExtentId joint(ExtentId a, ExtentId b);
  ExtentId rest(ExtentId base, int64_t less);
  /// One more name for `id`, used in prints.
  void name(ExtentId id, const std::string& text) { names_[id.index] = text; }

  const ExtentKind& operator[](ExtentId id) const { return kinds_[id]; }
  bool is_one(ExtentId id) const;
  /// Whether it is this extent, or what this one and others broadcast to.
  bool is_or_joins(ExtentId id, ExtentId part) const;
  bool is_constant(ExtentId id) const { return std::holds_alternative<ConstExtent>(kinds_[id]); }
  /// "n", "X.shape[1]", "4", "n-2".
  std::string text(ExtentId id) const;

 private:
  base::Store<ExtentKind, ExtentId> kinds_;
  std::map<ExtentKind, ExtentId> known_;
  std::map<uint32_t, std::string> names_;
};

}  // namespace jitc::array
