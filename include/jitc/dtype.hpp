// The scalar types of array elements and kernel parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace jitc {

/// NumPy's names by kind and bytes: b1 is bool, u4 is uint32, f8 is float64.
enum class DType : uint8_t { b1, i1, i2, i4, i8, u1, u2, u4, u8, f4, f8 };

inline constexpr size_t kDTypeCount = 11;

inline constexpr DType b1 = DType::b1, i1 = DType::i1, i2 = DType::i2, i4 = DType::i4, i8 = DType::i8, u1 = DType::u1,
                       u2 = DType::u2, u4 = DType::u4, u8 = DType::u8, f4 = DType::f4, f8 = DType::f8;

/// Bytes of one element: 1, 2, 4 or 8.
constexpr size_t size_bytes(DType t) {
  constexpr uint8_t kSizes[kDTypeCount] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return kSizes[static_cast<size_t>(t)];
}
constexpr unsigned size_bits(DType t) { return static_cast<unsigned>(size_bytes(t) * 8); }

constexpr bool is_bool(DType t) { return t == DType::b1; }
constexpr bool is_signed_int(DType t) { return t >= DType::i1 && t <= DType::i8; }
constexpr bool is_unsigned_int(DType t) { return t >= DType::u1 && t <= DType::u8; }
constexpr bool is_int(DType t) { return is_signed_int(t) || is_unsigned_int(t); }
constexpr bool is_float(DType t) { return t == DType::f4 || t == DType::f8; }

/// "f4".
constexpr std::string_view name(DType t) {
  constexpr std::string_view kNames[kDTypeCount] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"};
  return kNames[static_cast<size_t>(t)];
}

/// The inverse of name(): short names only.
constexpr std::optional<DType> dtype_from_name(std::string_view text) {
  for (size_t i = 0; i < kDTypeCount; ++i) {
    if (name(static_cast<DType>(i)) == text) return static_cast<DType>(i);
  }
  return std::nullopt;
}

/// The DType of a C++ arithmetic type.
template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::b1;
  else if constexpr (std::is_floating_point_v<T> && sizeof(T) == 4)
    return DType::f4;
  else if constexpr (std::is_floating_point_v<T> && sizeof(T) == 8)
    return DType::f8;
  else {
    static_assert(std::is_integral_v<T>, "jitc has no type for this C++ type");
    constexpr DType kSigned[] = {DType::i1, DType::i2, DType::i4, DType::i8};
    constexpr DType kUnsigned[] = {DType::u1, DType::u2, DType::u4, DType::u8};
    constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[log2] : kUnsigned[log2];
  }
}

}  // namespace jitc
