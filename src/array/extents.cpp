#include "src/array/extents.hpp"

#include <fmt/format.h>

#include "src/base/match.hpp"

namespace jitc::array {

ExtentId Extents::add(ExtentKind kind) {
  const auto found = known_.find(kind);
  if (found != known_.end()) return found->second;
  const ExtentId id = kinds_.add(kind);
  known_.emplace(std::move(kind), id);
  return id;
}

bool Extents::is_one(ExtentId id) const {
  const auto* c = std::get_if<ConstExtent>(&kinds_[id]);
  return c != nullptr && c->value == 1;
}

bool Extents::is_or_joins(ExtentId id, ExtentId part) const {
  if (id == part) return true;
  const auto* j = std::get_if<JointExtent>(&kinds_[id]);
  return j != nullptr && (is_or_joins(ExtentId(j->a), part) || is_or_joins(ExtentId(j->b), part));
}

ExtentId Extents::joint(ExtentId a, ExtentId b) {
  if (a == b || is_one(b)) return a;
  if (is_one(a)) return b;
  // A constant other than 1 is what both must be.
  if (is_constant(a)) return a;
  if (is_constant(b)) return b;
  // a with (a with b) is (a with b).
  for (const auto& [joined, other] : {std::pair(a, b), std::pair(b, a)}) {
    const auto* j = std::get_if<JointExtent>(&kinds_[joined]);
    if (j != nullptr && (j->a == other.index || j->b == other.index)) return joined;
  }
  return add(a.index < b.index ? JointExtent{a.index, b.index} : JointExtent{b.index, a.index});
}

ExtentId Extents::rest(ExtentId base, int64_t less) {
  if (less == 0) return base;
  if (const auto* c = std::get_if<ConstExtent>(&kinds_[base])) return constant(std::max<int64_t>(c->value - less, 0));
  if (const auto* r = std::get_if<RestExtent>(&kinds_[base])) return add(RestExtent{r->base, r->less + less});
  return add(RestExtent{base.index, less});
}

std::string Extents::text(ExtentId id) const {
  if (const auto found = names_.find(id.index); found != names_.end()) return found->second;
  return base::match(
      kinds_[id], [](const ConstExtent& e) { return fmt::format("{}", e.value); },
      [](const ParamExtent& e) { return fmt::format("arg{}.{}", e.param, e.axis); },
      [](const ScalarExtent& e) { return fmt::format("[%{}]", e.node); },
      [&](const JointExtent& e) { return fmt::format("{}|{}", text(ExtentId(e.a)), text(ExtentId(e.b))); },
      [&](const RestExtent& e) { return fmt::format("{}-{}", text(ExtentId(e.base)), e.less); },
      [](const OwnExtent& e) { return fmt::format("%{}.{}", e.node, e.axis); });
}

}  // namespace jitc::array
