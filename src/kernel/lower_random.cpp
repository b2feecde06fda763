// xoroshiro128+ and what is drawn from it (the algorithm: include/jitc/random.hpp). Generator i is row i of the states.
#include <numbers>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

using sema::RandomOp;

namespace {

/// Both words of one generator, and arithmetic on u8 values.
class Generator {
 public:
  Generator(Builder& b, MemRef first, MemRef second) : b_(b), refs_{std::move(first), std::move(second)} {
    for (const char* name : {"s0", "s1"}) words_.push_back(b.add_local(name, scalar(DType::u8)));
  }

  void load() {
    for (size_t i = 0; i < 2; ++i) b_.assign(words_[i], b_.load(refs_[i]));
  }
  void store() {
    for (size_t i = 0; i < 2; ++i) b_.store(refs_[i], word(i));
  }
  ExprId word(size_t i) { return b_.local(words_[i]); }
  void set(size_t i, ExprId value) { b_.assign(words_[i], value); }

  /// The next number; the words are those after it.
  ExprId next() {
    const LocalId result = b_.add_local("drawn", scalar(DType::u8));
    b_.assign(result, op(BinaryOp::kAdd, word(0), word(1)));
    set(1, op(BinaryOp::kXor, word(1), word(0)));
    set(0, op(BinaryOp::kXor, op(BinaryOp::kXor, rotated(word(0), 55), word(1)), op(BinaryOp::kShl, word(1), u8(14))));
    set(1, rotated(word(1), 36));
    return b_.local(result);
  }

  ExprId u8(uint64_t v) { return b_.constant(DType::u8, v); }
  ExprId op(BinaryOp o, ExprId lhs, ExprId rhs) { return b_.binary(o, lhs, rhs); }

 private:
  ExprId rotated(ExprId x, uint64_t bits) {
    return op(BinaryOp::kOr, op(BinaryOp::kShl, x, u8(bits)), op(BinaryOp::kShr, x, u8(64 - bits)));
  }

  Builder& b_;
  std::vector<MemRef> refs_;
  std::vector<LocalId> words_;
};

/// for word of the polynomial: for bit in range(64): if the bit is set: sum ^= words; next()
void emit_jump(Builder& b, Generator& g) {
  const LocalId sum[] = {b.add_local("sum0", scalar(DType::u8)), b.add_local("sum1", scalar(DType::u8))};
  for (const LocalId s : sum) b.assign(s, g.u8(0));
  for (const uint64_t polynomial : {0xBEAC0467EBA5FACB, 0xD86B048B86AA9922}) {
    const LocalId bit = b.add_local("bit", scalar(DType::u8));
    b.assign(bit, g.u8(0));
    b.loop(
        b.add_label("jump"), [&] { return b.compare(CompareOp::kLt, b.local(bit), g.u8(64)); },
        [&] {
          const ExprId shifted = g.op(BinaryOp::kShr, g.u8(polynomial), b.local(bit));
          b.if_then(b.convert(DType::b1, g.op(BinaryOp::kAnd, shifted, g.u8(1))), [&] {
            for (size_t i = 0; i < 2; ++i) b.assign(sum[i], g.op(BinaryOp::kXor, b.local(sum[i]), g.word(i)));
          });
          g.next();
        },
        [&] { b.assign(bit, g.op(BinaryOp::kAdd, b.local(bit), g.u8(1))); });
  }
  for (size_t i = 0; i < 2; ++i) g.set(i, b.local(sum[i]));
}

/// The top 53 bits times 2^-53: exact. As f4 rounded once more, which may give 1.
ExprId unit_interval(Builder& b, Generator& g, DType dtype) {
  const ExprId bits = b.convert(DType::f8, g.op(BinaryOp::kShr, g.next(), g.u8(11)));
  const ExprId unit = b.binary(BinaryOp::kMul, bits, b.constant(DType::f8, 0x1p-53));
  return dtype == DType::f8 ? unit : b.convert(DType::f4, unit);
}

/// Box and Muller's first value of two uniform ones, which are rounded to f4 for both types.
ExprId normal(Builder& b, Generator& g, DType dtype) {
  const auto uniform = [&] {
    const LocalId u = b.add_local("u", scalar(dtype));
    const ExprId drawn = unit_interval(b, g, DType::f4);
    b.assign(u, dtype == DType::f4 ? drawn : b.convert(dtype, drawn));
    return b.local(u);
  };
  const ExprId u1 = uniform(), u2 = uniform();
  const ExprId twice_log = b.binary(BinaryOp::kMul, b.constant(dtype, -2.0), b.math(MathFn::kLog, {u1}));
  const ExprId angle = b.binary(BinaryOp::kMul, b.constant(dtype, 2 * std::numbers::pi), u2);
  return b.binary(BinaryOp::kMul, b.unary(UnaryOp::kSqrt, twice_log), b.math(MathFn::kCos, {angle}));
}

}  // namespace

Value Lowerer::lower_random(const sema::RandomExpr& e, source::Span span) {
  const ArrayValue states = lower_array_before(e.states, {e.index});
  note_access(states, false);
  note_access(states, true);
  const std::vector<ExprId> index = {pin(lower_scalar(e.index))};
  ArrayValue rows = states;
  rows.extents.pop_back();
  rows.strides.pop_back();
  MemRef first = place(rows, {e.index}, index, span);
  for (AddressTerm& term : first.terms) term = {pin(term.index), term.stride_bytes};
  MemRef second = first;
  second.terms.push_back({number(1), states.strides[1]});
  Generator generator(b_, std::move(first), std::move(second));
  generator.load();
  ExprId out;
  switch (e.op) {
    case RandomOp::kNext: out = generator.next(); break;
    case RandomOp::kJump: emit_jump(b_, generator); break;
    case RandomOp::kUniformF4: out = unit_interval(b_, generator, DType::f4); break;
    case RandomOp::kUniformF8: out = unit_interval(b_, generator, DType::f8); break;
    case RandomOp::kNormalF4: out = normal(b_, generator, DType::f4); break;
    case RandomOp::kNormalF8: out = normal(b_, generator, DType::f8); break;
  }
  Value value;
  if (out.valid()) value.scalar = pin(out);
  generator.store();
  return value;
}

}  // namespace jitc::kernel
