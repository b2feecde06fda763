// The shapes of a call, and what is wrong with them in the user's own words.
#include <fmt/format.h>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "src/array/uses.hpp"
#include "src/engine/plan_runner.hpp"

namespace jitc::engine {

using runtime::fail;

std::string_view PlanRunner::text_of(NodeId id) const {
  const array::Node& n = node(id);
  if (const auto* p = std::get_if<array::Param>(&n.kind)) return program_.params[p->param].name;
  return file_.text(n.span).substr(0, 60);
}

const std::vector<int64_t>& PlanRunner::shape_of(NodeId id) {
  auto& known = shapes_[id.index];
  if (!known) known = find_shape(id);
  return *shapes_[id.index];
}

std::vector<int64_t> PlanRunner::find_shape(NodeId id) {
  const array::Node& n = node(id);
  const NodeTitle title = title_of(n);
  const auto from_extents = [&] {
    std::vector<int64_t> out;
    for (const ExtentId e : n.shape) out.push_back(extent(e));
    for (const int64_t e : out) {
      if (e < 0) fail(ErrorCode::argument, "{}: the shape {} has a negative extent", title, runtime::tuple_text(out));
    }
    return out;
  };
  if (n.rank() == 0 && !std::holds_alternative<array::Fold>(n.kind)) return {};  // what is folded may not fit
  return base::match(
      n.kind, [&](const array::Param&) { return value(id).shape(); },
      [&](const array::Read&) { return value(id).shape(); }, [&](const array::Map& m) { return map_shape(m, n); },
      [&](const array::Item& i) { return shape_of(i.map); }, [&](const array::Iota&) { return from_extents(); },
      [&](const array::Table&) { return from_extents(); }, [&](const array::Fill&) { return from_extents(); },
      [&](const array::Extent&) { return std::vector<int64_t>(); },
      [&](const array::ToHost&) { return std::vector<int64_t>(); },
      [&](const array::Slice& s) { return slice_shape(s, title); },
      [&](const array::Permute& p) {
        std::vector<int64_t> out;
        for (const uint32_t axis : p.axes) out.push_back(shape_of(p.base)[axis]);
        return out;
      },
      [&](const array::Broadcast& b) {
        std::vector<int64_t> out = from_extents();
        check_broadcasts(title, text_of(b.base), shape_of(b.base), "", out);
        return out;
      },
      [&](const array::Reshape& r) { return reshape_shape(r, title); },
      [&](const array::Squeeze& s) {
        std::vector<int64_t> out = shape_of(s.base);
        if (out[s.axis] != 1) {
          fail(ErrorCode::argument, "{}: axis {} of '{}', of shape {}, has extent {}, not 1, and cannot go", title,
               s.axis, text_of(s.base), runtime::tuple_text(out), out[s.axis]);
        }
        out.erase(out.begin() + s.axis);
        return out;
      },
      [&](const array::Diagonal& d) {
        std::vector<int64_t> out = shape_of(d.base);
        const int64_t last = out.back();
        out.pop_back();
        out.back() = std::min(out.back(), last);
        return out;
      },
      [&](const array::Part& p) { return shape_of(p.base); },
      [&](const array::Fold& f) {
        std::vector<int64_t> out;
        const std::vector<int64_t>& from = shape_of(f.array);
        if (f.is_product) check_product(f, from, n);
        for (size_t k = 0; k < from.size(); ++k) {
          if (!f.folded[k]) out.push_back(from[k]);
          if (f.folded[k] && f.keepdims) out.push_back(1);
        }
        return out;
      },
      [&](const array::Contract& c) { return contract_shape(c, title); },
      [&](const array::Join& j) {
        std::vector<int64_t> out = shape_of(j.parts[0]);
        for (size_t k = 1; k < j.parts.size(); ++k) {
          const std::vector<int64_t>& next = shape_of(j.parts[k]);
          for (size_t axis = 0; axis < out.size(); ++axis) {
            if (axis == j.axis || next[axis] == out[axis]) continue;
            fail(ErrorCode::argument, "{}: arrays of shapes {} and {} cannot be joined along axis {}", title,
                 runtime::tuple_text(shape_of(j.parts[0])), runtime::tuple_text(next), j.axis);
          }
          out[j.axis] += next[j.axis];
        }
        return out;
      },
      [&](const array::Copy& c) { return shape_of(c.array); });
}

int64_t PlanRunner::extent(ExtentId id) {
  return base::match(
      program_.extents[id], [](const array::ConstExtent& e) { return e.value; },
      [&](const array::ParamExtent& e) { return std::get<Array>(args_[e.param].value()).shape()[e.axis]; },
      [&](const array::ScalarExtent& e) { return value(NodeId(e.node)).as_int(); },
      [&](const array::JointExtent& e) {
        const int64_t a = extent(ExtentId(e.a)), b = extent(ExtentId(e.b));
        return a == 1 ? b : a;
      },
      [&](const array::RestExtent& e) { return std::max<int64_t>(extent(ExtentId(e.base)) - e.less, 0); },
      [&](const array::OwnExtent& e) { return shape_of(NodeId(e.node))[e.axis]; });
}

/// The array that the text shows where a map takes a view of it that the text does not show, as in `v @ m`.
auto PlanRunner::shown(NodeId arg, const array::Node& whole) const -> NodeId {
  while (node(arg).span == whole.span && array::view_base(node(arg)).valid()) arg = array::view_base(node(arg));
  return arg;
}

void PlanRunner::fail_shapes(const array::Map& map, const array::Node& whole) {
  std::string text;
  for (const NodeId arg : map.args) {
    if (node(arg).rank() == 0) continue;
    const NodeId array = shown(arg, whole);
    text += fmt::format("{}'{}' has shape {}", text.empty() ? "" : ", ", text_of(array),
                        runtime::tuple_text(shape_of(array)));
  }
  fail(ErrorCode::argument, "{}: the shapes of '{}' do not fit each other: {}", title_of(whole),
       file_.text(whole.span).substr(0, 60), text);
}

/// What is multiplied and summed has one extent along the axes that go: 1 stands for no other there.
void PlanRunner::check_product(const array::Fold& fold, const std::vector<int64_t>& whole, const array::Node& n) {
  const auto arrays_of = [&](NodeId id) {
    std::vector<NodeId> out;
    if (const auto* map = array::as_map(program_, id)) {
      std::ranges::copy_if(map->args, std::back_inserter(out), [&](NodeId arg) { return node(arg).rank() != 0; });
    }
    return out;
  };
  NodeId product = fold.array;
  std::vector<NodeId> arrays = arrays_of(product);
  // Halves are multiplied as such and summed as f4.
  while (arrays.size() == 1) {
    product = arrays.front();
    arrays = arrays_of(product);
  }
  for (const NodeId arg : arrays) {
    const std::vector<int64_t>& shape = shape_of(arg);
    for (size_t k = 1; k <= shape.size(); ++k) {
      const size_t axis = whole.size() - k;
      if (fold.folded[axis] && shape[shape.size() - k] != whole[axis]) {
        fail_shapes(std::get<array::Map>(node(product).kind), n);
      }
    }
  }
}

std::vector<int64_t> PlanRunner::map_shape(const array::Map& map, const array::Node& n) {
  std::vector<runtime::Operand> operands;
  for (const NodeId arg : map.args) {
    if (node(arg).rank() != 0) operands.push_back({text_of(arg), shape_of(arg), {}, 0, 0});
  }
  const bool is_one_shape = std::ranges::all_of(
      operands, [&](const runtime::Operand& o) { return std::ranges::equal(o.shape, operands[0].shape); });
  std::vector<int64_t> out;
  if (!is_one_shape) {
    const bool hides_arrays = std::ranges::any_of(map.args, [&](NodeId arg) { return shown(arg, n) != arg; });
    if (hides_arrays && !runtime::broadcast_together(operands)) fail_shapes(map, n);
    out = runtime::broadcast_shapes(title_of(n).text(), operands);
  } else if (!operands.empty()) {
    out.assign(operands[0].shape.begin(), operands[0].shape.end());
  }
  const std::vector<int64_t> own = out;
  // A map of views may have axes of extent 1 in front that none of its arguments has, or a shape that it was given.
  while (out.size() < n.rank()) out.insert(out.begin(), extent(n.shape[n.rank() - 1 - out.size()]));
  for (size_t k = 0; k < out.size(); ++k) {
    if (out[k] == 1 && !std::holds_alternative<array::OwnExtent>(program_.extents[n.shape[k]]))
      out[k] = extent(n.shape[k]);
  }
  check_given_shape(own, out, n);
  return out;
}

/// A map stands for a view of one to a shape that the text gives, which nobody looks at any more.
void PlanRunner::check_given_shape(std::span<const int64_t> own, std::vector<int64_t> given, const array::Node& n) {
  for (size_t k = 0; k < given.size(); ++k) {
    const array::ExtentKind& kind = program_.extents[n.shape[k]];
    if (std::holds_alternative<array::ConstExtent>(kind) || std::holds_alternative<array::ScalarExtent>(kind)) {
      given[k] = extent(n.shape[k]);
    }
  }
  check_broadcasts(title_of(n), file_.text(n.span), own, "", given);
}

int64_t PlanRunner::index_of(const array::Selection& s, int64_t extent, uint32_t axis, const NodeTitle& title) {
  if (s.kind == array::Selection::Kind::first) {
    if (extent < 1) fail(ErrorCode::argument, "{}: an axis without elements", title);
    return 0;
  }
  const int64_t given = value(s.index).as_int();
  const int64_t index = given < 0 ? given + extent : given;
  if (index < 0 || index >= extent) {
    fail(ErrorCode::argument, "{}: index {} is outside axis {}, which has {} element{}", title, given, axis, extent,
         extent == 1 ? "" : "s");
  }
  return index;
}

Range PlanRunner::range_of(const array::Selection& s, int64_t extent, const NodeTitle& title) {
  const auto bound = [&](NodeId id) { return id.valid() ? std::optional(value(id).as_int()) : std::nullopt; };
  const auto lower = bound(s.lower), upper = bound(s.upper), step = bound(s.step);
  if (step == 0) fail(ErrorCode::argument, "{}: the step of a slice is 0", title);
  return slice_range(extent, lower ? &*lower : nullptr, upper ? &*upper : nullptr, step.value_or(1));
}

std::vector<int64_t> PlanRunner::slice_shape(const array::Slice& slice, const NodeTitle& title) {
  using Kind = array::Selection::Kind;
  const std::vector<int64_t> from = shape_of(slice.base);
  std::vector<int64_t> out;
  uint32_t axis = 0;
  for (const array::Selection& s : slice.axes) {
    if (s.kind == Kind::new_axis) {
      out.push_back(1);
      continue;
    }
    if (s.kind == Kind::whole) out.push_back(from[axis]);
    if (s.kind == Kind::slice) out.push_back(range_of(s, from[axis], title).count);
    if (s.kind == Kind::index) index_of(s, from[axis], axis, title);
    ++axis;
  }
  return out;
}

std::vector<int64_t> PlanRunner::reshape_shape(const array::Reshape& reshape, const NodeTitle& title) {
  std::vector<int64_t> wanted;
  for (const NodeId e : reshape.shape) wanted.push_back(value(e).as_int());
  return reshaped(title, shape_of(reshape.base), std::move(wanted));
}

/// One letter, one extent.
std::vector<int64_t> PlanRunner::contract_shape(const array::Contract& c, const NodeTitle& title) {
  std::map<char, int64_t> extents;
  std::map<char, std::string> from;
  for (const auto& [array, labels] : {std::pair(c.a, &c.a_labels), std::pair(c.b, &c.b_labels)}) {
    const std::vector<int64_t>& shape = shape_of(array);
    for (size_t k = 0; k < labels->size(); ++k) {
      const std::string where = fmt::format("axis {} of '{}' {}", k, text_of(array), runtime::tuple_text(shape));
      const auto [known, is_new] = extents.emplace((*labels)[k], shape[k]);
      if (is_new || known->second == shape[k]) {
        from.emplace((*labels)[k], where);
        continue;
      }
      const bool in_result = c.out_labels.find((*labels)[k]) != std::string::npos;
      if (in_result && (known->second == 1 || shape[k] == 1)) {  // a batch that broadcasts
        if (known->second == 1) known->second = shape[k];
        continue;
      }
      fail(ErrorCode::argument, "{}: {} has {} elements, but {} has {}", title, from.at((*labels)[k]), known->second,
           where, shape[k]);
    }
  }
  std::vector<int64_t> out;
  for (const char l : c.out_labels) out.push_back(extents.at(l));
  return out;
}

}  // namespace jitc::engine
