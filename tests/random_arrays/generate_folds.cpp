// Folds and products.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "tests/random_arrays/generator.hpp"

namespace jitc::random_arrays {

namespace {

constexpr int64_t kMaxProducts = 20000;

DType summed(DType t) {
  if (is_bool(t) || is_signed_int(t)) return DType::i8;
  return is_unsigned_int(t) ? DType::u8 : t;
}

}  // namespace

std::optional<Typed> Generator::fold(int depth) {
  Typed a = array(depth);
  const size_t rank = a.rank();
  std::vector<bool> folded(rank, false);
  const bool all = chance_.likely(0.25);
  std::string name = chance_.one_of({"sum", "sum", "sum", "mean", "max", "min", "prod", "argmax", "argmin", "var",
                                     "any", "all", "count_nonzero", "std", "ptp", "max"});
  const bool arg = name == "argmax" || name == "argmin";
  const size_t count = all ? rank : arg ? 1 : 1 + chance_.below(rank);
  for (size_t k = 0; k < count; ++k) folded[all ? k : chance_.below(rank)] = true;
  std::vector<std::string> axes;
  int64_t elements = 1, rows = 1;
  for (size_t k = 0; k < rank; ++k) {
    (folded[k] ? elements : rows) *= a.shape[k];
    if (folded[k])
      axes.push_back(std::to_string(static_cast<int64_t>(k) - (chance_.likely(0.3) ? static_cast<int64_t>(rank) : 0)));
  }
  const bool ordered = arg || name == "max" || name == "min" || name == "ptp";
  if (ordered && (elements == 0 || is_complex(a.dtype))) name = "sum";
  if (name == "ptp" && is_bool(a.dtype)) name = "max";
  const bool keepdims = chance_.likely(0.45);
  std::string options;
  if (!all) options += axes.size() == 1 ? ", axis=" + axes[0] : fmt::format(", axis=({})", fmt::join(axes, ", "));
  if (keepdims) options += ", keepdims=True";
  Typed out{{"np." + name + "($" + options + ")", {a.expr}}, a.dtype, {}, false};
  if (name == "sum" || name == "prod") out.dtype = summed(a.dtype);
  if (name == "mean" || name == "var" || name == "std") {
    if (is_bool(a.dtype) || is_int(a.dtype)) out.dtype = DType::f8;
    if (name != "mean") out.dtype = part_type(out.dtype);
  }
  if (name == "any" || name == "all") out.dtype = DType::b1;
  if (name == "argmax" || name == "argmin" || name == "count_nonzero") out.dtype = DType::i8;
  for (size_t k = 0; k < rank; ++k) {
    if (!folded[k] || keepdims) out.shape.push_back(folded[k] ? 1 : a.shape[k]);
  }
  out.storable = out.rank() > 0;
  if (out.rank() == 0 && is_bool(out.dtype)) return std::nullopt;
  return out;
}

/// One array several times, around folds of it.
std::optional<Typed> Generator::normalised(int depth) {
  auto a = variable_if([](const Typed& v) { return v.rank() > 0 && is_float(v.dtype) && v.count() > 0; });
  if (!a) return std::nullopt;
  std::string options = ", axis=" + std::to_string(chance_.between(-static_cast<int64_t>(a->rank()),
                                                                   static_cast<int64_t>(a->rank()) - 1));
  if (chance_.likely(0.15)) options.clear();
  options += ", keepdims=True";
  std::string text =
      chance_.one_of({"($ - np.mean($@))", "(($ - np.mean($@)) / np.std($@))", "np.exp($ - np.max($@))",
                      "($ / np.sum($@))", "($ * $ - np.sum($@) * np.min($@))", "(np.exp($) / np.sum(np.exp($)@))",
                      "np.where($ == np.max($@), $, 0)", "(np.sum($@) + np.sum($ * $@))"});
  for (size_t at = 0; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, options);
  const auto count = std::count(text.begin(), text.end(), '$');
  Typed out{{text, std::vector<Expr>(static_cast<size_t>(count), a->expr)}, a->dtype, a->shape, true};
  if (text.rfind("(np.sum", 0) == 0) {  // each is a row's
    out.storable = false;
    out.shape = a->shape;
    return elementwise("($ + np.zeros_like($))", {{out.expr, a->dtype, a->shape, false}, *a}, a->dtype);
  }
  if (depth > 0 && chance_.likely(0.4)) {
    const Typed b = fitting(out.shape, 0);
    return elementwise("($ * $)", {out, b}, meet(out.dtype, b.dtype));
  }
  return out;
}

std::optional<Typed> Generator::product(int depth) {
  Typed a = array(depth);
  if (a.rank() > 3) return std::nullopt;
  const auto fits = [&](const Typed& v) {
    if (v.rank() == 0 || v.rank() > 3) return false;
    if (v.rank() == 3 && a.rank() == 3 && v.shape[0] != a.shape[0] && v.shape[0] != 1 && a.shape[0] != 1) return false;
    return (v.rank() == 1 ? v.shape[0] : v.shape[v.rank() - 2]) == a.shape.back();
  };
  Typed b = a;
  const auto found = variable_if(fits);
  if (found) {
    b = *found;
  } else if (a.rank() == 2) {
    b.expr = {"$.T", {a.expr}};
    std::swap(b.shape[0], b.shape[1]);
  } else if (a.rank() != 1) {
    return std::nullopt;
  }
  Typed out{
      {chance_.one_of({"($ @ $)", "($ @ $)", "np.matmul($, $)"}), {a.expr, b.expr}}, meet(a.dtype, b.dtype), {}, false};
  const size_t p = a.rank(), q = b.rank();
  if (p == 3 || q == 3)
    out.shape.push_back(p == 3 && q == 3 ? std::max(a.shape[0] == 1 ? b.shape[0] : a.shape[0],
                                                    b.shape[0] == 1 ? a.shape[0] : b.shape[0])
                        : p == 3 ? a.shape[0]
                                 : b.shape[0]);
  if (p == 3 && q == 3) out.shape[0] = a.shape[0] == 1 ? b.shape[0] : a.shape[0];
  if (p > 1) out.shape.push_back(a.shape[p - 2]);
  if (q > 1) out.shape.push_back(b.shape[q - 1]);
  if (out.count() * a.shape.back() > kMaxProducts || (out.rank() == 0 && is_bool(out.dtype))) return std::nullopt;
  out.storable = out.rank() > 0;
  return out;
}

std::optional<Typed> Generator::einsum(int) {
  struct Pattern {
    std::string a, b, out;
  };
  const Pattern p = chance_.one_of<Pattern>({{"ij", "jk", "ik"},
                                             {"ij", "kj", "ik"},
                                             {"ij", "ik", "jk"},
                                             {"ij", "ij", "i"},
                                             {"i", "j", "ij"},
                                             {"ij", "", "ji"},
                                             {"ii", "", "i"},
                                             {"ij", "j", "i"},
                                             {"ijk", "jk", "i"},
                                             {"bij", "bjk", "bik"},
                                             {"ij", "j", "ij"},
                                             {"ijk", "kl", "ijl"},
                                             {"ijk", "jil", "lk"},
                                             {"ij", "", "j"},
                                             {"ii", "", ""},
                                             {"ij", "jk", ""}});
  std::map<char, int64_t> extents;
  const auto fits = [&](const std::string& labels, const Typed& v, std::map<char, int64_t> known) {
    if (v.rank() != labels.size()) return false;
    for (size_t k = 0; k < labels.size(); ++k) {
      if (known.emplace(labels[k], v.shape[k]).first->second != v.shape[k]) return false;
    }
    return true;
  };
  const auto take = [&](const std::string& labels) {
    auto found = variable_if([&](const Typed& v) { return fits(labels, v, extents); });
    for (size_t k = 0; found && k < labels.size(); ++k) extents.emplace(labels[k], found->shape[k]);
    return found;
  };
  const auto a = take(p.a);
  if (!a) return std::nullopt;
  Typed out{{fmt::format("np.einsum(\"{}->{}\", $)", p.a, p.out), {a->expr}}, a->dtype, {}, false};
  if (!p.b.empty()) {
    const auto b = take(p.b);
    if (!b) return std::nullopt;
    out.expr = {fmt::format("np.einsum(\"{},{}->{}\", $, $)", p.a, p.b, p.out), {a->expr, b->expr}};
    out.dtype = meet(a->dtype, b->dtype);
  }
  int64_t products = 1;
  for (const auto& [letter, extent] : extents) products *= extent;
  for (const char c : p.out) out.shape.push_back(extents.at(c));
  if (products > kMaxProducts || (out.rank() == 0 && is_bool(out.dtype))) return std::nullopt;
  if (p.a == "ij" && p.b.empty() && p.out == "j")
    out.dtype = is_bool(a->dtype) || is_int(a->dtype) ? a->dtype : a->dtype;
  out.storable = false;
  return out;
}

}  // namespace jitc::random_arrays
