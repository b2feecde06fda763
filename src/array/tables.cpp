// Arrays of constants: read where they lie, copied where someone might store to them.
#include <fmt/format.h>

#include "src/array/program_builder.hpp"
#include "src/array/uses.hpp"

namespace jitc::array {

NodeId ProgramBuilder::table(const sema::MemoryExpr& e, Span span) {
  if (e.values == nullptr) throw NotAnArrayProgram(span, "memory of threads");
  Node out{span, e.dtype, {}, Table{e.values, e.name}};
  for (const uint64_t n : e.shape) out.shape.push_back(program_.extents.constant(static_cast<int64_t>(n)));
  return add(std::move(out), fmt::format("T{}", static_cast<const void*>(e.values.get())));
}

/// What a variable or the caller gets may be stored to: a copy of a table.
NodeId ProgramBuilder::apart_from_tables(NodeId id, Span span) {
  if (!std::holds_alternative<Table>(node(root_base(program_, id)).kind)) return id;
  return add(Node{span, node(id).dtype, node(id).shape, Copy{id}});
}

/// Whether a variable or the caller gets the node or a view of it.
bool ProgramBuilder::escapes(NodeId base) const {
  const auto is_of_base = [&](NodeId id) { return root_base(program_, id) == base; };
  for (const Stmt& s : program_.stmts) {
    if (const auto* set = std::get_if<Set>(&s.kind); set != nullptr && is_of_base(set->value)) return true;
    const auto* end = std::get_if<Return>(&s.kind);
    if (end != nullptr && std::any_of(end->values.begin(), end->values.end(), is_of_base)) return true;
  }
  return false;
}

/// np.array([1, 2, 3]) is a copy of its constants. Where that cannot be told from the constants, they are read.
void ProgramBuilder::use_tables_in_place() {
  for (uint32_t k = 0; k < program_.nodes.size(); ++k) {
    Node& n = program_.nodes[NodeId(k)];
    const auto* copy = std::get_if<Copy>(&n.kind);
    const auto* values = copy != nullptr ? std::get_if<Table>(&node(copy->array).kind) : nullptr;
    if (values == nullptr || n.is_stored || escapes(NodeId(k))) continue;
    n.kind = Table(*values);
  }
}

}  // namespace jitc::array
