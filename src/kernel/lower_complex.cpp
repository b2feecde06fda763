// Complex numbers are two reals: two parameters, two locals, and two neighbouring elements of memory.
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

Value Lowerer::scalar_param(const std::string& name, DType dtype) {
  const uint32_t first = b_.scalar_param(name, dtype);
  return is_complex(dtype) ? of_parts(b_.param(first), b_.param(first + 1)) : of_scalar(b_.param(first));
}

/// The imaginary part lies behind the real one.
MemRef Lowerer::imag_part(MemRef ref) {
  const auto size = static_cast<int64_t>(size_bytes(b_.type_of(ref.base).dtype));
  ref.terms.push_back({number(1), number(size)});
  return ref;
}

Value Lowerer::load(MemRef ref, DType dtype) {
  if (!is_complex(dtype)) return of_scalar(b_.load(std::move(ref)));
  const ExprId real = b_.load(ref);
  return of_parts(real, b_.load(imag_part(std::move(ref))));
}

/// The second part may be read from where the first is stored.
void Lowerer::store(MemRef ref, const Value& value) {
  if (!value.is_tuple) return void(b_.store(std::move(ref), value.scalar));
  const Value pinned = pin(value);
  b_.store(ref, pinned.items[0].scalar);
  b_.store(imag_part(std::move(ref)), pinned.items[1].scalar);
}

ExprId Lowerer::truth_of(const Value& value) {
  if (!value.is_tuple) return b_.convert(DType::b1, value.scalar);
  return b_.binary(BinaryOp::kOr, truth_of(value.items[0]), truth_of(value.items[1]));
}

}  // namespace jitc::kernel
