// match(variant, handlers...): one handler per alternative and no default, so a new alternative breaks the build
// wherever it has to be handled.
#pragma once

#include <utility>
#include <variant>

namespace jitc::base {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

template <class Variant, class... Handlers>
decltype(auto) match(Variant&& variant, Handlers&&... handlers) {
  return std::visit(Overloaded{std::forward<Handlers>(handlers)...}, std::forward<Variant>(variant));
}

}  // namespace jitc::base
