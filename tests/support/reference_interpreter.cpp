#include "tests/support/reference_interpreter.hpp"

#include <cstring>

#include "src/base/match.hpp"
#include "tests/support/math_oracle.hpp"

namespace jitc::reference {

namespace {

using namespace jitc::kernel;

/// Why a block ended: at its end, by leaving or continuing a label, or with the whole thread.
struct Flow {
  enum class Kind : uint8_t { kNext, kExit, kContinue, kReturn };
  Kind kind = Kind::kNext;
  LabelId label;

  bool is(Kind wanted, LabelId of) const { return kind == wanted && label == of; }
};

struct ThreadPlace {
  std::array<uint32_t, 3> thread, block;
};

class ThreadRunner {
 public:
  ThreadRunner(const KernelProgram& program, const ReferenceLaunch& launch)
      : program_(program), launch_(launch), known_(program.exprs.size()), locals_(program.locals.size()) {}

  void run_thread(const ThreadPlace& place) {
    place_ = place;
    locals_.assign(locals_.size(), 0);
    run_block(program_.body);
  }

  const std::optional<FailRecord>& failure() const { return failure_; }

 private:
  // --- statements

  Flow run_block(const Block& block) {
    for (StmtId id : block) {
      count_step();
      const Flow flow = base::match(program_.stmts[id].kind, [&](const auto& stmt) { return run_stmt(stmt); });
      if (flow.kind != Flow::Kind::kNext) return flow;
    }
    return {};
  }

  Flow run_stmt(const Assign& s) {
    locals_[s.local.index] = evaluate(s.value);
    return {};
  }

  Flow run_stmt(const Store& s) {
    begin_evaluation();
    const Bits value = value_of(s.value);
    const size_t size = size_of_element(s.ref);
    std::memcpy(checked(address_of(s.ref), size), &value, size);
    return {};
  }

  Flow run_stmt(const If& s) { return run_block(evaluate(s.cond) != 0 ? s.then_block : s.else_block); }

  Flow run_stmt(const Loop& s) {
    while (true) {
      count_step();
      if (const Flow flow = run_block(s.head); flow.kind != Flow::Kind::kNext) return leave(flow, s.label);
      if (evaluate(s.cond) == 0) return {};
      const Flow flow = run_block(s.body);
      if (flow.kind != Flow::Kind::kNext && !flow.is(Flow::Kind::kContinue, s.label)) return leave(flow, s.label);
      if (const Flow step = run_block(s.step); step.kind != Flow::Kind::kNext) return leave(step, s.label);
    }
  }

  Flow run_stmt(const Scope& s) { return leave(run_block(s.body), s.label); }
  Flow run_stmt(const Exit& s) { return {Flow::Kind::kExit, s.label}; }
  Flow run_stmt(const Continue& s) { return {Flow::Kind::kContinue, s.label}; }
  Flow run_stmt(const Return&) { return {Flow::Kind::kReturn, {}}; }

  Flow run_stmt(const Fail& s) {
    FailRecord record;
    record.state = 2;
    record.site = s.site;
    begin_evaluation();
    for (size_t i = 0; i < s.values.size(); ++i) record.values[i] = static_cast<int64_t>(value_of(s.values[i]));
    for (size_t axis = 0; axis < 3; ++axis) {
      record.thread[axis] = place_.thread[axis];
      record.block[axis] = place_.block[axis];
    }
    if (!failure_) failure_ = record;
    return {Flow::Kind::kReturn, {}};
  }

  template <class Other>
  Flow run_stmt(const Other&) {
    throw ReferenceError("not yet");
  }

  /// An exit of `label` ends here; all other flows go on outwards.
  static Flow leave(Flow flow, LabelId label) { return flow.is(Flow::Kind::kExit, label) ? Flow{} : flow; }

  void count_step() {
    if (++steps_ > launch_.max_steps) throw ReferenceError("the kernel runs for too many steps");
  }

  // --- expressions: each is evaluated once per statement, as a DAG would be

  void begin_evaluation() { ++evaluation_; }

  Bits evaluate(ExprId id) {
    begin_evaluation();
    return value_of(id);
  }

  Bits value_of(ExprId id) {
    if (known_[id.index].evaluation == evaluation_) return known_[id.index].value;
    const Expr& expr = program_.exprs[id];
    const Bits value = base::match(expr.kind, [&](const auto& kind) { return compute(expr.type.dtype, kind); });
    known_[id.index] = {evaluation_, value};
    return value;
  }

  DType dtype_of_expr(ExprId id) const { return program_.exprs[id].type.dtype; }

  Bits compute(DType, const Const& e) { return e.bits; }
  Bits compute(DType, const ParamRef& e) { return launch_.params[e.param]; }
  Bits compute(DType, const MemoryBase&) { throw ReferenceError("not yet"); }
  Bits compute(DType, const LocalRef& e) { return locals_[e.local.index]; }

  Bits compute(DType, const ThreadIndex& e) {
    const uint64_t thread = place_.thread[e.axis], block = place_.block[e.axis];
    const uint64_t block_dim = launch_.block[e.axis], grid_dim = launch_.grid[e.axis];
    switch (e.value) {
      case ThreadValue::kThreadIdx: return thread;
      case ThreadValue::kBlockIdx: return block;
      case ThreadValue::kBlockDim: return block_dim;
      case ThreadValue::kGridDim: return grid_dim;
      case ThreadValue::kGlobalIdx: return block * block_dim + thread;
      case ThreadValue::kGlobalDim: return grid_dim * block_dim;
      case ThreadValue::kLaneId: return linear_thread() % 32;
      case ThreadValue::kWarpSize: return 32;
      case ThreadValue::kDynamicSharedBytes: return 0;
    }
    throw ReferenceError("no such thread value");
  }

  uint64_t linear_thread() const {
    const auto& [x, y, z] = place_.thread;
    return x + uint64_t{launch_.block[0]} * (y + uint64_t{launch_.block[1]} * z);
  }

  Bits compute(DType, const Unary& e) { return unary(e.op, dtype_of_expr(e.operand), value_of(e.operand)); }
  Bits compute(DType type, const Binary& e) { return binary(e.op, type, value_of(e.lhs), value_of(e.rhs)); }
  Bits compute(DType, const Compare& e) {
    return compare(e.op, dtype_of_expr(e.lhs), value_of(e.lhs), value_of(e.rhs)) ? 1 : 0;
  }
  Bits compute(DType type, const Convert& e) { return convert(dtype_of_expr(e.operand), type, value_of(e.operand)); }

  Bits compute(DType, const Select& e) {
    const Bits then_value = value_of(e.then_value), else_value = value_of(e.else_value);
    return value_of(e.cond) != 0 ? then_value : else_value;
  }

  Bits compute(DType type, const Fma& e) { return fma(type, value_of(e.lhs), value_of(e.rhs), value_of(e.addend)); }

  Bits compute(DType, const MathCall& e) {
    std::vector<Bits> args;
    for (ExprId arg : e.args) args.push_back(value_of(arg));
    return math_call(e.fn, dtype_of_expr(e.args[0]), args);
  }

  Bits compute(DType, const Load& e) {
    Bits value = 0;
    const size_t size = size_of_element(e.ref);
    std::memcpy(&value, checked(address_of(e.ref), size), size);
    return value;
  }

  Bits compute(DType, const Address& e) { return address_of(e.ref); }

  // --- memory

  size_t size_of_element(const MemRef& ref) const { return size_bytes(dtype_of_expr(ref.base)); }

  uint64_t address_of(const MemRef& ref) {
    uint64_t address = value_of(ref.base);
    for (const AddressTerm& term : ref.terms) address += value_of(term.index) * value_of(term.stride_bytes);
    return address;
  }

  /// The bytes at `address`, if all of them are memory of the launch.
  std::byte* checked(uint64_t address, size_t size) const {
    if (address % size != 0) throw ReferenceError("misaligned access");
    for (const Region& region : launch_.memory) {
      const auto begin = reinterpret_cast<uint64_t>(region.begin);
      if (address >= begin && address - begin <= region.size_bytes && region.size_bytes - (address - begin) >= size) {
        return reinterpret_cast<std::byte*>(address);
      }
    }
    throw ReferenceError("access outside the arrays of the launch");
  }

  struct Known {
    uint64_t evaluation = 0;
    Bits value = 0;
  };

  const KernelProgram& program_;
  const ReferenceLaunch& launch_;
  std::vector<Known> known_;
  std::vector<Bits> locals_;
  ThreadPlace place_{};
  uint64_t evaluation_ = 0;
  uint64_t steps_ = 0;
  std::optional<FailRecord> failure_;
};

template <class Visit>
void for_each_index(const std::array<uint32_t, 3>& extent, Visit visit) {
  std::array<uint32_t, 3> at{};
  for (at[2] = 0; at[2] < extent[2]; ++at[2]) {
    for (at[1] = 0; at[1] < extent[1]; ++at[1]) {
      for (at[0] = 0; at[0] < extent[0]; ++at[0]) visit(at);
    }
  }
}

}  // namespace

std::optional<FailRecord> run(const KernelProgram& program, const ReferenceLaunch& launch) {
  ThreadRunner runner(program, launch);
  for_each_index(launch.grid, [&](const std::array<uint32_t, 3>& block) {
    for_each_index(launch.block, [&](const std::array<uint32_t, 3>& thread) { runner.run_thread({thread, block}); });
  });
  return runner.failure();
}

}  // namespace jitc::reference
