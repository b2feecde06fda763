// The members of an aggregate, one after the other, without naming them: what is made of "all fields" cannot miss one.
#pragma once

#include <cstddef>
#include <utility>

namespace jitc::base {

namespace fields_detail {

struct Anything {
  template <class T>
  operator T() const;  // never defined: only asked whether it would fit
};

template <class T, size_t... Index>
constexpr bool takes(std::index_sequence<Index...>) {
  return requires { T{(static_cast<void>(Index), Anything{})...}; };
}

/// How many values braces may hold for a T.
template <class T, size_t Count = 9>
constexpr size_t count() {
  if constexpr (takes<T>(std::make_index_sequence<Count>())) {
    return Count;
  } else {
    return count<T, Count - 1>();
  }
}

}  // namespace fields_detail

/// Calls visit(member) for every member of an aggregate without bases, in order; it has eight at most.
template <class T, class Visit>
constexpr void for_each_field(const T& value, const Visit& visit) {
  constexpr size_t kCount = fields_detail::count<T>();
  const auto all = [&](const auto&... member) { (visit(member), ...); };
  static_assert(kCount <= 8, "more members than for_each_field knows");
  if constexpr (kCount == 8) {
    const auto& [a, b, c, d, e, f, g, h] = value;
    all(a, b, c, d, e, f, g, h);
  } else if constexpr (kCount == 7) {
    const auto& [a, b, c, d, e, f, g] = value;
    all(a, b, c, d, e, f, g);
  } else if constexpr (kCount == 6) {
    const auto& [a, b, c, d, e, f] = value;
    all(a, b, c, d, e, f);
  } else if constexpr (kCount == 5) {
    const auto& [a, b, c, d, e] = value;
    all(a, b, c, d, e);
  } else if constexpr (kCount == 4) {
    const auto& [a, b, c, d] = value;
    all(a, b, c, d);
  } else if constexpr (kCount == 3) {
    const auto& [a, b, c] = value;
    all(a, b, c);
  } else if constexpr (kCount == 2) {
    const auto& [a, b] = value;
    all(a, b);
  } else if constexpr (kCount == 1) {
    const auto& [a] = value;
    all(a);
  }
}

}  // namespace jitc::base
