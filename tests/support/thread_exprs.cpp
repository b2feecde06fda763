// The expressions of the reference interpreter, and the memory that they reach.
#include <algorithm>
#include <cstring>

#include "src/base/match.hpp"
#include "tests/support/math_oracle.hpp"
#include "tests/support/thread_runner.hpp"

namespace jitc::reference {

using namespace jitc::kernel;

Bits ThreadRunner::evaluate(ExprId id) {
  begin_evaluation();
  return value_of(id);
}

/// Each expression is evaluated once per statement, as a DAG would be.
Bits ThreadRunner::value_of(ExprId id) {
  if (known_[id.index].evaluation == evaluation_) return known_[id.index].value;
  const Expr& expr = program_.exprs[id];
  const Bits value = base::match(expr.kind, [&](const auto& kind) { return compute(expr.type.dtype, kind); });
  known_[id.index] = {evaluation_, value};
  return value;
}

Bits ThreadRunner::compute(DType, const Const& e) { return e.bits; }
Bits ThreadRunner::compute(DType, const ParamRef& e) { return launch_.params[e.param]; }
Bits ThreadRunner::compute(DType, const LocalRef& e) { return thread_->locals[e.local.index]; }

Bits ThreadRunner::compute(DType, const MemoryBase& e) {
  switch (program_.memory[e.object].space) {
    case MemorySpace::kShared: return block_->memory.base(e.object);
    case MemorySpace::kLocal: return thread_->memory.base(e.object);
    case MemorySpace::kConst: return constants_.base(e.object);
    case MemorySpace::kGlobal: break;
  }
  throw ReferenceError("a kernel declares no global memory");
}

Bits ThreadRunner::compute(DType, const ThreadIndex& e) {
  const uint64_t thread = thread_->idx[e.axis], block = block_->idx[e.axis];
  const uint64_t block_dim = launch_.block[e.axis], grid_dim = launch_.grid[e.axis];
  switch (e.value) {
    case ThreadValue::kThreadIdx: return thread;
    case ThreadValue::kBlockIdx: return block;
    case ThreadValue::kBlockDim: return block_dim;
    case ThreadValue::kGridDim: return grid_dim;
    case ThreadValue::kGlobalIdx: return block * block_dim + thread;
    case ThreadValue::kGlobalDim: return grid_dim * block_dim;
    case ThreadValue::kLaneId: {
      const auto& [x, y, z] = thread_->idx;
      return (x + uint64_t{launch_.block[0]} * (y + uint64_t{launch_.block[1]} * z)) % 32;
    }
    case ThreadValue::kWarpSize: return 32;
    case ThreadValue::kDynamicSharedBytes: return launch_.dynamic_shared_bytes;
  }
  throw ReferenceError("no such thread value");
}

Bits ThreadRunner::compute(DType, const Unary& e) { return unary(e.op, dtype_of_expr(e.operand), value_of(e.operand)); }
Bits ThreadRunner::compute(DType type, const Binary& e) { return binary(e.op, type, value_of(e.lhs), value_of(e.rhs)); }
Bits ThreadRunner::compute(DType, const Compare& e) {
  return compare(e.op, dtype_of_expr(e.lhs), value_of(e.lhs), value_of(e.rhs)) ? 1 : 0;
}
Bits ThreadRunner::compute(DType type, const Convert& e) {
  return convert(dtype_of_expr(e.operand), type, value_of(e.operand));
}

Bits ThreadRunner::compute(DType, const Select& e) {
  const Bits then_value = value_of(e.then_value), else_value = value_of(e.else_value);
  return value_of(e.cond) != 0 ? then_value : else_value;
}

Bits ThreadRunner::compute(DType type, const Fma& e) {
  return fma(type, value_of(e.lhs), value_of(e.rhs), value_of(e.addend));
}

Bits ThreadRunner::compute(DType, const MathCall& e) {
  std::vector<Bits> args;
  for (ExprId arg : e.args) args.push_back(value_of(arg));
  return math_call(e.fn, dtype_of_expr(e.args[0]), args);
}

Bits ThreadRunner::compute(DType, const Load& e) { return read(e.ref); }
Bits ThreadRunner::compute(DType, const Address& e) { return address_of(e.ref); }

// --- memory

uint64_t ThreadRunner::address_of(const MemRef& ref) {
  uint64_t address = value_of(ref.base);
  for (const AddressTerm& term : ref.terms) address += value_of(term.index) * value_of(term.stride_bytes);
  return address;
}

Bits ThreadRunner::read(const MemRef& ref) {
  const size_t size = size_bytes(dtype_of_expr(ref.base));
  Bits value = 0;
  std::memcpy(&value, checked(address_of(ref), size, false), size);
  return value;
}

void ThreadRunner::write(const MemRef& ref, Bits value) {
  const size_t size = size_bytes(dtype_of_expr(ref.base));
  std::memcpy(checked(address_of(ref), size, true), &value, size);
}

/// The bytes at `address`, if all of them are the launch's, the block's, or the thread's own.
std::byte* ThreadRunner::checked(uint64_t address, size_t size, bool writes) const {
  if (address % size != 0) throw ReferenceError("misaligned access");
  const bool is_given = std::any_of(launch_.memory.begin(), launch_.memory.end(), [&](const Region& region) {
    const auto begin = reinterpret_cast<uint64_t>(region.begin);
    return address >= begin && address - begin <= region.size_bytes && region.size_bytes - (address - begin) >= size;
  });
  const bool is_constant = !is_given && constants_.holds(address, size);
  if (is_constant && writes) throw ReferenceError("a write to constant memory");
  if (!is_given && !is_constant && !block_->memory.holds(address, size) && !thread_->memory.holds(address, size)) {
    throw ReferenceError("access outside the arrays of the launch");
  }
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace jitc::reference
