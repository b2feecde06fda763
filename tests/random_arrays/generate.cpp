#include "tests/random_arrays/generate.hpp"

#include <algorithm>
#include <numeric>

#include "src/types/promotion.hpp"
#include "tests/random_arrays/generator.hpp"

namespace jitc::random_arrays {

namespace {

/// Elements of one array of the program; one in many programs has larger ones, whose folds have leaves and blocks.
constexpr int64_t kMaxElements = 240;

}  // namespace

DType meet(DType a, DType b) { return types::promote(a, b); }

Program generate(uint64_t seed) { return Generator(seed).run(); }

Program Generator::run() {
  take_parameters();
  const auto count = 1 + chance_.below(6);
  for (int k = 0; k < count; ++k) statement(program_.stmts, 0);
  choose_results();
  if (chance_.likely(0.08)) change_extent();
  return std::move(program_);
}

/// The call has another extent than the one for which the text was written: it broadcasts otherwise, or fails.
void Generator::change_extent() {
  Parameter& p = program_.params[chance_.below(program_.params.size())];
  // What a branch computes and no one takes may go unnoticed.
  const bool is_straight =
      std::all_of(program_.stmts.begin(), program_.stmts.end(), [](const Stmt& s) { return s.text.back() != ':'; });
  if (!p.is_array || !is_straight) return;
  const size_t axis = chance_.below(p.shape.size());
  p.shape[axis] = chance_.one_of<int64_t>({1, 1, 1, 2, 3, chance_.one_of(extents_)});
}

DType Generator::any_dtype() {
  using enum DType;
  return chance_.one_of({f8, f4, f8, f4, f8, f4, i8, i4, u1, b1, i2, u4, f2, c8, c16, u8, i1, u2});
}

void Generator::take_parameters() {
  const std::vector<int64_t> small{1, 2, 3, 4, 5, 7, 2, 3, 4, 8, 16, 17};
  for (int k = 0; k < 3; ++k) extents_.push_back(chance_.likely(0.04) ? 0 : chance_.one_of(small));
  if (chance_.likely(0.05)) extents_[0] = chance_.one_of({33, 64, 100, 520, 600, 1025});
  if (chance_.likely(0.004)) extents_[0] = chance_.one_of({4096, 4097, 5000});
  const int count = 1 + chance_.below(3);
  for (int k = 0; k < count; ++k) {
    std::vector<int64_t> shape;
    const int rank = chance_.one_of({1, 2, 2, 2, 3});
    do {
      shape.clear();
      for (int axis = 0; axis < rank; ++axis) shape.push_back(chance_.likely(0.1) ? 1 : chance_.one_of(extents_));
    } while (std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()) >
                 std::max(kMaxElements, extents_[0]) ||
             (rank > 1 && std::count(shape.begin(), shape.end(), extents_[0]) > 1 && extents_[0] > 20));
    const bool again = k > 0 && chance_.likely(0.4);
    add_parameter("x" + std::to_string(k), again ? program_.params[0].dtype : any_dtype(), shape, true);
  }
  if (chance_.likely(0.5)) add_parameter("s", any_dtype(), {}, false);
}

void Generator::add_parameter(const std::string& name, DType dtype, std::vector<int64_t> shape, bool is_array) {
  if (!is_array && is_bool(dtype)) dtype = DType::f8;  // counts as an int there
  Parameter p{name, dtype, is_array, shape, {}, chance_.bits(), {}, {}};
  lay_out(p);
  const bool dense = std::is_sorted(p.order.begin(), p.order.end()) &&
                     std::all_of(p.steps.begin(), p.steps.end(), [](int64_t s) { return s == 1; });
  const bool has_zero_step = std::find(p.steps.begin(), p.steps.end(), 0) != p.steps.end();
  if (is_array && chance_.likely(0.2)) {
    for (const int64_t extent : shape) {
      const auto found = std::find(extents_.begin(), extents_.end(), extent);
      p.extent_names.push_back(found == extents_.end() ? ":" : std::string(1, "mnk"[found - extents_.begin()]));
    }
  }
  if (is_array && dense && p.extent_names.empty() && chance_.likely(0.2)) {
    p.extent_names.assign(shape.size(), ":");
    p.extent_names.back() = "::1";
  }
  program_.params.push_back(std::move(p));
  variables_.push_back({name, {{name, {}}, dtype, std::move(shape), is_array && !has_zero_step}, false});
}

void Generator::lay_out(Parameter& p) {
  p.order.resize(p.shape.size());
  std::iota(p.order.begin(), p.order.end(), 0U);
  p.steps.assign(p.shape.size(), 1);
  if (chance_.likely(0.5)) return;
  if (chance_.likely(0.5)) {
    for (size_t k = p.order.size(); k > 1; --k) std::swap(p.order[k - 1], p.order[chance_.below(k)]);
  }
  for (int64_t& step : p.steps) {
    if (chance_.likely(0.3)) step = chance_.one_of({2, 3, -1, -1, -2});
  }
  if (!p.steps.empty() && chance_.likely(0.05)) p.steps[chance_.below(p.steps.size())] = 0;
}

Typed Generator::use(Variable& variable) {
  variable.used = true;
  return variable.value;
}

/// Of the last ones mostly, so that one value is taken more than once.
Typed Generator::any_variable() {
  const size_t count = variables_.size(), recent = std::min<size_t>(count, 3);
  return use(variables_[chance_.likely(0.6) ? count - 1 - chance_.below(recent) : chance_.below(count)]);
}

std::optional<Typed> Generator::variable_if(const std::function<bool(const Typed&)>& wanted) {
  std::vector<size_t> found;
  for (size_t k = 0; k < variables_.size(); ++k) {
    if (wanted(variables_[k].value)) found.push_back(k);
  }
  if (found.empty()) return std::nullopt;
  return use(variables_[chance_.one_of(found)]);
}

/// What nothing has used, and some others.
void Generator::choose_results() {
  for (Variable& v : variables_) {
    const bool is_param = std::any_of(program_.params.begin(), program_.params.end(),
                                      [&](const Parameter& p) { return p.name == v.name; });
    if (!is_param && (!v.used || chance_.likely(0.3))) program_.results.push_back(v.value.expr);
  }
  if (program_.results.empty()) program_.results.push_back(value(2).expr);
}

}  // namespace jitc::random_arrays
