// Live ranges: which assignments of a name belong together because some use may see either. Each range gets one type.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/base/id.hpp"
#include "src/source/span.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

using RangeId = base::Id<struct LiveRangeTag>;

struct LiveRange {
  std::string name;
  source::Span span;       ///< of the first definition in the text
  uint32_t def_count = 0;  ///< assignments (parameters included) in the range
};

/// A use that assignments reach on no path, or only on some.
struct UndefinedUse {
  syntax::ExprId use;
  std::string name;
  bool on_every_path = false;
};

class LiveRanges {
 public:
  /// True for parameters and every name that the function assigns.
  bool is_local(const std::string& name) const { return locals_.contains(name); }
  /// The range read by a NameExpr (or by the target of an augmented assignment); invalid in unreachable code.
  RangeId of_use(syntax::ExprId name_expr) const { return find(uses_, name_expr.index); }
  /// The range written through a target NameExpr.
  RangeId of_def(syntax::ExprId target) const { return find(defs_, target.index); }
  RangeId of_param(size_t index) const { return params_[index]; }

  const std::vector<LiveRange>& ranges() const { return ranges_; }
  const std::vector<UndefinedUse>& undefined_uses() const { return undefined_uses_; }

 private:
  friend class LiveRangeBuilder;
  using Map = std::unordered_map<uint32_t, RangeId>;
  static RangeId find(const Map& map, uint32_t key) {
    const auto it = map.find(key);
    return it == map.end() ? RangeId() : it->second;
  }

  std::unordered_map<std::string, uint32_t> locals_;
  Map uses_, defs_;
  std::vector<RangeId> params_;
  std::vector<LiveRange> ranges_;
  std::vector<UndefinedUse> undefined_uses_;
};

LiveRanges find_live_ranges(const syntax::Ast& ast, const syntax::FunctionDef& function);

}  // namespace jitc::sema
