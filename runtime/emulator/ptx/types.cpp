#include "runtime/emulator/ptx/types.hpp"

#include <array>

namespace jitc::emulator {
namespace {

struct TypeRow {
  std::string_view name;
  TypeKind kind;
  uint32_t bits;
};

constexpr std::array kTypes = {
#define TYPE(id, name, kind, bits) TypeRow{name, TypeKind::kind, bits},
#include "runtime/emulator/ptx/types.def"
#undef TYPE
};

const TypeRow& row_of(Type type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

std::string_view name_of(Type type) { return row_of(type).name; }
TypeKind kind_of(Type type) { return row_of(type).kind; }
uint32_t width_bits(Type type) { return row_of(type).bits; }

std::optional<Type> type_named(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

}  // namespace jitc::emulator
