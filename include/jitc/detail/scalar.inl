// Scalar::of.
#pragma once

#include <cstring>

namespace jitc {

template <class T>
Scalar Scalar::of(T value) {
  Scalar out;
  out.dtype = dtype_of<T>();
  static_assert(sizeof(T) <= sizeof out.bits);
  std::memcpy(&out.bits, &value, sizeof value);
  return out;
}

}  // namespace jitc
