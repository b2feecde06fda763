// print(…): one line of texts, numbers and tuples.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

ExprId FunctionTyper::call_print(const syntax::CallExpr& e, Span span) {
  if (!e.keywords.empty()) {
    report(DiagId::kUnknownKeyword, e.keywords[0].name_span, "print", e.keywords[0].name)
        .help("the values of a line are separated by one space, and every print ends its line");
    return poison(span);
  }
  PrintExpr out;
  bool ok = true;
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (i != 0) out.items.push_back({" ", {}});
    ok = print_item(e.args[i], out) && ok;
  }
  return ok ? add(span, ctx_.types.none(), std::move(out)) : poison(span);
}

/// One argument; false after a report.
bool FunctionTyper::print_item(SynExprId id, PrintExpr& out) {
  const syntax::Expr node = ctx_.ast.exprs[id];
  if (const auto* text = std::get_if<syntax::StringLit>(&node.kind)) {
    out.items.push_back({text->value, {}});
    return true;
  }
  if (const auto found = entity(id)) {  // print(cuda.threadIdx)
    const auto* b = std::get_if<BuiltinEntity>(&*found);
    if (b && b->builtin->rule == Rule::kDim3) {
      std::vector<ExprId> axes;
      for (uint8_t axis = 0; axis < 3; ++axis) {
        axes.push_back(thread_value(b->builtin->as<ThreadValue>(), axis, node.span));
      }
      const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
      out.items.push_back({"", add(node.span, ctx_.types.tuple({weak, weak, weak}), TupleExpr{std::move(axes)})});
      return true;
    }
  }
  const ExprId value = type_expr(id);
  if (unknown(value)) return false;
  if (const auto c = constant_of(value); c && !c->is_float()) {
    out.items.push_back({to_string(*c), {}});  // ints of any size
    return true;
  }
  if (!printable(type_of(value))) {
    auto handle = report(DiagId::kNotANumber, span_of(value), "print()", type_text(value));
    handle.help(array_of(value) ? "print its elements: a[i]" : "print texts, numbers, and tuples of numbers");
    return false;
  }
  out.items.push_back({"", value});
  return true;
}

bool FunctionTyper::printable(TypeId type) const {
  if (const Scalar* s = ctx_.types.as_scalar(type)) return !is_complex(s->dtype);
  const auto* tuple = ctx_.types.as_tuple(type);
  if (tuple == nullptr) return false;
  for (TypeId t : tuple->elements) {
    if (!printable(t)) return false;
  }
  return true;
}

}  // namespace jitc::sema
