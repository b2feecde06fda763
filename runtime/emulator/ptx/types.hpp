// The types of registers, variables and instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jitc::emulator {

enum class TypeKind { unsigned_integer, signed_integer, bits, real, packed, predicate };

enum class Type : uint8_t {
#define TYPE(id, name, kind, bits) id,
#include "runtime/emulator/ptx/types.def"
#undef TYPE
};

/// The name without its dot.
std::string_view name_of(Type type);
TypeKind kind_of(Type type);
uint32_t width_bits(Type type);
/// Of a variable of this type in memory.
inline uint32_t size_bytes(Type type) { return (width_bits(type) + 7) / 8; }
std::optional<Type> type_named(std::string_view name);

}  // namespace jitc::emulator
