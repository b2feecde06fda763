// The scalar types of array elements and kernel parameters.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "jitc/half.hpp"

namespace jitc {

/// NumPy's names by kind and bytes: b1 is bool, u4 is uint32, f8 is float64, c8 is complex64 (two f4); bf16 is
/// bfloat16.
enum class DType : uint8_t { b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, bf16, f4, f8, c8, c16 };

inline constexpr size_t kDTypeCount = 15;

inline constexpr DType b1 = DType::b1, i1 = DType::i1, i2 = DType::i2, i4 = DType::i4, i8 = DType::i8, u1 = DType::u1,
                       u2 = DType::u2, u4 = DType::u4, u8 = DType::u8, f2 = DType::f2, bf16 = DType::bf16,
                       f4 = DType::f4, f8 = DType::f8, c8 = DType::c8, c16 = DType::c16;

enum class DTypeKind : uint8_t { boolean, signed_int, unsigned_int, real, complex };

/// What is known of a type. Everything below reads it here.
struct DTypeInfo {
  std::string_view name;
  DTypeKind kind;
  uint8_t size_bytes;
};
namespace detail {
inline constexpr DTypeInfo kDTypes[kDTypeCount] = {
    {"b1", DTypeKind::boolean, 1},      {"i1", DTypeKind::signed_int, 1},   {"i2", DTypeKind::signed_int, 2},
    {"i4", DTypeKind::signed_int, 4},   {"i8", DTypeKind::signed_int, 8},   {"u1", DTypeKind::unsigned_int, 1},
    {"u2", DTypeKind::unsigned_int, 2}, {"u4", DTypeKind::unsigned_int, 4}, {"u8", DTypeKind::unsigned_int, 8},
    {"f2", DTypeKind::real, 2},         {"bf16", DTypeKind::real, 2},       {"f4", DTypeKind::real, 4},
    {"f8", DTypeKind::real, 8},         {"c8", DTypeKind::complex, 8},      {"c16", DTypeKind::complex, 16}};
}  // namespace detail

constexpr const DTypeInfo& dtype_info(DType t) { return detail::kDTypes[static_cast<size_t>(t)]; }

/// Bytes of one element: 1 to 16.
constexpr size_t size_bytes(DType t) { return dtype_info(t).size_bytes; }
constexpr unsigned size_bits(DType t) { return static_cast<unsigned>(size_bytes(t) * 8); }

constexpr bool is_bool(DType t) { return dtype_info(t).kind == DTypeKind::boolean; }
constexpr bool is_signed_int(DType t) { return dtype_info(t).kind == DTypeKind::signed_int; }
constexpr bool is_unsigned_int(DType t) { return dtype_info(t).kind == DTypeKind::unsigned_int; }
constexpr bool is_int(DType t) { return is_signed_int(t) || is_unsigned_int(t); }
constexpr bool is_float(DType t) { return dtype_info(t).kind == DTypeKind::real; }
/// f2 or bf16: stored in 16 bits, computed in f4 where the target does no better.
constexpr bool is_half(DType t) { return is_float(t) && size_bytes(t) == 2; }
constexpr bool is_complex(DType t) { return dtype_info(t).kind == DTypeKind::complex; }

/// The type of the two parts of a complex number (c8: f4), and any other type itself.
constexpr DType part_type(DType t) { return t == DType::c8 ? DType::f4 : t == DType::c16 ? DType::f8 : t; }

/// "f4".
constexpr std::string_view name(DType t) { return dtype_info(t).name; }

/// The inverse of name(): short names only.
constexpr std::optional<DType> dtype_from_name(std::string_view text) {
  for (size_t i = 0; i < kDTypeCount; ++i) {
    if (name(static_cast<DType>(i)) == text) return static_cast<DType>(i);
  }
  return std::nullopt;
}

/// The C++ types of elements and scalars.
template <class T>
concept ElementType = std::is_arithmetic_v<T> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// The DType of a C++ arithmetic type, of float16 and bfloat16, and of std::complex<float> and <double>.
template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::b1;
  else if constexpr (std::is_same_v<T, float16>)
    return DType::f2;
  else if constexpr (std::is_same_v<T, bfloat16>)
    return DType::bf16;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return DType::c8;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return DType::c16;
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
