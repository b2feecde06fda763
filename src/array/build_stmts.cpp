// Statements of a typed array function: variables, memory, control flow.
#include <fmt/format.h>

#include "src/array/program_builder.hpp"
#include "src/array/scalar_function.hpp"
#include "src/array/uses.hpp"
#include "src/base/match.hpp"

namespace jitc::array {

namespace {
constexpr size_t kMaxDepth = 64;
}

void ProgramBuilder::build_block(const sema::Block& block) {
  for (const sema::StmtId id : block) build_stmt(id);
}

void ProgramBuilder::build_stmt(sema::StmtId id) {
  const sema::Stmt& s = frame_->fn->stmts[id];
  frame_->memo.clear();
  known_.clear();
  base::match(
      s.kind, [&](const sema::AssignStmt& x) { assign(x.var, build(x.value)); },
      [&](const sema::StoreStmt& x) { build_store(x.array, x.indices, x.value, s.span); },
      [&](const sema::StoreViewStmt& x) {
        const NodeId value = build_node(x.value);
        const auto* element = std::get_if<sema::ElementExpr>(&expr(x.target).kind);
        store(element != nullptr ? build_place(*element, s.span) : build_node(x.target), value, s.span);
      },
      [&](const sema::ExprStmt& x) {
        if (types_.as_array(expr(x.value).type) != nullptr ||
            std::holds_alternative<sema::CallExpr>(expr(x.value).kind)) {
          build(x.value);
        } else {
          throw NotAnArrayProgram(s.span, "this statement");
        }
      },
      [&](const sema::IfStmt& x) { build_if(x, s.span); }, [&](const sema::WhileStmt& x) { build_while(x, s.span); },
      [&](const sema::ForStmt& x) { build_for(x, s.span); },
      [&](const sema::UnrolledStmt& x) { build_unrolled(x, s.span); },
      [&](const sema::BreakStmt&) {
        write_back(s.span);
        emit(s.span, Exit{frame_->loops.back().break_to});
      },
      [&](const sema::ContinueStmt&) {
        write_back(s.span);
        const LoopLabels& loop = frame_->loops.back();
        if (loop.continue_exits) {
          emit(s.span, Exit{loop.continue_to});
        } else {
          emit(s.span, Continue{loop.continue_to});
        }
      },
      [&](const sema::ReturnStmt& x) { build_return(x, s.span); },
      [&](const sema::FailStmt& x) { build_fail(x, s.span); });
}

// --- variables -------------------------------------------------------------------------------------------------------

std::vector<SlotId> ProgramBuilder::make_slots(const std::string& name, sema::TypeId type, bool on_host) {
  std::vector<SlotId> out;
  if (const types::TupleType* tuple = types_.as_tuple(type)) {
    const std::vector<sema::TypeId> items = tuple->elements;
    for (size_t k = 0; k < items.size(); ++k) {
      for (const SlotId slot : make_slots(fmt::format("{}.{}", name, k), items[k], on_host)) out.push_back(slot);
    }
    return out;
  }
  const types::ArrayType* array = types_.as_array(type);
  const uint32_t rank = array != nullptr ? static_cast<uint32_t>(array->rank) : 0;
  out.push_back(program_.slots.add({name, dtype_of(type), rank, on_host && rank == 0}));
  return out;
}

Value ProgramBuilder::read_slots(const std::vector<SlotId>& slots, sema::TypeId type, size_t& next, Span span) {
  if (const types::TupleType* tuple = types_.as_tuple(type)) {
    Value out;
    out.is_tuple = true;
    const std::vector<sema::TypeId> items = tuple->elements;
    for (const sema::TypeId item : items) out.items.push_back(read_slots(slots, item, next, span));
    return out;
  }
  const SlotId slot = slots[next++];
  const Slot& s = program_.slots[slot];
  const NodeId id = program_.nodes.add({span, s.dtype, {}, Read{slot}, s.on_host});
  for (uint32_t axis = 0; axis < s.rank; ++axis) {
    program_.nodes[id].shape.push_back(program_.extents.add(OwnExtent{id.index, axis}));
  }
  return {define(id), {}, false};
}

void ProgramBuilder::set_slots(const std::vector<SlotId>& slots, const Value& value, size_t& next, Span span) {
  if (value.is_tuple) {
    for (const Value& item : value.items) set_slots(slots, item, next, span);
    return;
  }
  const SlotId slot = slots[next++];
  emit(span, Set{slot, program_.slots[slot].on_host ? to_host(value.node) : apart_from_tables(value.node, span)});
}

void ProgramBuilder::assign(VarId var, const Value& value) {
  if (!frame_->blocks.needs_slot(var)) {
    frame_->values.insert_or_assign(var.index, value);
    return;
  }
  SlotValue& slot = frame_->slots[var.index];
  if (slot.slots.empty()) {
    const sema::Variable& v = frame_->fn->vars[var];
    slot.slots = make_slots(v.name, v.type, frame_->blocks.on_host(var));
  }
  slot.known = value;
  slot.dirty = true;
}

Value ProgramBuilder::read(VarId var, Span span) {
  if (!frame_->blocks.needs_slot(var)) {
    const auto found = frame_->values.find(var.index);
    if (found != frame_->values.end()) return found->second;
    throw NotAnArrayProgram(span, fmt::format("'{}' before it has a value", frame_->fn->vars[var].name));
  }
  SlotValue& slot = frame_->slots[var.index];
  const sema::Variable& v = frame_->fn->vars[var];
  if (slot.slots.empty()) slot.slots = make_slots(v.name, v.type, frame_->blocks.on_host(var));
  if (!slot.known) {
    size_t next = 0;
    slot.known = read_slots(slot.slots, v.type, next, span);
  }
  return *slot.known;
}

void ProgramBuilder::write_back(Span span) {
  for (auto& [var, slot] : frame_->slots) {
    if (!slot.dirty) continue;
    size_t next = 0;
    set_slots(slot.slots, *slot.known, next, span);
    slot.dirty = false;
  }
}

void ProgramBuilder::forget() {
  for (auto& [var, slot] : frame_->slots) slot.known.reset();
  frame_->memo.clear();
}

// --- memory ----------------------------------------------------------------------------------------------------------

void ProgramBuilder::build_store(ExprId array, const std::vector<ExprId>& indices, ExprId value, Span span) {
  const NodeId stored = build_node(value);
  std::vector<Selection> axes;
  for (const ExprId index : indices) axes.push_back({Selection::Kind::index, host_scalar(index), {}, {}, {}});
  store(slice(build_node(array), std::move(axes), span), stored, span);
}

/// The node whose memory a view looks into.
void ProgramBuilder::store(NodeId target, NodeId value, Span span) {
  NodeId base = target;
  for (;;) {
    program_.nodes[base].is_stored = true;
    if (std::holds_alternative<Broadcast>(node(base).kind)) {
      throw NotAnArrayProgram(span, "a store to a broadcast array, whose elements share memory");
    }
    const NodeId next = view_base(node(base));
    if (!next.valid()) break;
    base = next;
  }
  if (node(base).rank() == 0) throw NotAnArrayProgram(span, "a store to a number");
  if (std::holds_alternative<Table>(node(base).kind)) {
    throw NotAnArrayProgram(span, "a store to an array of constants; np.array(…) makes a copy of it to store to");
  }
  emit(span, Store{target, value});
  frame_->memo.clear();
  known_.clear();
}

// --- control flow ----------------------------------------------------------------------------------------------------

void ProgramBuilder::build_if(const sema::IfStmt& s, Span span) {
  const NodeId cond = host_scalar(s.cond);
  write_back(span);
  const auto branch = [&](const sema::Block& b) {
    Block out = block([&] {
      forget();
      build_block(b);
      write_back(span);
    });
    forget();
    return out;
  };
  Block then_block = branch(s.body);
  Block else_block = branch(s.orelse);
  emit(span, If{cond, std::move(then_block), std::move(else_block)});
}

template <class EmitLoop>
void ProgramBuilder::with_else(LabelId loop, const sema::Block& orelse, Span span, const EmitLoop& emit_loop) {
  if (orelse.empty()) {
    emit_loop(loop);
    return;
  }
  const LabelId out = label("else");
  Block whole = block([&] {
    emit_loop(out);
    forget();
    build_block(orelse);
    write_back(span);
  });
  emit(span, Scope{out, std::move(whole)});
  forget();
}

void ProgramBuilder::build_while(const sema::WhileStmt& s, Span span) {
  const LabelId loop = label("while");
  write_back(span);
  forget();
  with_else(loop, s.orelse, span, [&](LabelId break_to) {
    NodeId cond;
    Block head = block([&] { cond = host_scalar(s.cond); });
    forget();
    frame_->loops.push_back({break_to, loop});
    Block body = block([&] {
      build_block(s.body);
      write_back(span);
    });
    frame_->loops.pop_back();
    forget();
    emit(span, Loop{loop, std::move(head), cond, std::move(body), {}});
  });
}

/// for var in range(begin, end, step): the number of turns is known before the first.
void ProgramBuilder::build_for(const sema::ForStmt& s, Span span) {
  const LabelId loop = label("for");
  const NodeId begin = host_scalar(s.begin), end = host_scalar(s.end), step = host_scalar(s.step);
  write_back(span);
  forget();
  const SlotId counter = program_.slots.add({frame_->fn->vars[s.var].name, DType::i8, 0, true});
  const Function next = next_in_range(types_, span), goes_on = range_goes_on(types_, span);
  emit(span, Set{counter, begin});
  with_else(loop, s.orelse, span, [&](LabelId break_to) {
    const auto value_of = [&] { return define(program_.nodes.add({span, DType::i8, {}, Read{counter}, true})); };
    NodeId cond;
    Block head = block([&] { cond = map(goes_on, {value_of(), end, step}, DType::b1, span); });
    frame_->loops.push_back({break_to, loop});
    Block body = block([&] {
      assign(s.var, {value_of(), {}, false});
      build_block(s.body);
      write_back(span);
    });
    frame_->loops.pop_back();
    Block advance = block([&] { emit(span, Set{counter, map(next, {value_of(), step}, DType::i8, span)}); });
    forget();
    emit(span, Loop{loop, std::move(head), cond, std::move(body), std::move(advance)});
  });
}

void ProgramBuilder::build_unrolled(const sema::UnrolledStmt& s, Span span) {
  const LabelId whole = label("unrolled");
  write_back(span);
  forget();
  Block all = block([&] {
    for (const sema::Block& binding : s.bindings) {
      const LabelId turn = label("turn");
      frame_->loops.push_back({whole, turn, true});
      Block body = block([&] {
        build_block(binding);
        build_block(s.body);
        write_back(span);
      });
      frame_->loops.pop_back();
      forget();
      emit(span, Scope{turn, std::move(body)});
    }
    build_block(s.orelse);
    write_back(span);
  });
  forget();
  emit(span, Scope{whole, std::move(all)});
}

void ProgramBuilder::flatten(const Value& value, std::vector<NodeId>& out) const {
  if (!value.is_tuple) return out.push_back(value.node);
  for (const Value& item : value.items) flatten(item, out);
}

void ProgramBuilder::build_return(const sema::ReturnStmt& s, Span span) {
  if (frame_->is_program) {
    std::vector<NodeId> values;
    if (s.value.valid()) flatten(build(s.value), values);
    for (NodeId& v : values) v = apart_from_tables(v, span);
    write_back(span);
    emit(span, Return{std::move(values)});
    return;
  }
  const Value value = s.value.valid() ? build(s.value) : Value{};
  if (!frame_->return_to.valid()) {
    frame_->result = value;
    return;
  }
  write_back(span);
  size_t next = 0;
  if (s.value.valid()) set_slots(frame_->result_slots, value, next, span);
  emit(span, Exit{frame_->return_to});
}

void ProgramBuilder::build_fail(const sema::FailStmt& s, Span span) {
  const NodeId cond = s.cond.valid() ? host_scalar(s.cond) : NodeId();
  emit(span, Fail{cond, s.message});
}

/// A function whose one return is its last statement has a value; others store theirs and leave a block.
Value ProgramBuilder::inline_function(const sema::TypedFunction& fn, const std::vector<Value>& args, Span span) {
  if (++depth_ > kMaxDepth) throw NotAnArrayProgram(span, "functions more than 64 deep inside one another");
  Frame frame;
  frame.fn = &fn;
  frame.blocks = VariableBlocks(fn, types_);
  const auto is_return = [&](sema::StmtId id) { return std::holds_alternative<sema::ReturnStmt>(fn.stmts[id].kind); };
  const auto returns = std::count_if(fn.stmts.begin(), fn.stmts.end(), [](const sema::Stmt& s) {
    return std::holds_alternative<sema::ReturnStmt>(s.kind);
  });
  const bool simple = returns == 0 || (returns == 1 && !fn.body.empty() && is_return(fn.body.back()));
  const bool has_value = fn.return_type != types_.none();
  if (!simple) {
    frame.return_to = label(fn.name);
    if (has_value) frame.result_slots = make_slots(fn.name + ".result", fn.return_type, false);
  }
  write_back(span);
  Frame* const caller = std::exchange(frame_, &frame);
  const auto bind = [&] {
    for (size_t i = 0; i < args.size(); ++i) assign(fn.params[i], args[i]);
  };
  if (simple) {
    bind();
    build_block(fn.body);
  } else {
    Block body = block([&] {
      bind();
      build_block(fn.body);
    });
    emit(span, Scope{frame.return_to, std::move(body)});
  }
  frame_ = caller;
  known_.clear();
  --depth_;
  if (!has_value) return {};
  if (simple) return *frame.result;
  size_t next = 0;
  return read_slots(frame.result_slots, fn.return_type, next, span);
}

// --- the program -----------------------------------------------------------------------------------------------------

void ProgramBuilder::take_params(const sema::TypedFunction& function) {
  std::map<std::string, ExtentId> named;
  for (uint32_t p = 0; p < function.params.size(); ++p) {
    const sema::Variable& v = function.vars[function.params[p]];
    const types::ArrayType* array = types_.as_array(v.type);
    ArgumentInfo info{.name = v.name, .dtype = dtype_of(v.type), .is_array = array != nullptr};
    Node node{v.span, info.dtype, {}, Param{p}, array == nullptr && !is_complex(info.dtype)};
    if (array != nullptr) {
      info.rank = array->rank;
      info.layout = array->layout;
      info.extent_names = array->extent_names;
    }
    for (uint32_t axis = 0; array != nullptr && axis < static_cast<uint32_t>(array->rank); ++axis) {
      const std::string name = array->extent_names.empty() ? "" : array->extent_names[axis];
      ExtentId extent = program_.extents.add(ParamExtent{p, axis});
      if (!name.empty()) extent = named.emplace(name, extent).first->second;
      program_.extents.name(extent, name.empty() ? fmt::format("{}.{}", v.name, axis) : name);
      node.shape.push_back(extent);
    }
    program_.params.push_back(std::move(info));
    const NodeId id = program_.nodes.add(std::move(node));
    emit(v.span, Define{id});
    assign(function.params[p], {id, {}, false});
  }
}

void ProgramBuilder::take_results(const sema::TypedFunction& function) {
  std::vector<sema::TypeId> types{function.return_type};
  if (function.return_type == types_.none()) types.clear();
  if (const types::TupleType* tuple = types_.as_tuple(function.return_type)) types = tuple->elements;
  for (size_t k = 0; k < types.size(); ++k) {
    if (types_.as_tuple(types[k]) != nullptr) throw NotAnArrayProgram(function.span, "a tuple inside a returned tuple");
    const types::ArrayType* array = types_.as_array(types[k]);
    ArgumentInfo info{
        .name = types.size() == 1 ? "out" : fmt::format("out{}", k), .dtype = dtype_of(types[k]), .is_array = true};
    info.rank = array != nullptr ? array->rank : 0;
    if (array != nullptr) info.layout = array->layout, info.extent_names = array->extent_names;
    info.written = true;
    program_.results.push_back(std::move(info));
  }
}

/// Which arguments the function may change. A variable may hold any of them.
void ProgramBuilder::note_writes() {
  bool any = false;
  for (const Node& n : program_.nodes) any = any || (n.is_stored && std::holds_alternative<Read>(n.kind));
  for (const Node& n : program_.nodes) {
    const auto* p = std::get_if<Param>(&n.kind);
    if (p == nullptr) continue;
    ArgumentInfo& info = program_.params[p->param];
    info.read = true;
    info.written = info.is_array && (n.is_stored || any);
  }
}

Program ProgramBuilder::run(const sema::TypedFunction& function) {
  program_.name = function.name;
  program_.signature = function.signature;
  program_.span = function.span;
  program_.blas = function.options.blas;
  Frame frame;
  frame.fn = &function;
  frame.blocks = VariableBlocks(function, types_);
  frame.is_program = true;
  frame_ = &frame;
  take_params(function);
  take_results(function);
  build_block(function.body);
  program_.body = std::move(open_.front());
  use_tables_in_place();
  note_writes();
  return std::move(program_);
}

Program build(const source::SourceFile& file, const types::TypeTable& types, const sema::TypedFunction& function) {
  return ProgramBuilder(file, types).run(function);
}

}  // namespace jitc::array
