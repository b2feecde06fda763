#include "src/array/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    visit(program_.body);
    return std::move(broken_);
  }

 private:
  void require(bool holds, NodeId id, const char* rule) {
    if (!holds) broken_.push_back(fmt::format("node %{}: {}", id.index, rule));
  }
  const Node& node(NodeId id) const { return program_.nodes[id]; }
  size_t rank(NodeId id) const { return node(id).rank(); }

  /// What a block defines is not known behind it.
  void visit(const Block& block) {
    const std::set<uint32_t> outer = defined_;
    for (const StmtId id : block) statement(program_.stmts[id]);
    defined_ = outer;
  }

  void statement(const Stmt& s) {
    const auto* loop = std::get_if<Loop>(&s.kind);
    if (const auto* define = std::get_if<Define>(&s.kind)) return definition(define->node);
    if (loop == nullptr) for_each_value(s, [&](NodeId v) { use(v, v); });
    if (loop != nullptr) return visit_loop(*loop);
    if (const auto* store = std::get_if<Store>(&s.kind)) {
      require(node(store->target).is_stored, store->target, "what is stored to is marked as such");
      require(rank(store->value) <= rank(store->target), store->target,
              "a stored value has no more axes than its target");
      require(node(store->value).dtype == node(store->target).dtype, store->target,
              "a stored value has its target's type");
    }
    for_each_block(s, [&](const Block& b) { visit(b); });
  }

  /// The condition is of the head.
  void visit_loop(const Loop& loop) {
    const std::set<uint32_t> outer = defined_;
    for (const StmtId id : loop.head) statement(program_.stmts[id]);
    use(loop.cond, loop.cond);
    require(node(loop.cond).on_host, loop.cond, "a condition is a scalar of the host");
    visit(loop.body);
    visit(loop.step);
    defined_ = outer;
  }

  void use(NodeId id, NodeId by) {
    const auto* map = std::get_if<Map>(&node(id).kind);
    const bool is_constant = map != nullptr && map->args.empty();
    require(is_constant || defined_.contains(id.index), by, "what a node takes is defined before it");
  }

  void definition(NodeId id) {
    const Node& n = node(id);
    for_each_arg(n, [&](NodeId a) { use(a, id); });
    require(!n.on_host || n.rank() == 0, id, "only scalars are the host's");
    base::match(
        n.kind,
        [&](const Param& p) { require(p.param < program_.params.size(), id, "a parameter is one of the program's"); },
        [&](const Read& r) {
          require(program_.slots[r.slot].rank == n.rank(), id, "a variable has the rank of its slot");
        },
        [&](const Map& m) {
          require(m.function != nullptr && m.function->params.size() == m.args.size(), id,
                  "a map has an argument for each parameter");
          for (const NodeId a : m.args) require(rank(a) <= n.rank(), id, "a map has no fewer axes than its arguments");
        },
        [&](const Item& i) { require(as_map(program_, i.map) != nullptr, id, "an item is of a map"); },
        [&](const Iota&) { require(n.rank() == 1, id, "an iota has one axis"); },
        [&](const Table& t) {
          require(t.values->shape.size() == n.rank() && t.values->dtype == n.dtype, id, "a table is of its values");
          require(!n.is_stored, id, "nothing is stored to constants");
        },
        [&](const Fill& f) { require(!f.value.valid() || rank(f.value) == 0, id, "a fill repeats a scalar"); },
        [&](const Extent& e) { require(e.axis < rank(e.array), id, "an extent is of an axis"); },
        [&](const ToHost& h) { require(rank(h.value) == 0, id, "the host reads scalars"); },
        [&](const Slice& s) { slice(id, s); },
        [&](const Permute& p) {
          std::vector<uint32_t> sorted = p.axes, all(p.axes.size());
          std::sort(sorted.begin(), sorted.end());
          std::iota(all.begin(), all.end(), 0U);
          require(sorted == all && all.size() == rank(p.base), id, "a permutation has each axis once");
        },
        [&](const Broadcast& b) { require(rank(b.base) <= n.rank(), id, "a broadcast loses no axes"); },
        [&](const Reshape& r) { require(r.shape.size() == n.rank(), id, "a reshape has an extent for each axis"); },
        [&](const Squeeze& s) { require(s.axis < rank(s.base) && n.rank() + 1 == rank(s.base), id, "one axis goes"); },
        [&](const Diagonal& d) {
          require(rank(d.base) >= 2 && n.rank() + 1 == rank(d.base), id, "a diagonal is of two axes");
        },
        [&](const Part& p) {
          require(is_complex(node(p.base).dtype) && n.dtype == part_type(node(p.base).dtype), id,
                  "a part is of a complex number");
        },
        [&](const Fold& f) { fold(id, f); },
        [&](const Contract& c) {
          require(c.a_labels.size() == rank(c.a) && c.b_labels.size() == rank(c.b) && c.out_labels.size() == n.rank(),
                  id, "a contraction has a letter for each axis");
        },
        [&](const Join& j) {
          for (const NodeId p : j.parts)
            require(rank(p) == n.rank() && node(p).dtype == n.dtype, id, "joined arrays are alike");
        },
        [&](const Copy& c) { require(rank(c.array) == n.rank(), id, "a copy has the rank of its array"); });
    defined_.insert(id.index);
  }

  void slice(NodeId id, const Slice& s) {
    size_t taken = 0, left = 0;
    for (const Selection& each : s.axes) {
      const bool gone = each.kind == Selection::Kind::index || each.kind == Selection::Kind::first;
      taken += each.kind == Selection::Kind::new_axis ? 0 : 1;
      left += gone ? 0 : 1;
    }
    require(taken == rank(s.base) && left == rank(id), id, "a slice says what becomes of each axis");
  }

  void fold(NodeId id, const Fold& f) {
    require(f.folded.size() == rank(f.array), id, "a fold says of each axis whether it goes");
    const auto gone = static_cast<size_t>(std::count(f.folded.begin(), f.folded.end(), true));
    require(rank(id) + (f.keepdims ? 0 : gone) == rank(f.array), id, "a fold keeps the other axes");
  }

  const Program& program_;
  std::set<uint32_t> defined_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

}  // namespace jitc::array
