// From a function on one lane's bits to one on the rows of a warp.
#pragma once

#include <utility>

#include "runtime/emulator/alu/alu.hpp"
#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator {

/// Calls body(lane) for each bit of `lanes`. All 32 are a plain loop, which the compiler may turn into vectors: a lane
/// reads and writes nothing of another one.
template <class Body>
inline void for_each_lane(uint32_t lanes, Body body) {
  if (lanes == ~uint32_t{0}) {
#pragma GCC ivdep
    for (uint32_t lane = 0; lane < 32; ++lane) body(lane);
    return;
  }
  for_lanes(lanes, body);
}

template <class F>
struct Arity;
template <class R, class... A>
struct Arity<R (*)(A...)> {
  static constexpr size_t value = sizeof...(A);
};

template <auto F, size_t... I>
inline Bits call_with_sources(const AluRows& rows, uint32_t lane, std::index_sequence<I...>) {
  return F(rows.src[I][lane]...);
}

template <auto F, size_t... I>
inline Bits call_with_rules(const AluRows& rows, uint32_t lane, std::index_sequence<I...>) {
  return F(*rows.rules, rows.src[I][lane]...);
}

/// dst = F(sources…)
template <auto F>
void plain(const AluRows& rows, uint32_t lanes) {
  using Sources = std::make_index_sequence<Arity<decltype(F)>::value>;
  for_each_lane(lanes, [&](uint32_t lane) { rows.dst[lane] = call_with_sources<F>(rows, lane, Sources()); });
}

/// dst = F(rules, sources…)
template <auto F>
void ruled(const AluRows& rows, uint32_t lanes) {
  using Sources = std::make_index_sequence<Arity<decltype(F)>::value - 1>;
  for_each_lane(lanes, [&](uint32_t lane) { rows.dst[lane] = call_with_rules<F>(rows, lane, Sources()); });
}

/// dst = F(a, b, c, carry), which may change the carry.
template <auto F>
void carried(const AluRows& rows, uint32_t lanes) {
  for_each_lane(lanes, [&](uint32_t lane) {
    rows.dst[lane] = F(rows.src[0][lane], rows.src[1][lane], rows.src[2][lane], rows.carry[lane]);
  });
}

/// Chooses Op<T>::apply by an integer type.
template <template <class> class Op>
AluFn by_integer(Type type) {
  switch (type) {
    case Type::u16: return &plain<&Op<uint16_t>::apply>;
    case Type::u32: return &plain<&Op<uint32_t>::apply>;
    case Type::u64: return &plain<&Op<uint64_t>::apply>;
    case Type::s16: return &plain<&Op<int16_t>::apply>;
    case Type::s32: return &plain<&Op<int32_t>::apply>;
    default: return &plain<&Op<int64_t>::apply>;
  }
}

/// Chooses Op<T>::apply by the width of a type.
template <template <class> class Op>
AluFn by_width(Type type) {
  switch (width_bits(type)) {
    case 16: return &plain<&Op<uint16_t>::apply>;
    case 32: return &plain<&Op<uint32_t>::apply>;
    default: return &plain<&Op<uint64_t>::apply>;
  }
}

template <class T>
inline T as(Bits bits) {
  return static_cast<T>(bits);
}

/// Sign extension for signed T, else zeros.
template <class T>
inline Bits to_bits(T value) {
  return static_cast<Bits>(value);
}

}  // namespace jitc::emulator
