// The types of values: typed and weak scalars, arrays, tuples, none. Interned: equal types have equal ids.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/dtype.hpp"
#include "src/base/store.hpp"
#include "src/types/memory_space.hpp"

namespace jitc::types {

using TypeId = base::Id<struct TypeTag>;

/// How a scalar takes part in promotion (LANGUAGE: typed and weak).
enum class Strength : uint8_t {
  kTyped,        ///< from a signature, an array element, a cast or a typed constant
  kWeakConst,    ///< what Python would have as a number, known at compile time
  kWeakRuntime,  ///< the same, known when the kernel runs
};

/// A scalar. Weak ones have the default of their kind as dtype: b1, i8, f8 or c16, which is also how they are computed.
struct Scalar {
  DType dtype = DType::i8;
  Strength strength = Strength::kTyped;

  bool operator==(const Scalar&) const = default;
  bool weak() const { return strength != Strength::kTyped; }
};

struct ArrayType {
  DType dtype = DType::f8;
  int rank = 1;
  Layout layout = Layout::any;
  bool readonly = false;
  std::vector<std::string> extent_names;  ///< empty, or one per axis ("" where unnamed)
  MemorySpace space = MemorySpace::kGlobal;

  bool operator==(const ArrayType&) const = default;
};
struct TupleType {
  std::vector<TypeId> elements;
  bool operator==(const TupleType&) const = default;
};
/// What a function without a return value returns.
struct NoneType {
  bool operator==(const NoneType&) const = default;
};
/// All threads of the launch (cuda.cg.this_grid()).
struct GridGroupType {
  bool operator==(const GridGroupType&) const = default;
};
/// Not known yet (inference) or wrong and already reported.
struct UnknownType {
  bool operator==(const UnknownType&) const = default;
};

struct Type {
  std::variant<UnknownType, NoneType, Scalar, ArrayType, TupleType, GridGroupType> kind;
  bool operator==(const Type&) const = default;
};

/// One table per compile; not thread-safe.
class TypeTable {
 public:
  TypeTable();

  TypeId unknown() const { return TypeId(0); }
  TypeId none() const { return TypeId(1); }
  TypeId scalar(DType dtype, Strength strength = Strength::kTyped) const;
  TypeId scalar(Scalar s) const { return scalar(s.dtype, s.strength); }
  TypeId array(ArrayType type) { return intern({std::move(type)}); }
  TypeId tuple(std::vector<TypeId> elements) { return intern({TupleType{std::move(elements)}}); }
  TypeId grid_group() { return intern({GridGroupType{}}); }

  const Type& operator[](TypeId id) const { return types_[id]; }
  const Scalar* as_scalar(TypeId id) const { return std::get_if<Scalar>(&types_[id].kind); }
  const ArrayType* as_array(TypeId id) const { return std::get_if<ArrayType>(&types_[id].kind); }
  const TupleType* as_tuple(TypeId id) const { return std::get_if<TupleType>(&types_[id].kind); }
  bool is_grid_group(TypeId id) const { return std::holds_alternative<GridGroupType>(types_[id].kind); }
  bool is_unknown(TypeId id) const { return id == unknown(); }

  /// "f4", "f4[:,::1]", "f4[n,m]", "(i8, f4)", "none"; weak scalars as "int", "float", "bool", "complex" with a
  /// trailing "?" when known only at run time.
  std::string to_string(TypeId id) const;

 private:
  TypeId intern(const Type& type);

  base::Store<Type, TypeId> types_;
};

/// "f4[:,:]" of an array type.
std::string to_string(const ArrayType& type);

}  // namespace jitc::types
