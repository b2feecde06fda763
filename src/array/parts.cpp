#include "src/array/parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

/// What variables that cross blocks may look into: arguments, what they held before, and what is assigned to them.
bool may_be_in_variable(const Program& program, NodeId base) {
  const Node& node = program.nodes[base];
  if (std::holds_alternative<Param>(node.kind) || std::holds_alternative<Read>(node.kind)) return true;
  return std::any_of(program.stmts.begin(), program.stmts.end(), [&](const Stmt& s) {
    const auto* set = std::get_if<Set>(&s.kind);
    return set != nullptr && root_base(program, set->value) == base;
  });
}

/// Then a store may change whatever a variable looks into.
bool stores_through_variables(const Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [](const Node& n) { return n.is_stored && std::holds_alternative<Read>(n.kind); });
}

/// Leaves out what defines these nodes.
void drop(Program& program, Block& block, const std::set<uint32_t>& nodes) {
  std::erase_if(block, [&](StmtId id) {
    const auto* define = std::get_if<Define>(&program.stmts[id].kind);
    return define != nullptr && nodes.contains(define->node.index);
  });
  for (const StmtId id : block) {
    for_each_block(program.stmts[id], [&](Block& inner) { drop(program, inner, nodes); });
  }
}

template <class Visit>
void for_each_use(Program& program, Visit visit) {
  for (uint32_t k = 0; k < program.nodes.size(); ++k) for_each_arg(program.nodes[NodeId(k)], visit);
  for (uint32_t k = 0; k < program.stmts.size(); ++k) for_each_value(program.stmts[StmtId(k)], visit);
}

}  // namespace

Program settle_parts(Program program) {
  const bool anywhere = stores_through_variables(program);
  std::map<uint32_t, NodeId> replaced;
  std::set<uint32_t> unused;
  for (uint32_t k = 0; k < program.nodes.size(); ++k) {
    auto* part = std::get_if<Part>(&program.nodes[NodeId(k)].kind);
    if (part == nullptr) continue;
    const NodeId map = std::exchange(part->map, NodeId());
    const NodeId base = root_base(program, NodeId(k));
    const bool stays = program.nodes[base].is_stored || (anywhere && may_be_in_variable(program, base));
    unused.insert(stays ? map.index : k);
    if (!stays) replaced[k] = map;
  }
  for_each_use(program, [&](NodeId& id) {
    if (const auto found = replaced.find(id.index); found != replaced.end()) id = found->second;
    unused.erase(id.index);
  });
  drop(program, program.body, unused);
  return program;
}

}  // namespace jitc::array
