// Operations of elements.
#include <algorithm>

#include "src/types/promotion.hpp"
#include "tests/random_arrays/generator.hpp"

namespace jitc::random_arrays {

namespace {

std::optional<std::vector<int64_t>> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> out(std::max(a.size(), b.size()), 1);
  for (const auto* each : {&a, &b}) {
    for (size_t k = 0; k < each->size(); ++k) {
      int64_t& extent = out[out.size() - each->size() + k];
      if ((*each)[k] == 1) continue;
      if (extent != 1 && extent != (*each)[k]) return std::nullopt;
      extent = (*each)[k];
    }
  }
  return out;
}

constexpr int64_t kMaxElements = 1100;

bool is_number_for_arithmetic(const Typed& x) { return x.rank() > 0 || !is_bool(x.dtype); }

}  // namespace

Typed Generator::elementwise(const std::string& text, std::vector<Typed> args, DType dtype) {
  Typed out{{text, {}}, dtype, {}, false};
  for (Typed& arg : args) {
    out.shape = *broadcast(out.shape, arg.shape);
    out.expr.args.push_back(std::move(arg.expr));
  }
  out.storable = out.rank() > 0;
  return out;
}

Typed Generator::value(int depth) {
  for (int tries = 0; depth > 0 && tries < 6; ++tries) {
    if (chance_.likely(0.12)) break;
    const Make maker = chance_.one_of<Make>(
        {&Generator::binary,     &Generator::binary,     &Generator::binary,     &Generator::with_number,
         &Generator::unary,      &Generator::choice,     &Generator::comparison, &Generator::conversion,
         &Generator::called,     &Generator::view,       &Generator::view,       &Generator::view,
         &Generator::neighbours, &Generator::normalised, &Generator::chosen,     &Generator::fold,
         &Generator::fold,       &Generator::fold,       &Generator::product,    &Generator::einsum,
         &Generator::joined,     &Generator::creation});
    std::optional<Typed> made = (this->*maker)(depth - 1);
    if (made && made->count() <= kMaxElements && made->rank() <= 4) return *made;
  }
  return any_variable();
}

Typed Generator::array(int depth) {
  for (int tries = 0; tries < 3; ++tries) {
    Typed out = value(depth);
    if (out.rank() > 0) return out;
  }
  return *variable_if([](const Typed& v) { return v.rank() > 0; });
}

/// An operand whose shape broadcasts with this one.
Typed Generator::fitting(const std::vector<int64_t>& shape, int depth) {
  for (int tries = 0; tries < 3; ++tries) {
    Typed out = value(depth);
    const auto together = broadcast(shape, out.shape);
    if (!together || !is_number_for_arithmetic(out)) continue;
    int64_t count = 1;
    for (const int64_t extent : *together) count *= extent;
    if (count <= kMaxElements && together->size() <= 4) return out;
  }
  const auto same = variable_if([&](const Typed& v) { return v.shape == shape && is_number_for_arithmetic(v); });
  if (same) return *same;
  return scalar_number(0);
}

/// A number with a type.
Typed Generator::scalar_number(int depth) {
  const auto found = variable_if([](const Typed& v) { return v.rank() == 0 && !is_bool(v.dtype); });
  if (found && chance_.likely(0.6)) return *found;
  Typed a = array(std::min(depth, 1));
  if (is_bool(a.dtype)) return {{"np.sum($)", {std::move(a.expr)}}, DType::i8, {}, false};
  const auto sum_type = [](DType t) { return is_int(t) ? (is_unsigned_int(t) ? DType::u8 : DType::i8) : t; };
  return {{"np.sum($)", {std::move(a.expr)}}, sum_type(a.dtype), {}, false};
}

Typed Generator::converted(Typed x, DType dtype) {
  if (x.dtype == dtype) return x;
  if (is_complex(x.dtype) && !is_complex(dtype)) {
    x = elementwise(chance_.one_of({"(np.real($) + 0)", "(np.imag($) + 0)"}), {x}, part_type(x.dtype));
  }
  if (x.dtype == dtype) return x;
  return elementwise("np.astype($, np." + std::string(dtype_info(dtype).name) + ")", {x}, dtype);
}

std::optional<Typed> Generator::binary(int depth) {
  Typed a = value(depth);
  if (!is_number_for_arithmetic(a)) return std::nullopt;
  Typed b = fitting(a.shape, depth);
  if (chance_.likely(0.3)) std::swap(a, b);
  const DType common = meet(a.dtype, b.dtype);
  if (is_bool(common))
    return elementwise(chance_.one_of({"($ + $)", "($ * $)", "($ & $)", "($ | $)", "($ ^ $)"}), {a, b}, common);
  if (is_int(common) && is_int(a.dtype) && is_int(b.dtype) && chance_.likely(0.2))
    return elementwise(chance_.one_of({"($ & $)", "($ | $)", "($ ^ $)"}), {a, b}, common);
  if (!is_complex(common) && chance_.likely(0.25)) {
    return elementwise(chance_.one_of({"np.minimum($, $)", "np.maximum($, $)", "($ // $)", "($ % $)", "np.fmax($, $)",
                                       "np.fmin($, $)"}),
                       {a, b}, common);
  }
  if (chance_.likely(0.15)) return elementwise("($ / $)", {a, b}, is_int(common) ? DType::f8 : common);
  return elementwise(chance_.one_of({"($ + $)", "($ - $)", "($ * $)", "($ * $)"}), {a, b}, common);
}

/// Of Python: it takes the type of the array where its kind is not higher.
std::optional<Typed> Generator::with_number(int depth) {
  Typed a = value(depth);
  if (!is_number_for_arithmetic(a)) return std::nullopt;
  const bool whole = chance_.likely(0.6);
  std::string number = whole ? chance_.one_of({"1", "2", "3", "7"}) : chance_.one_of({"0.5", "1.5", "0.1"});
  if (whole && a.rank() > 0 && chance_.likely(0.3)) {
    number = a.expr.args.empty() ? a.expr.text + ".shape[0]" : number;
    if (!loop_variable_.empty()) number = loop_variable_;
  }
  DType type = a.dtype;
  if (is_bool(type)) type = DType::i8;
  if (!whole && is_int(type)) type = DType::f8;
  const std::vector<std::string> all =
      is_complex(type) ? std::vector<std::string>{"($ + N)", "($ * N)", "(N - $)"}
                       : std::vector<std::string>{"($ + N)", "($ * N)", "($ - N)", "(N - $)", "($ % N)", "($ // N)"};
  std::string text = chance_.one_of(all);
  text.replace(text.find('N'), 1, number);
  return elementwise(text, {a}, type);
}

std::optional<Typed> Generator::unary(int depth) {
  Typed a = value(depth);
  if (is_bool(a.dtype)) {
    if (a.rank() == 0) return std::nullopt;
    return elementwise("(~$)", {a}, a.dtype);
  }
  if (is_int(a.dtype))
    return elementwise(chance_.one_of({"(-$)", "abs($)", "(~$)", "($ ** 2)", "np.square($)"}), {a}, a.dtype);
  if (is_complex(a.dtype)) {
    if (chance_.likely(0.5))
      return elementwise(chance_.one_of({"(np.real($) + 0)", "(np.imag($) + 0)", "abs($)"}), {a}, part_type(a.dtype));
    return elementwise(chance_.one_of({"(-$)", "np.conj($)", "($ ** 2)", "np.exp($)"}), {a}, a.dtype);
  }
  return elementwise(
      chance_.one_of({"(-$)", "abs($)", "np.sqrt($)", "np.floor($)", "np.rint($)", "($ ** 2)", "np.square($)",
                      "np.exp($)", "np.log1p($)", "np.tanh($)", "np.sin($)", "np.sign($)"}),
      {a}, a.dtype);
}

/// Of b1, with axes mostly.
Typed Generator::condition(int depth) {
  Typed a = value(depth);
  if (is_bool(a.dtype) && chance_.likely(0.5)) return a;
  if (!is_number_for_arithmetic(a)) return a;
  const std::string op =
      is_complex(a.dtype) ? chance_.one_of({"==", "!="}) : chance_.one_of({"<", "<=", ">", ">=", "==", "!="});
  if (chance_.likely(0.5)) return elementwise("($ " + op + " " + chance_.one_of({"0", "1", "2"}) + ")", {a}, DType::b1);
  Typed b = fitting(a.shape, depth);
  const bool ordered = op != "==" && op != "!=";
  if (ordered && is_complex(b.dtype)) b = converted(b, part_type(b.dtype));
  return elementwise("($ " + op + " $)", {a, b}, DType::b1);
}

std::optional<Typed> Generator::comparison(int depth) {
  Typed out = condition(depth);
  if (out.rank() == 0) return std::nullopt;
  return out;
}

std::optional<Typed> Generator::choice(int depth) {
  Typed a = array(depth);
  if (!is_complex(a.dtype) && !is_bool(a.dtype) && chance_.likely(0.2))
    return elementwise("np.clip($, 1, 3)", {a}, a.dtype);
  Typed c = fitting(a.shape, depth);
  if (!is_bool(c.dtype)) c = elementwise("($ != 0)", {c}, DType::b1);
  const auto both = broadcast(a.shape, c.shape);
  if (chance_.likely(0.3)) return elementwise("np.where($, $, 0)", {c, a}, is_bool(a.dtype) ? DType::i8 : a.dtype);
  Typed b = fitting(*both, depth);
  return elementwise("np.where($, $, $)", {c, a, b}, meet(a.dtype, b.dtype));
}

std::optional<Typed> Generator::conversion(int depth) {
  Typed a = value(depth);
  if (a.rank() == 0) return std::nullopt;
  return converted(a, any_dtype());
}

/// Functions of the file.
std::optional<Typed> Generator::called(int depth) {
  Typed a = array(depth);
  if (is_bool(a.dtype)) a = converted(a, DType::f4);
  if (!is_complex(a.dtype) && chance_.likely(0.4)) {
    if (chance_.likely(0.4)) return elementwise("d_steps($, 2)", {a}, a.dtype);
    Typed b = converted(fitting(a.shape, depth), a.dtype);
    return elementwise("d_bend($, $)", {a, b}, a.dtype);
  }
  if (!is_complex(a.dtype) && a.shape.back() > 0 && chance_.likely(0.4))
    return elementwise("g_center($)", {a}, a.dtype);
  Typed s = converted(scalar_number(depth), is_complex(a.dtype) ? DType::f4 : a.dtype);
  if (is_complex(a.dtype)) return std::nullopt;
  if (chance_.likely(0.5) && a.rank() == 1) return elementwise("g_choose($, $)", {a, s}, a.dtype);
  const DType sum = is_int(a.dtype) ? (is_unsigned_int(a.dtype) ? DType::u8 : DType::i8) : a.dtype;
  return elementwise("g_scaled($, $)", {a, s}, meet(a.dtype, sum));
}

/// One of two arrays, by a number.
std::optional<Typed> Generator::chosen(int depth) {
  if (!chance_.likely(0.3)) return std::nullopt;
  Typed a = array(depth);
  const auto b = variable_if([&](const Typed& v) { return v.shape == a.shape && v.dtype == a.dtype; });
  if (!b) return std::nullopt;
  Typed out{{"($ if $ else $)", {a.expr, truth().expr, b->expr}}, a.dtype, a.shape, false};
  return out;
}

/// A condition of one number.
Typed Generator::truth() {
  Typed n = scalar_number(1);
  if (is_complex(n.dtype)) n = elementwise("np.real($)", {n}, part_type(n.dtype));
  if (chance_.likely(0.15)) {
    Typed c = condition(1);
    return {{chance_.one_of({"(np.any($) and $ < 2)", "(np.all($) or $ > 1)", "(not np.any($) or $ > 0)"}),
             {c.expr, n.expr}},
            DType::b1,
            {},
            false};
  }
  return elementwise(chance_.one_of({"$ > 0", "$ < 3", "$ == 1", "$ >= 2"}), {n}, DType::b1);
}

}  // namespace jitc::random_arrays
