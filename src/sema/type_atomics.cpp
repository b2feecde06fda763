// Atomic operations on elements of arrays.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

using source::DiagId;

namespace {

bool unsigned_only(AtomicOp op) { return op == AtomicOp::kInc || op == AtomicOp::kDec; }
bool ints_only(AtomicOp op) { return op == AtomicOp::kAnd || op == AtomicOp::kOr || op == AtomicOp::kXor; }

/// The elements an operation works on, as a message lists them.
const char* elements_text(AtomicOp op) {
  if (unsigned_only(op)) return "u4 and u8";
  return ints_only(op) ? "i4, u4, i8 and u8" : "i4, u4, i8, u8, f4 and f8";
}

bool works_on(AtomicOp op, DType dtype) {
  if (is_complex(dtype) || size_bytes(dtype) < 4 || (unsigned_only(op) && !is_unsigned_int(dtype))) return false;
  return is_int(dtype) || !ints_only(op);
}

}  // namespace

/// cuda.atomic.add(array, index, value); cas has the expected value before it, compare_and_swap no index.
ExprId FunctionTyper::call_atomic(const BuiltinEntity& b, const syntax::CallExpr& e, Span span) {
  const auto op = b.builtin->as<AtomicOp>();
  const bool first_element = b.builtin->name == "compare_and_swap";
  std::vector<std::string_view> names{"ary", "idx", "val"};
  if (op == AtomicOp::kCas) names = {"ary", "idx", "old", "val"};
  if (first_element) names = {"ary", "old", "val"};
  const auto args = bind_parameters(names, names.size(), e, span);
  if (!args) return poison(span);
  const std::string callee = callee_text(e);
  const ExprId array = type_expr((*args)[0]);
  if (unknown(array)) return poison(span);
  if (!require_atomic_array(array, op, callee)) return poison(span);
  const DType dtype = array_of(array)->dtype;
  AtomicExpr out{op, array, {}, {}, {}};
  if (first_element) {
    if (array_of(array)->rank != 1) {
      report(DiagId::kAtomicIndex, span_of(array), callee, fmt::format("{} has no element 0", type_text(array)))
          .help("use cuda.atomic.cas, which takes an index");
      return poison(span);
    }
    out.indices.push_back(constant(span, {DType::i8, types::Strength::kTyped}, Constant::of_int(0)));
  } else {
    const IndexList list = type_index_list(array, (*args)[1], span);
    if (!list.ok) return poison(span);
    if (!list.all_indices) {
      const auto rank = static_cast<size_t>(array_of(array)->rank);
      report(DiagId::kAtomicIndex, ctx_.ast.exprs[(*args)[1]].span, callee,
             fmt::format("the index is too short for {}", type_text(array)))
          .help(fmt::format("give {} indices as a tuple", rank));
      return poison(span);
    }
    for (const AxisSelection& a : list.axes) out.indices.push_back(a.index);
  }
  const auto value = [&](SynExprId id) {
    const ExprId v = type_expr(id);
    return require_scalar(v, fmt::format("{}()", callee)) ? to_dtype(v, dtype) : poison(span);
  };
  if (op == AtomicOp::kCas) out.expected = value((*args)[args->size() - 2]);
  out.value = value(args->back());
  if (unknown(out.value) || (out.expected.valid() && unknown(out.expected))) return poison(span);
  return add(span, ctx_.types.scalar(dtype), std::move(out));
}

bool FunctionTyper::require_atomic_array(ExprId array, AtomicOp op, const std::string& callee) {
  const types::ArrayType* type = array_of(array);
  if (type == nullptr) {
    report(DiagId::kNeedsArray, span_of(array), callee, type_text(array))
        .help(fmt::format("the array and the index are arguments of their own: {}(a, i, value)", callee));
    return false;
  }
  if (!require_writable(array, span_of(array))) return false;
  if (type->space == MemorySpace::kLocal) {
    report(DiagId::kAtomicSpace, span_of(array), callee, type_text(array))
        .help("a thread alone needs no atomic operation: a[i] += value");
    return false;
  }
  if (works_on(op, type->dtype)) return true;
  auto handle = report(DiagId::kAtomicElements, span_of(array), callee, elements_text(op), type_text(array));
  if (unsigned_only(op)) {
    handle.help("use an array of u4 or u8");
  } else if (is_complex(type->dtype)) {
    handle.help(fmt::format("no operation reaches both parts at once; work on one: {}(a.real, i, value)", callee));
  } else if (is_float(type->dtype) && ints_only(op)) {
    handle.help("use an array of ints");
  } else {
    handle.help("use an array of a wider type; the hardware has no such operation on 8 and 16 bits");
  }
  return false;
}

}  // namespace jitc::sema
