#include "tests/unit/codegen/kernels.hpp"

namespace jitc::codegen::tests {

using namespace kernel;

KernelProgram elementwise(const std::string& symbol, DType result, const std::vector<DType>& operands,
                          const MakeValue& make_value) {
  Builder k(symbol);
  const uint32_t n = k.scalar_param("n", DType::i8);
  const uint32_t out = k.data_param(k.array_argument("out", result, 1));
  std::vector<uint32_t> arrays;
  for (const DType dtype : operands) {
    arrays.push_back(k.data_param(k.array_argument("a" + std::to_string(arrays.size()), dtype, 1)));
  }
  const LocalId i = k.add_local("i", scalar(DType::i8));
  k.assign(i, k.thread(ThreadValue::kGlobalIdx));
  k.if_then(k.compare(CompareOp::kLt, k.local(i), k.param(n)), [&] {
    std::vector<ExprId> values;
    for (const uint32_t array : arrays) values.push_back(k.load(k.element(k.param(array), k.local(i))));
    k.store(k.element(k.param(out), k.local(i)), make_value(k, values));
  });
  return k.take();
}

KernelProgram axpy(const std::string& symbol) {
  Builder k(symbol);
  const uint32_t n = k.scalar_param("n", DType::i8), a = k.scalar_param("a", DType::f4);
  const uint32_t x = k.data_param(k.array_argument("x", DType::f4, 1));
  const uint32_t y = k.data_param(k.array_argument("y", DType::f4, 1));
  const uint32_t out = k.data_param(k.array_argument("out", DType::f4, 1));
  const LocalId i = k.add_local("i", scalar(DType::i8));
  k.assign(i, k.thread(ThreadValue::kGlobalIdx));
  k.if_then(k.compare(CompareOp::kLt, k.local(i), k.param(n)), [&] {
    const ExprId product = k.binary(BinaryOp::kMul, k.param(a), k.load(k.element(k.param(x), k.local(i))));
    const ExprId sum = k.binary(BinaryOp::kAdd, product, k.load(k.element(k.param(y), k.local(i))));
    k.store(k.element(k.param(out), k.local(i)), sum);
  });
  return k.take();
}

KernelProgram pairwise(const std::string& symbol) {
  Builder k(symbol);
  const uint32_t x_arg = k.array_argument("X", DType::f8, 2), d_arg = k.array_argument("D", DType::f8, 2);
  const uint32_t x = k.data_param(x_arg), n = k.extent_param(x_arg, 0), m = k.extent_param(x_arg, 1);
  const uint32_t x0 = k.stride_param(x_arg, 0), x1 = k.stride_param(x_arg, 1);
  const uint32_t d_ptr = k.data_param(d_arg), d0 = k.stride_param(d_arg, 0), d1 = k.stride_param(d_arg, 1);
  const LocalId i = k.add_local("i", scalar(DType::i8)), j = k.add_local("j", scalar(DType::i8)),
                c = k.add_local("k", scalar(DType::i8)), d = k.add_local("d", scalar(DType::f8)),
                t = k.add_local("t", scalar(DType::f8));
  const auto at = [&](uint32_t ptr, LocalId row, uint32_t stride0, LocalId column, uint32_t stride1) {
    return MemRef{k.param(ptr), {{k.local(row), k.param(stride0)}, {k.local(column), k.param(stride1)}}};
  };
  k.assign(i, k.thread(ThreadValue::kGlobalIdx, 0));
  k.assign(j, k.thread(ThreadValue::kGlobalIdx, 1));
  k.if_then(k.compare(CompareOp::kLt, k.local(i), k.param(n)), [&] {
    k.if_then(k.compare(CompareOp::kLt, k.local(j), k.param(n)), [&] {
      k.assign(d, k.constant(DType::f8, 0.0));
      k.assign(c, k.constant(DType::i8, 0));
      k.loop(
          k.add_label("for"), [&] { return k.compare(CompareOp::kLt, k.local(c), k.param(m)); },
          [&] {
            const ExprId lhs = k.load(at(x, i, x0, c, x1)), rhs = k.load(at(x, j, x0, c, x1));
            k.assign(t, k.binary(BinaryOp::kSub, lhs, rhs));
            k.assign(d, k.fma(k.local(t), k.local(t), k.local(d)));
          },
          [&] { k.assign(c, k.binary(BinaryOp::kAdd, k.local(c), k.constant(DType::i8, 1))); });
      k.store(at(d_ptr, i, d0, j, d1), k.unary(UnaryOp::kSqrt, k.local(d)));
    });
  });
  return k.take();
}

}  // namespace jitc::codegen::tests
