#include "src/types/type.hpp"

#include "src/base/match.hpp"
#include "src/types/promotion.hpp"

namespace jitc::types {

namespace {

constexpr uint32_t kFirstScalar = 2;  // after unknown and none

std::string scalar_name(const Scalar& s) {
  if (!s.weak()) return std::string(name(s.dtype));
  static constexpr const char* kKinds[] = {"bool", "int", "float", "complex"};
  std::string kind = kKinds[static_cast<size_t>(kind_rank(s.dtype))];
  return s.strength == Strength::kWeakConst ? kind : kind + "?";
}

/// How one axis is written in a signature.
std::string axis_text(const ArrayType& type, int axis) {
  if (!type.extent_names.empty() && !type.extent_names[static_cast<size_t>(axis)].empty()) {
    return type.extent_names[static_cast<size_t>(axis)];
  }
  const bool unit =
      (type.layout == Layout::c && axis == type.rank - 1) || (type.layout == Layout::fortran && axis == 0);
  return unit ? "::1" : ":";
}

}  // namespace

TypeTable::TypeTable() {
  types_.add({UnknownType{}});
  types_.add({NoneType{}});
  for (auto strength : {Strength::kTyped, Strength::kWeakConst, Strength::kWeakRuntime}) {
    for (size_t i = 0; i < kDTypeCount; ++i) types_.add({Scalar{static_cast<DType>(i), strength}});
  }
}

TypeId TypeTable::scalar(DType dtype, Strength strength) const {
  return TypeId(kFirstScalar + static_cast<uint32_t>(strength) * static_cast<uint32_t>(kDTypeCount) +
                static_cast<uint32_t>(dtype));
}

TypeId TypeTable::intern(const Type& type) {
  for (uint32_t i = 0; i < types_.size(); ++i) {
    if (types_[TypeId(i)] == type) return TypeId(i);
  }
  return types_.add(type);
}

std::string to_string(const ArrayType& type) {
  std::string out(name(type.dtype));
  out += "[";
  for (int axis = 0; axis < type.rank; ++axis) {
    if (axis != 0) out += ",";
    out += axis_text(type, axis);
  }
  out += "]";
  // Only arrays of kernels have another space, and no signature can write it.
  static constexpr const char* kSpaces[] = {"", " in shared memory", " in local memory", " in constant memory"};
  return out + kSpaces[static_cast<size_t>(type.space)];
}

std::string TypeTable::to_string(TypeId id) const {
  return base::match(
      types_[id].kind, [](const UnknownType&) { return std::string("?"); },
      [](const NoneType&) { return std::string("none"); }, [](const Scalar& s) { return scalar_name(s); },
      [](const ArrayType& a) { return types::to_string(a); }, [](const GridGroupType&) { return std::string("grid"); },
      [&](const TupleType& t) {
        std::string out = "(";
        for (size_t i = 0; i < t.elements.size(); ++i) out += (i ? ", " : "") + to_string(t.elements[i]);
        return out + (t.elements.size() == 1 ? ",)" : ")");
      });
}

}  // namespace jitc::types
