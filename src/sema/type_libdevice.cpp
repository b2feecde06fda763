// Calls of numba.cuda.libdevice: arguments are cast to the C types, whatever they are, and the result has the C type.
#include "src/base/check.hpp"
#include "src/kernel/math_types.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/libdevice.hpp"

namespace jitc::sema {

/// A call into the math library, with the arguments in the types that the function takes.
ExprId FunctionTyper::math_call(MathFn fn, const std::vector<ExprId>& args, Span span) {
  const DType first = scalar_of(args[0])->dtype;
  std::vector<ExprId> values;
  for (size_t i = 0; i < args.size(); ++i) values.push_back(to_dtype(args[i], kernel::argument_type(fn, i, first)));
  return add(span, ctx_.types.scalar(kernel::result_type(fn, first)), MathExpr{fn, std::move(values)});
}

ExprId FunctionTyper::libdevice_value(const LibdeviceFunction& function, const std::vector<ExprId>& args, Span span) {
  const TypeId type = type_of(args[0]);
  switch (function.served) {
    case Served::kMath:
    case Served::kPair: return math_call(function.as<MathFn>(), args, span);
    case Served::kUnary: {
      const bool is_test = function.as<UnaryOp>() >= UnaryOp::kIsNan && function.as<UnaryOp>() <= UnaryOp::kSignBit;
      return add(span, is_test ? ctx_.types.scalar(DType::b1) : type, UnaryExpr{function.as<UnaryOp>(), args[0]});
    }
    case Served::kBinary: return binary(function.as<BinaryOp>(), args[0], args[1], span);
    case Served::kFma: return add(span, type, FmaExpr{args[0], args[1], args[2]});
    case Served::kConvert: return args[0];
  }
  JITC_CHECK(false, "no such row of libdevice.def");
}

ExprId FunctionTyper::call_libdevice(const LibdeviceFunction& function, const std::vector<ExprId>& args, Span span) {
  std::vector<ExprId> values;
  for (size_t i = 0; i < args.size(); ++i) {
    values.push_back(to_dtype(to_dtype(args[i], declared_type(function.params[i])), function.params[i]));
  }
  if (function.served != Served::kPair) {
    const ExprId value = to_dtype(libdevice_value(function, values, span), function.results[0]);
    return to_dtype(value, declared_type(function.results[0]));
  }
  const bool is_binary = values.size() == 2;
  const Shared x = share(values[0]), y = is_binary ? share(values[1]) : x;
  const auto call = [&](int fn) {
    std::vector<ExprId> copies = {copy(x.value)};
    if (is_binary) copies.push_back(copy(y.value));
    return math_call(static_cast<MathFn>(fn), copies, span);
  };
  const ExprId first = call(function.function), second = call(function.second);
  const ExprId tuple = add(span, ctx_.types.tuple({type_of(first), type_of(second)}), TupleExpr{{first, second}});
  return wrap(x, is_binary ? wrap(y, tuple) : tuple);
}

}  // namespace jitc::sema
