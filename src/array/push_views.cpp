#include "src/array/push_views.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

class ViewPusher {
 public:
  explicit ViewPusher(Program program) : program_(std::move(program)) {}

  Program run() {
    count_uses();
    walk(program_.body);
    return std::move(program_);
  }

 private:
  void count_uses() {
    uses_.assign(program_.nodes.size(), 0);
    for (const Node& n : program_.nodes) {
      for_each_arg(n, [&](NodeId a) {
        ++uses_[a.index];
        if (!std::holds_alternative<Map>(n.kind)) taken_whole_.insert(a.index);
      });
    }
    for (const Stmt& s : program_.stmts) {
      for_each_value(s, [&](NodeId v) { ++uses_[v.index]; });
      const bool keeps = std::holds_alternative<Set>(s.kind) || std::holds_alternative<Return>(s.kind);
      if (keeps) for_each_value(s, [&](NodeId v) { has_memory_.insert(v.index); });
    }
    for (const Node& n : program_.nodes) {
      const auto* contract = std::get_if<Contract>(&n.kind);
      if (contract == nullptr) continue;
      for (const NodeId factor : {contract->a, contract->b}) {
        const uint32_t cost = chain_cost(program_, factor, [](NodeId) { return true; });
        if (cost > kCheapChain) has_memory_.insert(factor.index);
      }
    }
  }

  /// In the order of the text, so that views of views of maps go all the way.
  void walk(Block& block) {
    Block out;
    for (const StmtId id : block) {
      Stmt stmt = program_.stmts[id];
      if (const auto* define = std::get_if<Define>(&stmt.kind)) {
        rewrite(define->node, out);
      } else {
        for_each_value(stmt, [&](NodeId& v) { v = now(v); });
        if (std::holds_alternative<Store>(stmt.kind)) ++epoch_;
        base::match(
            stmt.kind, [&](If& s) { walk(s.then_block), walk(s.else_block); },
            [&](Loop& s) { walk(s.head), walk(s.body), walk(s.step); }, [&](Scope& s) { walk(s.body); }, [](auto&) {});
        if (auto* loop = std::get_if<Loop>(&stmt.kind)) loop->cond = now(loop->cond);
        program_.stmts[id] = std::move(stmt);
        ++epoch_;
      }
      out.push_back(id);
    }
    block = std::move(out);
  }

  NodeId now(NodeId id) const {
    const auto found = replaced_.find(id.index);
    return found != replaced_.end() ? found->second : id;
  }

  void rewrite(NodeId id, Block& out) {
    epoch_of_[id.index] = epoch_;
    Node node = program_.nodes[id];
    for_each_arg(node, [&](NodeId& a) { a = now(a); });
    program_.nodes[id] = node;
    if (std::holds_alternative<Join>(node.kind)) return join_arguments(id, out);
    const NodeId base = view_base(node);
    const bool needs_memory = std::holds_alternative<Reshape>(node.kind) || std::holds_alternative<Part>(node.kind);
    if (!base.valid() || node.is_stored || needs_memory) return;
    const NodeId map = map_of(program_, base);
    const auto* m = as_map(program_, map);
    if (m == nullptr || program_.nodes[base].is_stored || program_.nodes[map].is_stored ||
        program_.nodes[base].rank() == 0)
      return;
    if (epoch_of_[map.index] != epoch_ && epoch_of_.contains(map.index)) return;
    // Each view computes the whole chain again: chains of views of chains would grow without end.
    const auto everything = [](NodeId) { return true; };
    if (uses_[base.index] > 1 && chain_cost(program_, base, everything) > kCheapChain) return;
    if (has_memory_.contains(base.index)) return;  // then a view of that costs nothing
    if (hides_extent(node, program_.nodes[map])) return;
    replaced_[id.index] = push(id, base, map, out);
  }

  /// Parts that one function computes become that function of their arguments side by side, which may be views of the
  /// same memory: np.roll(f(a), 1) is f(np.roll(a, 1)).
  void join_arguments(NodeId id, Block& out) {
    const Node node = program_.nodes[id];
    if (node.is_stored) return;
    const std::vector<NodeId> parts = std::get<Join>(node.kind).parts;
    const Map* first = as_map(program_, parts[0]);
    if (first == nullptr || first->args.empty() ||
        !std::ranges::all_of(parts, [&](NodeId p) { return joins(p, parts); }))
      return;
    const auto arrays = std::ranges::count_if(first->args, [&](NodeId a) { return program_.nodes[a].rank() > 0; });
    // Who takes the whole would have several arrays put side by side instead of one.
    if (arrays > 1 && taken_whole_.contains(id.index)) return;
    Map joined = *first;
    for (size_t k = 0; k < joined.args.size(); ++k) {
      if (program_.nodes[joined.args[k]].rank() == 0) continue;
      std::vector<NodeId> own;
      for (const NodeId part : parts) own.push_back(as_map(program_, part)->args[k]);
      const DType dtype = program_.nodes[own[0]].dtype;
      const NodeId made =
          add({node.span, dtype, node.shape, Join{std::move(own), std::get<Join>(node.kind).axis}}, out);
      join_arguments(made, out);
      joined.args[k] = now(made);
    }
    replaced_[id.index] = add({node.span, node.dtype, node.shape, std::move(joined)}, out);
  }

  /// A map of its own, of the first part's function, whose arguments have its shape or are the first part's numbers.
  bool joins(NodeId part, const std::vector<NodeId>& parts) const {
    const Map *map = as_map(program_, part), *first = as_map(program_, parts[0]);
    const Node& node = program_.nodes[part];
    if (map == nullptr || map->function != first->function || node.is_stored || node.on_host) return false;
    if (has_memory_.contains(part.index) || uses_[part.index] > 1) return false;
    if (epoch_of_.contains(part.index) && epoch_of_.at(part.index) != epoch_) return false;
    for (size_t k = 0; k < map->args.size(); ++k) {
      const Node& arg = program_.nodes[map->args[k]];
      const bool fits = arg.rank() == 0 ? map->args[k] == first->args[k] : arg.shape == node.shape;
      if (!fits) return false;
    }
    return true;
  }

  /// A slice along an axis that all arguments broadcast along: none of them would say how long the result is.
  bool hides_extent(const Node& view, const Node& map) const {
    const auto* slice = std::get_if<Slice>(&view.kind);
    if (slice == nullptr) return false;
    size_t axis = 0;
    for (const Selection& s : slice->axes) {
      if (s.kind == Selection::Kind::new_axis) continue;
      const bool has_axis = std::ranges::any_of(std::get<Map>(map.kind).args, [&](NodeId arg) {
        const Node& a = program_.nodes[arg];
        const size_t missing = map.rank() - a.rank();
        return axis >= missing && fit(map, a, axis) != Fit::one;
      });
      if (s.kind == Selection::Kind::slice && !has_axis) return true;
      ++axis;
    }
    return false;
  }

  NodeId add(Node node, Block& out) {
    const Span span = node.span;
    const NodeId id = program_.nodes.add(std::move(node));
    uses_.push_back(1);
    epoch_of_[id.index] = epoch_;
    out.push_back(program_.stmts.add({span, Define{id}}));
    return id;
  }

  /// The map of views that stands for view `id` of `base`.
  NodeId push(NodeId id, NodeId base, NodeId map, Block& out) {
    const Node view = program_.nodes[id];
    const Node source = program_.nodes[map];
    Map pushed = std::get<Map>(source.kind);
    const auto* item = std::get_if<Item>(&program_.nodes[base].kind);
    const uint32_t number = item != nullptr ? item->item : 0;
    const bool is_item = item != nullptr;
    for (NodeId& arg : pushed.args) {
      if (program_.nodes[arg].rank() == 0) continue;
      const NodeId moved = view_of_arg(view, source, arg, out);
      // What was pushed may itself be a map's view.
      if (moved != arg) {
        rewrite(moved, out);
        arg = now(moved);
      }
    }
    Node result{source.span, source.dtype, view.shape, std::move(pushed)};
    const NodeId made = add(std::move(result), out);
    if (!is_item) return made;
    return add({source.span, view.dtype, view.shape, Item{made, number}}, out);
  }

  NodeId view_of_arg(const Node& view, const Node& map, NodeId arg, Block& out) {
    return base::match(
        view.kind, [&](const Slice& v) { return slice_arg(v, view, map, arg, out); },
        [&](const Permute& v) { return permute_arg(v, view, map, arg, out); }, [&](const Broadcast&) { return arg; },
        [&](const Squeeze& v) { return squeeze_arg(v, view, map, arg, out); },
        [&](const Diagonal&) { return diagonal_arg(view, map, arg, out); },
        [&](const auto&) -> NodeId { JITC_CHECK(false, "a view that cannot be pushed"); });
  }

  /// The argument with all axes of the map that it has, at their extents.
  NodeId whole(const Node& view, const Node& map, NodeId arg, Block& out) {
    const Node a = program_.nodes[arg];
    const std::vector<ExtentId> shape(map.shape.end() - static_cast<std::ptrdiff_t>(a.rank()), map.shape.end());
    if (a.shape == shape) return arg;
    return add({view.span, a.dtype, shape, Broadcast{arg}}, out);
  }

  /// The argument's extent along axis `k` of the map: the map's own, 1 for all of the map's, or unknown which.
  enum class Fit { same, one, unknown };
  Fit fit(const Node& map, const Node& arg, size_t k) const {
    const ExtentId e = arg.shape[k - (map.rank() - arg.rank())];
    if (e == map.shape[k]) return Fit::same;
    return program_.extents.is_one(e) ? Fit::one : Fit::unknown;
  }

  NodeId slice_arg(const Slice& v, const Node& view, const Node& map, NodeId arg, Block& out) {
    const Node a = program_.nodes[arg];
    const size_t missing = map.rank() - a.rank();
    size_t axis = 0;
    for (const Selection& s : v.axes) {
      const bool moves = s.kind == Selection::Kind::slice || s.kind == Selection::Kind::index;
      if (moves && axis >= missing && fit(map, a, axis) == Fit::unknown) {
        return slice_arg(v, view, map, whole(view, map, arg, out), out);
      }
      if (s.kind != Selection::Kind::new_axis) ++axis;
    }
    Slice own{arg, {}};
    std::vector<ExtentId> shape;
    axis = 0;
    size_t result_axis = 0;
    for (Selection s : v.axes) {
      const bool is_new = s.kind == Selection::Kind::new_axis,
                 gone = s.kind == Selection::Kind::index || s.kind == Selection::Kind::first;
      const bool has = is_new ? axis > missing || (axis == missing && !own.axes.empty()) : axis >= missing;
      if (has && !is_new && fit(map, a, axis) == Fit::one) {
        if (s.kind == Selection::Kind::slice) s = {};
        if (gone) s = {Selection::Kind::first, {}, {}, {}, {}};
      }
      if (has) {
        own.axes.push_back(s);
        if (!gone) {
          const bool one = !is_new && fit(map, a, axis) == Fit::one;
          shape.push_back(one ? program_.extents.constant(1) : view.shape[result_axis]);
        }
      }
      if (!is_new) ++axis;
      if (!gone) ++result_axis;
    }
    if (selects_everything(own.axes)) return arg;
    return add({view.span, a.dtype, std::move(shape), std::move(own)}, out);
  }

  NodeId permute_arg(const Permute& v, const Node& view, const Node& map, NodeId arg, Block& out) {
    const Node a = program_.nodes[arg];
    NodeId full = arg;
    if (a.rank() < map.rank()) {
      Slice grown{arg, {}};
      std::vector<ExtentId> shape(map.rank() - a.rank(), program_.extents.constant(1));
      for (size_t k = 0; k < map.rank() - a.rank(); ++k)
        grown.axes.push_back({Selection::Kind::new_axis, {}, {}, {}, {}});
      for (size_t k = 0; k < a.rank(); ++k) grown.axes.push_back({});
      shape.insert(shape.end(), a.shape.begin(), a.shape.end());
      full = add({view.span, a.dtype, std::move(shape), std::move(grown)}, out);
      rewrite(full, out);
      full = now(full);
    }
    std::vector<ExtentId> shape;
    for (const uint32_t axis : v.axes) shape.push_back(program_.nodes[full].shape[axis]);
    return add({view.span, a.dtype, std::move(shape), Permute{full, v.axes}}, out);
  }

  NodeId squeeze_arg(const Squeeze& v, const Node& view, const Node& map, NodeId arg, Block& out) {
    const Node a = program_.nodes[arg];
    const size_t missing = map.rank() - a.rank();
    if (v.axis < missing) return arg;
    std::vector<ExtentId> shape = a.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(v.axis - missing));
    return add({view.span, a.dtype, std::move(shape), Squeeze{arg, static_cast<uint32_t>(v.axis - missing)}}, out);
  }

  NodeId diagonal_arg(const Node& view, const Node& map, NodeId arg, Block& out) {
    if (program_.nodes[arg].rank() < 2) {
      Node grown{view.span, program_.nodes[arg].dtype, map.shape, Broadcast{arg}};
      arg = add(std::move(grown), out);
    }
    arg = whole(view, map, arg, out);
    const Node a = program_.nodes[arg];
    std::vector<ExtentId> shape(a.shape.begin(), a.shape.end() - 1);
    shape.back() = view.shape.back();
    return add({view.span, a.dtype, std::move(shape), Diagonal{arg}}, out);
  }

  Program program_;
  std::vector<uint32_t> uses_;
  std::set<uint32_t> has_memory_;   ///< nodes that others take as a whole
  std::set<uint32_t> taken_whole_;  ///< nodes that others than maps take
  std::map<uint32_t, NodeId> replaced_;
  std::map<uint32_t, uint32_t> epoch_of_;
  uint32_t epoch_ = 0;
};

}  // namespace

Program push_views(Program program) { return ViewPusher(std::move(program)).run(); }

}  // namespace jitc::array
