// Scalar::of.
#pragma once

#include <cstring>

namespace jitc {

template <class T>
Scalar Scalar::of(T value) {
  Scalar out;
  out.dtype = dtype_of<T>();
  constexpr size_t kPart = is_complex(dtype_of<T>()) ? sizeof(T) / 2 : sizeof(T);
  static_assert(kPart <= sizeof out.bits);
  std::memcpy(&out.bits, &value, kPart);
  if constexpr (kPart < sizeof(T))
    std::memcpy(&out.imag_bits, reinterpret_cast<const std::byte*>(&value) + kPart, kPart);
  return out;
}

}  // namespace jitc
