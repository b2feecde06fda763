// Statements: new variables, stores, branches and loops.
#include <fmt/format.h>

#include <algorithm>

#include "src/types/promotion.hpp"
#include "tests/random_arrays/generator.hpp"

namespace jitc::random_arrays {

void Generator::define(const std::string& name, Typed value) {
  value.expr = {name, {}};
  variables_.push_back({name, std::move(value), false});
}

void Generator::statement(std::vector<Stmt>& out, int depth) {
  const int64_t kind = chance_.below(20);
  if (kind < 10) return assignment(out);
  if (kind < 11) return several(out);
  if (kind < 13) return store(out);
  if (kind < 15) return augmented(out);
  if (kind < 16) return masked(out);
  if (depth > 0) return assignment(out);
  if (kind < 18) return branch(out, depth);
  if (kind < 19) return counted_loop(out, depth);
  return while_loop(out);
}

void Generator::assignment(std::vector<Stmt>& out) {
  Typed v = value(1 + chance_.below(3));
  if (v.rank() == 0 && is_bool(v.dtype)) v = elementwise("np.where($, 1, 2)", {v}, DType::i8);
  const std::string name = fresh("v");
  out.push_back({name + " = $", {v.expr}, {}, {}});
  define(name, v);
}

/// Several results at once.
void Generator::several(std::vector<Stmt>& out) {
  Typed a = array(1);
  if (is_complex(a.dtype) || is_bool(a.dtype)) a = converted(a, DType::f4);
  const std::string first = fresh("v"), second = fresh("v");
  if (chance_.likely(0.3)) {
    out.push_back({fmt::format("{}, {} = g_ends($)", first, second), {a.expr}, {}, {}});
    Typed end = a;
    end.shape[0] = std::min<int64_t>(end.shape[0], 1);
    end.storable = false;
    define(first, end);
    define(second, end);
    return;
  }
  Typed b = converted(fitting(a.shape, 1), a.dtype);
  const Typed both = elementwise("", {a, b}, a.dtype);
  const char* const function = chance_.one_of({"np.divmod", "d_pair"});
  out.push_back({fmt::format("{}, {} = {}($, $)", first, second, function), {a.expr, b.expr}, {}, {}});
  define(first, both);
  define(second, both);
}

std::optional<Typed> Generator::place() {
  const auto whole = variable_if([](const Typed& v) { return v.storable && v.rank() > 0; });
  if (!whole || chance_.likely(0.2)) return whole;
  for (int tries = 0; tries < 4; ++tries) {
    const auto part = subscript(*whole);
    if (part && part->rank() > 0) return part;
  }
  return whole;
}

void Generator::store(std::vector<Stmt>& out) {
  const auto target = place();
  if (!target) return assignment(out);
  Typed v = fitting(target->shape, 2);
  const bool fits = elementwise("", {*target, v}, DType::f8).shape == target->shape && v.rank() <= target->rank();
  if (!fits) v = scalar_number(1);
  if (is_complex(v.dtype) && !is_complex(target->dtype)) v = converted(v, part_type(v.dtype));
  const bool whole = target->expr.args.empty();
  out.push_back({whole ? "$[...] = $" : "$ = $", {target->expr, v.expr}, {}, {}});
}

void Generator::augmented(std::vector<Stmt>& out) {
  const auto target = place();
  if (!target) return assignment(out);
  Typed v = fitting(target->shape, 2);
  const bool fits = elementwise("", {*target, v}, DType::f8).shape == target->shape && v.rank() <= target->rank();
  if (!fits) v = scalar_number(1);
  v = converted(v, target->dtype);
  const char* const op = is_bool(target->dtype) ? chance_.one_of({"|=", "&="}) : chance_.one_of({"+=", "*=", "-="});
  if (is_bool(target->dtype) && v.rank() == 0) return assignment(out);
  out.push_back({fmt::format("$ {} $", op), {target->expr, v.expr}, {}, {}});
}

void Generator::masked(std::vector<Stmt>& out) {
  const auto target = variable_if(
      [](const Typed& v) { return v.storable && v.rank() > 0 && !is_bool(v.dtype) && !is_complex(v.dtype); });
  if (!target) return assignment(out);
  const char* const op = chance_.one_of({"<", ">", "=="});
  out.push_back({fmt::format("$[$ {} {}] = {}", op, chance_.one_of({"1", "2"}), chance_.one_of({"0", "3"})),
                 {target->expr, target->expr},
                 {},
                 {}});
}

/// What a branch or the body of a loop does: a variable of before gets another value of its type and shape, or memory
/// changes.
void Generator::changed(std::vector<Stmt>& out, int depth) {
  const size_t known = variables_.size();
  if (chance_.likely(0.3)) statement(out, depth + 1);
  if (known == program_.params.size() || chance_.likely(0.3)) {
    chance_.likely(0.5) ? store(out) : augmented(out);
  } else {
    const size_t k = program_.params.size() + chance_.below(known - program_.params.size());
    const Typed before = variables_[k].value;
    Typed v = fitting(before.shape, 2);
    if (v.shape != before.shape) v = elementwise("($ + $)", {before, converted(v, before.dtype)}, before.dtype);
    if (v.shape != before.shape || is_bool(before.dtype)) v = before;
    v = converted(v, before.dtype);
    out.push_back({variables_[k].name + " = $", {v.expr}, {}, {}});
    variables_[k].value.storable = false;
  }
  variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(known), variables_.end());
}

void Generator::branch(std::vector<Stmt>& out, int depth) {
  Stmt s{"if $:", {truth().expr}, {}, {}};
  changed(s.body, depth);
  if (chance_.likely(0.6)) changed(s.orelse, depth);
  out.push_back(std::move(s));
}

void Generator::counted_loop(std::vector<Stmt>& out, int depth) {
  const std::string i = fresh("i");
  Stmt s{fmt::format("for {} in range({}):", i, chance_.one_of({"3", "2", "1, 4", "3, 0, -1", "0"})), {}, {}, {}};
  loop_variable_ = i;
  changed(s.body, depth);
  if (chance_.likely(0.2))
    s.body.push_back({"if $:", {truth().expr}, {{chance_.one_of({"break", "continue"}), {}, {}, {}}}, {}});
  if (chance_.likely(0.4)) changed(s.body, depth);
  loop_variable_.clear();
  out.push_back(std::move(s));
}

void Generator::while_loop(std::vector<Stmt>& out) {
  const std::string c = fresh("c");
  out.push_back({c + " = 0", {}, {}, {}});
  Stmt s{fmt::format("while {} < 3 and $:", c), {truth().expr}, {}, {}};
  s.body.push_back({c + " += 1", {}, {}, {}});
  changed(s.body, 1);
  out.push_back(std::move(s));
}

}  // namespace jitc::random_arrays
