// Device functions are inlined: parameters become locals, the body a scope, a return an exit from it.
#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

Value Lowerer::inline_call(const sema::CallExpr& e, uint32_t site, source::Span span) {
  std::vector<Value> args;
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (has_effect(e.args[i])) {
      for (Value& earlier : args) earlier = pin(earlier);
    }
    args.push_back(lower(e.args[i]));
  }
  return inline_function(*e.function, args, site, span);
}

Value Lowerer::inline_function(const sema::TypedFunction& callee, const std::vector<Value>& args, uint32_t site,
                               source::Span span) {
  Frame frame;
  frame.fn = &callee;
  frame.path = frame_->path;
  frame.path.push_back(site);
  frame.return_to = b_.add_label(callee.name);
  if (callee.return_type != types_.none()) frame.result = make_slot(callee.name + ".result", callee.return_type);
  Frame* const caller = std::exchange(frame_, &frame);
  for (size_t i = 0; i < args.size(); ++i) {
    const sema::VarId var = callee.params[i];
    Slot s;
    if (assignments(callee, var) != 0) {
      s = make_slot(callee.vars[var].name, callee.vars[var].type);
      write(s, args[i]);
    } else {
      // Pinned even when a caller's variable: the callee sees the value at the call.
      s.fixed = pin(args[i]);
      s.name = callee.vars[var].name;
      if (s.fixed->array) s.fixed->array->name = s.name;
    }
    frame.slots.emplace(var.index, std::move(s));
  }
  b_.scope(frame.return_to, [&] { lower_block(callee.body); });
  frame_ = caller;
  b_.at(span);
  return frame.result ? read(*frame.result) : Value{};
}

}  // namespace jitc::kernel
