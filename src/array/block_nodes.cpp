#include "src/array/block_nodes.hpp"

#include <algorithm>

#include "src/array/uses.hpp"

namespace jitc::array {

Places::Places(const Program& program) {
  find_stores(program, program.body);
  visit(program, program.body, 0);
}

void Places::find_stores(const Program& program, const Block& block) {
  for (const StmtId id : block) {
    const Stmt& s = program.stmts[id];
    has_stores_ = has_stores_ || std::holds_alternative<Store>(s.kind);
    for_each_block(s, [&](const Block& b) { find_stores(program, b); });
  }
}

namespace {

/// The variables that a statement sets, itself or inside.
void find_sets(const Program& program, const Stmt& s, std::set<uint32_t>& out) {
  if (const auto* set = std::get_if<Set>(&s.kind)) out.insert(set->slot.index);
  for_each_block(s, [&](const Block& b) {
    for (const StmtId id : b) find_sets(program, program.stmts[id], out);
  });
}

/// By position: whether the statement sets a variable that the block reads later. What is computed before must not wait
/// for the read, nor the read come with it.
std::vector<bool> sets_what_is_read_later(const Program& program, const Block& block) {
  std::vector<bool> out(block.size(), false);
  std::set<uint32_t> read;
  for (size_t k = block.size(); k-- > 0;) {
    const Stmt& s = program.stmts[block[k]];
    if (const auto* define = std::get_if<Define>(&s.kind)) {
      if (const auto* r = std::get_if<Read>(&program.nodes[define->node].kind)) read.insert(r->slot.index);
      continue;
    }
    std::set<uint32_t> sets;
    find_sets(program, s, sets);
    out[k] = std::any_of(sets.begin(), sets.end(), [&](uint32_t slot) { return read.contains(slot); });
  }
  return out;
}

}  // namespace

/// Blocks are numbered in the order of the text, outer ones first.
void Places::visit(const Program& program, const Block& block, uint32_t number) {
  epochs_.emplace_back();
  uint32_t epoch = 0;
  const std::vector<bool> sets = sets_what_is_read_later(program, block);
  for (uint32_t position = 0; position < block.size(); ++position) {
    epochs_[number].push_back(epoch);
    const Stmt& s = program.stmts[block[position]];
    if (const auto* define = std::get_if<Define>(&s.kind)) {
      places_.insert_or_assign(define->node.index, Place{number, position, epoch});
      continue;
    }
    bool has_blocks = false;
    for_each_block(s, [&](const Block& b) {
      has_blocks = true;
      visit(program, b, static_cast<uint32_t>(epochs_.size()));
    });
    if (sets[position] || (has_stores_ && (std::holds_alternative<Store>(s.kind) || has_blocks))) ++epoch;
  }
  epochs_[number].push_back(epoch);
}

void for_each_scalar(const Program& program, ExtentId extent, const std::function<void(NodeId)>& visit) {
  base::match(
      program.extents[extent], [&](const ScalarExtent& e) { visit(NodeId(e.node)); },
      [&](const JointExtent& e) {
        for_each_scalar(program, ExtentId(e.a), visit);
        for_each_scalar(program, ExtentId(e.b), visit);
      },
      [&](const RestExtent& e) { for_each_scalar(program, ExtentId(e.base), visit); },
      [&](const OwnExtent& e) { visit(NodeId(e.node)); }, [](const ConstExtent&) {}, [](const ParamExtent&) {});
}

namespace {

void collect(const Program& program, const Block& block, std::set<uint32_t>& out) {
  for (const StmtId id : block) {
    const Stmt& s = program.stmts[id];
    for_each_value(s, [&](NodeId v) { out.insert(v.index); });
    if (const auto* define = std::get_if<Define>(&s.kind)) {
      const Node& node = program.nodes[define->node];
      for_each_arg(node, [&](NodeId a) { out.insert(a.index); });
      for (const ExtentId e : node.shape) for_each_scalar(program, e, [&](NodeId n) { out.insert(n.index); });
    }
    for_each_block(s, [&](const Block& b) { collect(program, b, out); });
  }
}

class Finder {
 public:
  Finder(const Program& program, const Places& places, uint32_t number)
      : program_(program), places_(places), number_(number) {}

  BlockNodes run(const Block& block, const std::vector<NodeId>& extra) {
    for (uint32_t k = 0; k < block.size(); ++k) visit(program_.stmts[block[k]], k);
    for (const NodeId id : extra) want(id, static_cast<uint32_t>(block.size()));
    return std::move(out_);
  }

 private:
  bool is_here(NodeId id) const { return places_.has(id) && places_[id].block == number_; }

  void visit(const Stmt& s, uint32_t position) {
    const bool is_store = std::holds_alternative<Store>(s.kind);
    const bool has_cond_inside = std::holds_alternative<Loop>(s.kind);
    if (!has_cond_inside) {
      for_each_value(s, [&](NodeId v) {
        want(v, position);
        if (!is_store) note_memory(v);
      });
    }
    const std::set<uint32_t> inside = taken_inside(program_, s);
    for (const uint32_t id : inside) {
      if (!is_here(NodeId(id))) continue;
      want(NodeId(id), position);
      note_memory(NodeId(id));
    }
  }

  /// Of a view of an index or of one value for all: what is behind it, too.
  void note_memory(NodeId id) {
    out_.memory.insert(id.index);
    if (view_base(program_.nodes[id]).valid()) out_.memory.insert(root_base(program_, id).index);
  }

  void want(NodeId id, uint32_t position) {
    if (is_here(id)) out_.effects[id.index].push_back(position);
    take(id);
  }

  void take(NodeId id) {
    if (!is_here(id) || !out_.live.insert(id.index).second) return;
    const Node& node = program_.nodes[id];
    if (node.is_stored && !view_base(node).valid()) out_.memory.insert(id.index);
    const NodeId base = view_base(node);
    // Only memory can be looked at; an index, one value for all elements and arrays side by side need none.
    const bool is_joined =
        base.valid() && std::holds_alternative<Join>(program_.nodes[base].kind) && moves_elements(node);
    if (base.valid() && !is_joined && !std::holds_alternative<Iota>(program_.nodes[base].kind) &&
        !std::holds_alternative<Fill>(program_.nodes[base].kind)) {
      out_.memory.insert(base.index);
    }
    if (std::holds_alternative<Part>(node.kind)) out_.memory.insert(root_base(program_, base).index);
    if (const auto* host = std::get_if<ToHost>(&node.kind)) note_memory(host->value);
    if (const auto* reshape = std::get_if<Reshape>(&node.kind)) note_memory(reshape->base);
    if (const auto* contract = std::get_if<Contract>(&node.kind)) {
      for (const NodeId factor : {contract->a, contract->b}) {
        if (!is_elementwise(program_.nodes[factor])) note_memory(factor);
      }
    }
    const bool only_shape = std::holds_alternative<Extent>(node.kind);
    for_each_arg(node, [&](NodeId a) {
      if (!only_shape) out_.users[a.index].push_back(id);
      if (only_shape) return take_shape(a);
      take(a);
    });
    take_shape(id);
  }

  /// The shape of a node alone, not its elements: scalars, and the shapes that it follows from.
  void take_shape(NodeId id) {
    const Node& node = program_.nodes[id];
    if (node.on_host) return take(id);
    if (!shaped_.insert(id.index).second) return;
    for (const ExtentId e : node.shape) take_extent(e, id);
    if (view_base(node).valid() || std::holds_alternative<Join>(node.kind))
      for_each_arg(node, [&](NodeId a) { take_shape(a); });
  }
  void take_extent(ExtentId e, NodeId own) {
    for_each_scalar(program_, e, [&](NodeId n) {
      if (n != own) take_shape(n);
    });
  }

  const Program& program_;
  const Places& places_;
  uint32_t number_;
  std::set<uint32_t> shaped_;
  BlockNodes out_;
};

}  // namespace

std::set<uint32_t> taken_inside(const Program& program, const Stmt& stmt) {
  std::set<uint32_t> out;
  for_each_block(stmt, [&](const Block& b) { collect(program, b, out); });
  return out;
}

BlockNodes find_block_nodes(const Program& program, const Places& places, const Block& block, uint32_t number,
                            const std::vector<NodeId>& extra) {
  return Finder(program, places, number).run(block, extra);
}

}  // namespace jitc::array
