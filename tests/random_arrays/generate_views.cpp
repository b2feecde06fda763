// Views, new arrays, and arrays put together of others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/random_arrays/generator.hpp"

namespace jitc::random_arrays {

std::string Generator::shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::optional<Typed> Generator::view(int depth) {
  Typed a = array(depth);
  const auto rank = static_cast<int64_t>(a.rank());
  const int64_t axis = chance_.below(rank), other = chance_.below(rank);
  const int64_t shown = chance_.likely(0.5) ? axis : axis - rank;
  Typed out{{"", {a.expr}}, a.dtype, a.shape, a.storable};
  switch (chance_.below(12)) {
    case 0:
      out.expr.text = "$.T";
      std::reverse(out.shape.begin(), out.shape.end());
      return out;
    case 1: out.expr.text = fmt::format("np.flip($, {})", shown); return out;
    case 2:
      out.expr.text = fmt::format("np.swapaxes($, {}, {})", axis, other);
      std::swap(out.shape[static_cast<size_t>(axis)], out.shape[static_cast<size_t>(other)]);
      return out;
    case 3:
      if (rank > 3) return std::nullopt;
      out.expr.text = fmt::format("np.expand_dims($, {})", axis);
      out.shape.insert(out.shape.begin() + axis, 1);
      return out;
    case 4: {
      const auto one = std::find(a.shape.begin(), a.shape.end(), 1);
      if (one == a.shape.end() || rank == 1) return std::nullopt;
      out.expr.text = fmt::format("np.squeeze($, {})", one - a.shape.begin());
      out.shape.erase(out.shape.begin() + (one - a.shape.begin()));
      return out;
    }
    case 5: {
      if (rank > 3) return std::nullopt;
      std::vector<int64_t> wanted = a.shape;
      for (int64_t& extent : wanted) {
        if (extent == 1 && chance_.likely(0.6)) extent = chance_.one_of({2, 3, 4});
      }
      if (chance_.likely(0.5)) wanted.insert(wanted.begin(), chance_.one_of({1, 2, 3}));
      out.expr.text = fmt::format("np.broadcast_to($, {})", shape_text(wanted));
      out.shape = wanted;
      out.storable = false;
      return out;
    }
    case 6:
      out.expr.text = fmt::format("np.roll($, {}, axis={})", chance_.between(-3, 4), shown);
      out.storable = true;
      return out;
    case 7: {
      if (rank < 2) return std::nullopt;
      out.expr.text = "np.diagonal($)";
      out.shape = {std::min(a.shape[0], a.shape[1])};
      out.shape.insert(out.shape.begin(), a.shape.begin() + 2, a.shape.end());
      out.storable = false;
      return out;
    }
    case 8:
    case 9: return reshaped(a);
    default: return subscript(a);
  }
}

std::optional<Typed> Generator::subscript(const Typed& a) {
  Typed out{{"", {a.expr}}, a.dtype, {}, a.storable};
  std::vector<std::string> items;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    const int64_t extent = a.shape[axis], kind = chance_.below(10);
    const bool has_name = a.expr.args.empty() && chance_.likely(0.15);
    if (has_name) {
      const std::string half = fmt::format("{}.shape[{}] // 2", a.expr.text, axis);
      const bool first = chance_.likely(0.5);
      items.push_back(first ? ":" + half : half + ":");
      out.shape.push_back(first ? extent / 2 : extent - extent / 2);
    } else if (kind < 3) {
      items.push_back(":");
      out.shape.push_back(extent);
    } else if (kind == 3 && extent > 0) {
      items.push_back(std::to_string(chance_.between(-extent, extent - 1)));
    } else {
      int64_t low = chance_.between(0, extent), high = chance_.between(low, extent);
      const int64_t step = chance_.one_of({1, 1, 1, 2, 3, -1, -1, -2});
      std::string text;
      if (step > 0) {
        if (chance_.likely(0.3)) low = std::min<int64_t>(extent, 1);
        if (chance_.likely(0.4)) high = extent;
        high = std::max(low, high);
        const bool from_end = high < extent && high > 0 && chance_.likely(0.5);
        text = fmt::format("{}:{}", low == 0 && chance_.likely(0.7) ? "" : std::to_string(low),
                           high == extent ? "" : std::to_string(from_end ? high - extent : high));
        out.shape.push_back((high - low + step - 1) / step);
        if (step != 1) text += fmt::format(":{}", step);
      } else {
        // From the end to an element that is left out, or to the front.
        const bool to_front = chance_.likely(0.6) || extent == 0;
        const int64_t stop = to_front ? -1 : chance_.between(0, extent - 1);
        text = fmt::format(":{}:{}", to_front ? "" : std::to_string(stop), step);
        out.shape.push_back((extent - 1 - stop - step - 1) / -step);
      }
      items.push_back(text);
    }
    if (out.rank() + 1 < a.rank() + 1 && items.size() == 1 && chance_.likely(0.1) && a.rank() < 3) {
      items.emplace_back(chance_.one_of({"None"}));
      out.shape.push_back(1);
    }
  }
  if (out.rank() == 0 && is_bool(a.dtype)) return std::nullopt;
  if (out.rank() == 0) out.storable = false;
  out.expr.text = fmt::format("$[{}]", fmt::join(items, ", "));
  return out;
}

/// Parts of one array that are shifted along an axis.
std::optional<Typed> Generator::neighbours(int) {
  const auto a = variable_if([](const Typed& v) {
    return v.rank() > 0 && !is_bool(v.dtype) && *std::max_element(v.shape.begin(), v.shape.end()) > 2;
  });
  if (!a) return std::nullopt;
  const size_t axis = static_cast<size_t>(std::max_element(a->shape.begin(), a->shape.end()) - a->shape.begin());
  std::string before;
  for (size_t k = 0; k < axis; ++k) before += ":, ";
  Typed out = *a;
  out.storable = true;
  const bool three = chance_.likely(0.5);
  out.shape[axis] -= three ? 2 : 1;
  out.expr.args.assign(three ? 3 : 2, a->expr);
  out.expr.text = three ? fmt::format("($[{0}1:-1] * 2 - $[{0}:-2] + $[{0}2:])", before)
                        : fmt::format(fmt::runtime(chance_.one_of({"($[{0}1:] - $[{0}:-1])", "($[{0}:-1] * $[{0}1:])",
                                                                   "($[{0}1:] + $[{0}:0:-1])"})),
                                      before);
  return out;
}

std::optional<Typed> Generator::reshaped(const Typed& a) {
  const int64_t count = a.count();
  Typed out{{"", {a.expr}}, a.dtype, {count}, a.storable};
  if (chance_.likely(0.3)) {
    out.expr.text = chance_.one_of({"np.ravel($)", "$.reshape(-1)"});
    if (count == 0) out.expr.text = "np.ravel($)";
    return out;
  }
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= std::max<int64_t>(count, 1); ++d) {
    if (count == 0 || count % d == 0) divisors.push_back(d);
  }
  if (a.expr.args.empty() && a.rank() == 2 && chance_.likely(0.3)) {
    out.shape = {a.shape[1], a.shape[0]};
    out.expr = {fmt::format("np.reshape($, ({0}.shape[1], {0}.shape[0]))", a.expr.text), {a.expr}};
    return out;
  }
  const int64_t first = chance_.one_of(divisors);
  out.shape = count == 0 ? std::vector<int64_t>{0, first} : std::vector<int64_t>{first, count / first};
  if (count != 0 && chance_.likely(0.3)) {
    out.expr.text = fmt::format("$.reshape({}, -1)", first);
  } else {
    out.expr.text = fmt::format("np.reshape($, {})", shape_text(out.shape));
  }
  return out;
}

std::optional<Typed> Generator::joined(int depth) {
  Typed a = array(depth);
  const auto rank = static_cast<int64_t>(a.rank());
  const int64_t axis = chance_.below(rank);
  Typed out{{"", {a.expr}}, a.dtype, a.shape, true};
  int64_t& extent = out.shape[static_cast<size_t>(axis)];
  const int64_t kind = chance_.below(6);
  if (kind == 0) {
    out.expr.text = fmt::format("np.repeat($, 2, axis={})", axis);
    extent *= 2;
    return out;
  }
  if (kind == 1 && !is_bool(a.dtype) && extent > 0) {
    out.expr.text = fmt::format("np.diff($, axis={})", axis);
    extent -= 1;
    return out;
  }
  Typed b = a;
  const auto fits = [&](const Typed& v) {
    if (v.rank() != a.rank() || v.rank() == 0) return false;
    for (int64_t k = 0; k < rank; ++k) {
      const auto at = static_cast<size_t>(k);
      if (v.shape[at] != a.shape[at] && (kind < 4 || k != axis)) return false;
    }
    return true;
  };
  if (const auto found = variable_if(fits)) b = *found;
  out.dtype = meet(a.dtype, b.dtype);
  out.expr.args.push_back(b.expr);
  if (kind < 4) {
    if (rank > 3 || a.shape != b.shape) return std::nullopt;
    out.expr.text = fmt::format("np.stack(($, $), axis={})", axis);
    out.shape.insert(out.shape.begin() + axis, 2);
    return out;
  }
  out.expr.text = fmt::format("np.concatenate(($, $), axis={})", axis);
  extent += b.shape[static_cast<size_t>(axis)];
  return out;
}

std::optional<Typed> Generator::creation(int) {
  Typed out{{"", {}}, any_dtype(), {}, true};
  const std::string type = "np." + std::string(name(out.dtype));
  const int64_t n = chance_.one_of(extents_), m = chance_.one_of(extents_);
  if (n * m > 300) return std::nullopt;
  switch (chance_.below(8)) {
    case 0: out.expr.text = fmt::format("np.zeros({}, dtype={})", shape_text({n, m}), type); break;
    case 1: out.expr.text = fmt::format("np.full({}, 3, dtype={})", shape_text({n, m}), type); break;
    case 2: {
      Typed a = array(0);
      out.shape = a.shape;
      out.dtype = a.dtype;
      out.expr = {chance_.one_of({"np.ones_like($)", "np.zeros_like($)"}), {a.expr}};
      return out;
    }
    case 3:
      out.dtype = DType::i8;
      out.shape = {n};
      out.expr.text = fmt::format("np.arange({})", n);
      out.storable = false;
      return out;
    case 4:
      out.dtype = DType::f8;
      out.shape = {n};
      out.expr.text = fmt::format("np.linspace(0, 1, {})", n);
      return out;
    case 5:
      out.dtype = DType::f8;
      out.expr.text = fmt::format("np.eye({}, {})", n, m);
      break;
    case 6: {
      const auto a = variable_if([](const Typed& v) { return v.rank() >= 2; });
      if (!a) return std::nullopt;
      out.dtype = a->dtype;
      out.shape = a->shape;
      out.expr = {chance_.one_of({"np.tril($)", "np.triu($)"}), {a->expr}};
      return out;
    }
    default:
      out.shape = {n};
      out.dtype = DType::f8;
      out.expr.text = fmt::format("np.arange(0.5, {}.5, 1)", n);
      return out;
  }
  out.shape = {n, m};
  return out;
}

}  // namespace jitc::random_arrays
