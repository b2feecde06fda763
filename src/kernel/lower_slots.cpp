// Variables of the source as locals of the kernel: a scalar is one local (a complex one two), a tuple one per item, an
// array one for its pointer, its extents and its strides.
#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

Slot Lowerer::make_slot(const std::string& name, types::TypeId type) {
  Slot out;
  out.name = name;
  if (const types::TupleType* t = types_.as_tuple(type)) {
    for (size_t i = 0; i < t->elements.size(); ++i) {
      out.items.push_back(make_slot(name + "." + std::to_string(i), t->elements[i]));
    }
    return out;
  }
  if (const types::ArrayType* a = types_.as_array(type)) {
    out.dtype = a->dtype;
    out.array_locals.push_back(b_.add_local(name, pointer(part_type(a->dtype), a->space)));
    for (const char* part : {".shape[", ".strides["}) {
      for (int axis = 0; axis < a->rank; ++axis) {
        out.array_locals.push_back(b_.add_local(name + part + std::to_string(axis) + "]", scalar(DType::i8)));
      }
    }
    return out;
  }
  const types::Scalar* s = types_.as_scalar(type);
  if (s == nullptr) return out;
  if (!is_complex(s->dtype)) {
    out.local = b_.add_local(name, scalar(s->dtype));
    return out;
  }
  for (const char* part : {".real", ".imag"}) {
    out.items.emplace_back();
    out.items.back().local = b_.add_local(name + part, scalar(part_type(s->dtype)));
  }
  return out;
}

Slot& Lowerer::slot(sema::VarId var) {
  const auto it = frame_->slots.find(var.index);
  if (it != frame_->slots.end()) return it->second;
  const sema::Variable& v = frame_->fn->vars[var];
  return frame_->slots.emplace(var.index, make_slot(v.name, v.type)).first->second;
}

Value Lowerer::read(const Slot& s) {
  if (s.fixed) return *s.fixed;
  Value out;
  if (s.local.valid()) {
    out.scalar = b_.local(s.local);
  } else if (!s.array_locals.empty()) {
    ArrayValue array;
    const size_t rank = (s.array_locals.size() - 1) / 2;
    array.name = s.name;
    array.argument = s.argument;
    array.data = b_.local(s.array_locals[0]);
    array.dtype = s.dtype;
    for (size_t i = 0; i < rank; ++i) array.extents.push_back(b_.local(s.array_locals[1 + i]));
    for (size_t i = 0; i < rank; ++i) array.strides.push_back(b_.local(s.array_locals[1 + rank + i]));
    out.array = std::move(array);
  } else {
    out.is_tuple = true;
    for (const Slot& item : s.items) out.items.push_back(read(item));
  }
  return out;
}

void Lowerer::write(Slot& s, const Value& value) {
  JITC_CHECK(!s.fixed, "a read-only parameter is assigned");
  if (s.local.valid()) {
    b_.assign(s.local, value.scalar);
    return;
  }
  if (!s.array_locals.empty()) {
    const ArrayValue& a = *value.array;
    const size_t rank = a.extents.size();
    // Through temporaries: the new value may read the old one (row = row[1:]).
    const Value pinned = pin(value);
    b_.assign(s.array_locals[0], pinned.array->data);
    for (size_t i = 0; i < rank; ++i) b_.assign(s.array_locals[1 + i], pinned.array->extents[i]);
    for (size_t i = 0; i < rank; ++i) b_.assign(s.array_locals[1 + rank + i], pinned.array->strides[i]);
    return;
  }
  const Value pinned = s.items.size() > 1 ? pin(value) : value;
  for (size_t i = 0; i < s.items.size(); ++i) write(s.items[i], pinned.items[i]);
}

bool Lowerer::is_leaf(ExprId id) const {
  const auto& kind = b_.program().exprs[id].kind;
  return std::holds_alternative<Const>(kind) || std::holds_alternative<ParamRef>(kind) ||
         std::holds_alternative<MemoryBase>(kind) || std::holds_alternative<ThreadIndex>(kind);
}

ExprId Lowerer::pin(ExprId id) {
  if (!id.valid() || is_leaf(id)) return id;
  const LocalId temp = b_.add_local("t", b_.type_of(id));
  b_.assign(temp, id);
  return b_.local(temp);
}

Value Lowerer::pin(const Value& value) {
  Value out = value;
  if (out.scalar.valid()) out.scalar = pin(out.scalar);
  if (out.array) {
    out.array->data = pin(out.array->data);
    for (ExprId& e : out.array->extents) e = pin(e);
    for (ExprId& s : out.array->strides) s = pin(s);
  }
  for (Value& item : out.items) item = pin(item);
  return out;
}

}  // namespace jitc::kernel
