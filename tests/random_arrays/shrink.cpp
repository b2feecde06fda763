#include "tests/random_arrays/shrink.hpp"

#include <algorithm>

namespace jitc::random_arrays {

namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& shows, int max_tries)
      : best_(std::move(program)), shows_(shows), left_(max_tries) {}

  Program run() {
    bool smaller = true;
    while (smaller && left_ > 0) {
      smaller = drop_each(&Program::results);
      smaller = shrink_stmts([](Program& p) -> std::vector<Stmt>& { return p.stmts; }) || smaller;
      smaller = shrink_results() || smaller;
      smaller = shrink_params() || smaller;
    }
    return std::move(best_);
  }

 private:
  bool take(const Program& candidate) {
    if (left_-- <= 0 || !shows_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  /// All that can go, but one.
  template <class Item>
  bool drop_each(std::vector<Item> Program::*list) {
    bool any = false;
    for (size_t k = (best_.*list).size(); k-- > 0 && (best_.*list).size() > 1;) {
      Program candidate = best_;
      (candidate.*list).erase((candidate.*list).begin() + static_cast<std::ptrdiff_t>(k));
      any = take(candidate) || any;
    }
    return any;
  }

  using Find = std::function<std::vector<Stmt>&(Program&)>;

  /// Drops statements, puts bodies in their places, and makes expressions smaller; the last ones first.
  bool shrink_stmts(const Find& list) {
    bool any = false;
    for (size_t k = list(best_).size(); k-- > 0;) {
      if (k >= list(best_).size()) continue;
      Program without = best_;
      list(without).erase(list(without).begin() + static_cast<std::ptrdiff_t>(k));
      if (take(without)) {
        any = true;
        continue;
      }
      any = unwrap(list, k) || any;
      for (size_t a = 0; a < list(best_)[k].args.size(); ++a) {
        any = shrink_expr([&, k, a](Program& p) -> Expr& { return list(p)[k].args[a]; }) || any;
      }
      any = shrink_stmts([&, k](Program& p) -> std::vector<Stmt>& { return list(p)[k].body; }) || any;
      any = shrink_stmts([&, k](Program& p) -> std::vector<Stmt>& { return list(p)[k].orelse; }) || any;
    }
    return any;
  }

  bool unwrap(const Find& list, size_t k) {
    for (const bool orelse : {false, true}) {
      const Stmt stmt = list(best_)[k];
      const std::vector<Stmt>& inner = orelse ? stmt.orelse : stmt.body;
      if (inner.empty()) continue;
      Program candidate = best_;
      std::vector<Stmt>& all = list(candidate);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(k), inner.begin(), inner.end());
      if (take(candidate)) return true;
    }
    return false;
  }

  bool shrink_results() {
    bool any = false;
    for (size_t k = 0; k < best_.results.size(); ++k) {
      any = shrink_expr([k](Program& p) -> Expr& { return p.results[k]; }) || any;
    }
    return any;
  }

  /// An operand in place of the operation, or a parameter.
  bool shrink_expr(const std::function<Expr&(Program&)>& place) {
    const Expr now = place(best_);
    for (const Expr& arg : now.args) {
      Program candidate = best_;
      place(candidate) = arg;
      if (!take(candidate)) continue;
      shrink_expr(place);
      return true;
    }
    if (!now.args.empty()) {
      for (const Parameter& p : Program(best_).params) {
        Program candidate = best_;
        place(candidate) = {p.name, {}};
        if (take(candidate)) return true;
      }
    }
    bool any = false;
    for (size_t k = 0; k < now.args.size(); ++k) {
      any = shrink_expr([&, k](Program& p) -> Expr& { return place(p).args[k]; }) || any;
    }
    return any;
  }

  bool shrink_params() {
    bool any = drop_each(&Program::params);
    any = shrink_extents() || any;
    for (size_t k = 0; k < best_.params.size(); ++k) {
      for (const DType dtype : {DType::f8, DType::i8}) {
        if (best_.params[k].dtype == DType::f8 || best_.params[k].dtype == dtype) continue;
        Program candidate = best_;
        candidate.params[k].dtype = dtype;
        any = take(candidate) || any;
      }
      any = make_plain(k) || any;
    }
    return any;
  }

  /// One extent wherever it occurs.
  bool shrink_extents() {
    std::vector<int64_t> extents;
    for (const Parameter& p : best_.params) extents.insert(extents.end(), p.shape.begin(), p.shape.end());
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    bool any = false;
    for (const int64_t extent : extents) {
      for (const int64_t wanted : {int64_t{1}, int64_t{2}, extent / 2, extent - 1}) {
        if (wanted >= extent || wanted < 1) continue;
        Program candidate = best_;
        for (Parameter& p : candidate.params) std::replace(p.shape.begin(), p.shape.end(), extent, wanted);
        if (!take(candidate)) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  bool make_plain(size_t k) {
    bool any = false;
    Program dense = best_;
    std::sort(dense.params[k].order.begin(), dense.params[k].order.end());
    std::fill(dense.params[k].steps.begin(), dense.params[k].steps.end(), 1);
    if (dense.params[k].order != best_.params[k].order || dense.params[k].steps != best_.params[k].steps)
      any = take(dense);
    if (best_.params[k].extent_names.empty()) return any;
    Program unnamed = best_;
    unnamed.params[k].extent_names.clear();
    return take(unnamed) || any;
  }

  Program best_;
  const std::function<bool(const Program&)>& shows_;
  int left_;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& shows, int max_tries) {
  return Shrinker(std::move(program), shows, max_tries).run();
}

}  // namespace jitc::random_arrays
