#include "src/kernel/row_lowering.hpp"

#include <bit>

namespace jitc::kernel {

RowLowering::RowLowering(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form)
    : l_(lowerer), b_(lowerer.b_), kernel_(kernel), form_(form) {
  number_values();
  declare();
}

void RowLowering::number_values() {
  sources_ = row_sources(kernel_, l_.types_);
  row_values_.resize(sources_.size());
  uint32_t next = static_cast<uint32_t>(kernel_.operands.size());
  for (uint32_t s = 0; s < kernel_.stages.size(); ++s) {
    const auto is_here = [&](Kind kind) {
      return next < sources_.size() && sources_[next].kind == kind && sources_[next].stage == s;
    };
    while (is_here(Kind::element)) ++next;
    first_fold_.push_back(next);
    while (is_here(Kind::fold) || is_here(Kind::row)) ++next;
  }
  bool stores_elements = false;
  for (size_t k = 0; k < kernel_.outputs.size(); ++k) stores_elements = stores_elements || is_element_output(k);
  for (uint32_t s = 0; stores_elements && s < kernel_.stages.size(); ++s) {
    if (kernel_.stages[s].element) last_walk_ = s;
  }
}

/// Of a kernel in phases: the only one.
uint32_t RowLowering::fold_stage() const {
  for (uint32_t s = 0; s < kernel_.stages.size(); ++s) {
    if (!kernel_.stages[s].folds.empty()) return s;
  }
  JITC_CHECK(false, "a kernel over long rows has no folds");
}

// --- arguments

void RowLowering::declare() {
  const uint32_t rank = form_.outer_rank + form_.inner_rank;
  JITC_CHECK(form_.outer_rank > 0 && form_.inner_rank > 0, "a kernel over rows without axes");
  for (size_t k = 0; k < kernel_.operands.size(); ++k) {
    const KernelOperand& operand = kernel_.operands[k];
    if (operand.kind == KernelOperand::Kind::array) {
      operands_.push_back(declare_array(operand.name, operand.dtype, rank, form_.reads[k], false));
    } else {
      const Value value = l_.scalar_param(operand.name, operand.dtype);
      operands_.push_back({.dtype = operand.dtype, .walk = form_.reads[k], .data = value.scalar});
      if (operand.kind == KernelOperand::Kind::scalar) row_values_[k] = value;
    }
    operands_.back().of_row = operand.per_row;
  }
  if (reads_partials()) declare_partials(partials_read_, form_.reads, kernel_.operands.size(), false);
  if (writes_partials()) {
    declare_partials(writes_, form_.writes, 0, true);
  } else {
    for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
      const RowOutput& output = kernel_.outputs[k];
      const bool of_row = !is_element_output(k);
      writes_.push_back(
          declare_array(output.name, dtype_of(output.value), of_row ? form_.outer_rank : rank, form_.writes[k], true));
      writes_.back().of_row = of_row;
    }
  }
  axes_ = b_.array_argument("axes", DType::i8, static_cast<int>(rank));
  for (size_t k = 0; k < kernel_.operands.size(); ++k) {
    if (kernel_.operands[k].kind != KernelOperand::Kind::index) continue;
    operands_[k].is_index = true;
    operands_[k].argument = b_.array_argument(kernel_.operands[k].name + ".steps", DType::i8, static_cast<int>(rank));
    operands_[k].strides.resize(rank);
  }
  extents_.resize(rank);
  count_outer_ = extent(0);
  for (uint32_t axis = 1; axis < form_.outer_rank; ++axis) count_outer_ = mul(count_outer_, extent(axis));
  count_outer_ = l_.pin(count_outer_);
  count_inner_ = extent(form_.outer_rank);
  for (uint32_t axis = form_.outer_rank + 1U; axis < rank; ++axis) count_inner_ = mul(count_inner_, extent(axis));
  count_inner_ = l_.pin(count_inner_);
}

RowArray RowLowering::declare_array(const std::string& name, DType dtype, uint32_t rank, Walk walk, bool is_written) {
  RowArray out{.argument = b_.array_argument(name, dtype, static_cast<int>(rank)), .dtype = dtype, .walk = walk};
  out.data = b_.param(b_.data_param(out.argument));
  out.strides.resize(rank);
  ArgumentInfo& info = b_.program().arguments[out.argument];
  (is_written ? info.written : info.read) = true;
  return out;
}

void RowLowering::declare_partials(std::vector<RowArray>& arrays, const std::vector<Walk>& walks, size_t first_walk,
                                   bool is_written) {
  const std::string name = is_written ? "partial_out" : "partial";
  for (const Fold& fold : kernel_.stages[fold_stage()].folds) {
    for (const DType dtype : partial_dtypes(fold)) {
      const std::string own = name + std::to_string(arrays.size());
      arrays.push_back(declare_array(own, dtype, form_.outer_rank + 1U, walks[first_walk + arrays.size()], is_written));
      arrays.back().of_row = is_written;
    }
  }
}

ExprId RowLowering::extent(uint32_t axis) {
  if (!extents_[axis].valid()) extents_[axis] = b_.param(b_.extent_param(axes_, axis));
  return extents_[axis];
}

ExprId RowLowering::stride(RowArray& array, uint32_t axis) {
  ExprId& made = array.strides[axis];
  if (!made.valid()) made = b_.param(b_.stride_param(array.argument, axis));
  return made;
}

// --- places

ExprId RowLowering::quotient(ExprId lhs, ExprId rhs) {
  const auto u8 = [&](ExprId value) { return b_.convert(DType::u8, value); };
  return b_.convert(DType::i8, binary(BinaryOp::kFloorDiv, u8(lhs), u8(rhs)));
}

ExprId RowLowering::blocks() {
  const ExprId shift = number(std::countr_zero(static_cast<uint64_t>(kRowBlock)));
  return l_.pin(binary(BinaryOp::kShr, add(count_inner_, number(kRowBlock - 1)), shift));
}

ExprId RowLowering::line_number() {
  const auto along = [&](ThreadValue value, uint8_t axis) { return b_.thread(value, axis); };
  const ExprId block =
      add(mul(along(ThreadValue::kBlockIdx, 2), along(ThreadValue::kGridDim, 1)), along(ThreadValue::kBlockIdx, 1));
  return l_.pin(add(mul(block, along(ThreadValue::kBlockDim, 1)), along(ThreadValue::kThreadIdx, 1)));
}

void RowLowering::find_row(ExprId row, uint32_t axes, ExprId block) {
  const std::vector<ExprId> indices =
      l_.split_number(b_.convert(DType::u8, row), 0, axes, DType::i8, [&](uint32_t axis) { return extent(axis); });
  const auto find = [&](RowArray& array, const std::string& name) {
    ExprId sum = number(0);
    for (uint32_t axis = 0; axis < axes; ++axis) {
      const ExprId term = mul(indices[axis], stride(array, axis));
      sum = axis == 0 ? term : add(sum, term);
    }
    array.row = int_local(name + ".row", sum);
  };
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (kernel_.operands[k].kind != KernelOperand::Kind::scalar) find(operands_[k], kernel_.operands[k].name);
  }
  for (RowArray& array : partials_read_) find(array, "partial");
  for (RowArray& array : writes_) {
    find(array, "out");
    if (writes_partials()) increase(array.row, mul(block, stride(array, form_.outer_rank)));
  }
}

void RowLowering::find_block(ExprId block) {
  first_ = int_local("first", mul(block, number(kRowBlock)));
  count_ = int_local("count", min(sub(count_inner_, b_.local(first_)), number(kRowBlock)));
}

RowPlace RowLowering::element_place(std::vector<ExprId> terms, const std::vector<ExprId>& lane) {
  RowPlace out{std::move(terms), {}, lane};
  if (form_.inner_rank == 1) return out;
  ExprId sum = out.element[0];
  for (size_t k = 1; k < out.element.size(); ++k) sum = add(sum, out.element[k]);
  out.indices = l_.split_number(b_.convert(DType::u8, sum), form_.outer_rank, form_.outer_rank + form_.inner_rank,
                                DType::i8, [&](uint32_t axis) { return extent(axis); });
  return out;
}

/// The innermost axis along which the lanes go has a step that the form may know.
std::vector<AddressTerm> RowLowering::terms(RowArray& array, const RowPlace& place) {
  std::vector<AddressTerm> out{{b_.local(array.row), number(1)}};
  const uint32_t lanes_axis = lanes_are_results() ? form_.outer_rank - 1U : form_.outer_rank + form_.inner_rank - 1U;
  const auto along = [&](uint32_t axis, ExprId index) {
    if (axis == lanes_axis && array.walk == Walk::same) return;
    const bool next = axis == lanes_axis && array.walk == Walk::next;
    out.push_back({index, next ? number(static_cast<int64_t>(size_bytes(array.dtype))) : stride(array, axis)});
  };
  if (!array.of_row && form_.inner_rank == 1) {
    for (const ExprId term : place.element) along(form_.outer_rank, term);
  } else if (!array.of_row) {
    for (uint32_t axis = 0; axis < place.indices.size(); ++axis) along(form_.outer_rank + axis, place.indices[axis]);
  }
  for (const ExprId term : place.lane) along(form_.outer_rank - 1U, term);
  return out;
}

MemRef RowLowering::ref(RowArray& array, const RowPlace& place) { return {array.data, terms(array, place)}; }

Value RowLowering::read(RowArray& array, const RowPlace& place) {
  if (!array.is_index && place.inside.valid()) return read_inside(ref(array, place), array.dtype, place.inside);
  if (!array.is_index) return l_.load(ref(array, place), array.dtype);
  ExprId sum = array.data;
  for (const AddressTerm& term : terms(array, place)) sum = add(sum, mul(term.index, term.stride_bytes));
  return of_scalar(sum);
}

Value RowLowering::read_inside(const MemRef& at, DType dtype, ExprId inside) {
  const DType part = part_type(dtype);
  std::vector<LocalId> locals;
  for (int k = 0; k < (is_complex(dtype) ? 2 : 1); ++k) {
    locals.push_back(b_.add_local("loaded", scalar(part)));
    b_.assign(locals.back(), b_.constant(part, 0));
  }
  b_.if_then(inside, [&] {
    const Value value = l_.load(at, dtype);
    if (locals.size() == 1) return void(b_.assign(locals[0], value.scalar));
    for (size_t k = 0; k < 2; ++k) b_.assign(locals[k], value.items[k].scalar);
  });
  return locals.size() == 1 ? of_scalar(b_.local(locals[0])) : of_parts(b_.local(locals[0]), b_.local(locals[1]));
}

// --- stages

void RowLowering::run_stages() {
  load_row_operands();
  for (uint32_t s = 0; s < kernel_.stages.size(); ++s) {
    const RowStage& now = kernel_.stages[s];
    const bool folds_partials = reads_partials() && !now.folds.empty();
    if (reads_partials() ? folds_partials : now.element != nullptr) walk(s);
    if (writes_partials() && !now.folds.empty()) break;
    if (now.row && form_.phase != Phase::middle) finish_row(s);
  }
  store_row();
}

void RowLowering::load_row_operands() {
  if (has_side_lanes() || form_.phase == Phase::middle) return;
  for (size_t k = 0; k < operands_.size(); ++k) {
    const KernelOperand& operand = kernel_.operands[k];
    if (!operand.per_row || operand.kind == KernelOperand::Kind::scalar) continue;
    RowPlace place;
    if (form_.shape == Shape::unrolled) place.lane = {b_.local(first_lane_), b_.thread(ThreadValue::kThreadIdx)};
    row_values_[k] = l_.pin(read(operands_[k], place));
  }
}

Value RowLowering::row_value(uint32_t id, const RowPlace&) { return row_values_[id]; }

std::vector<Value> RowLowering::call_row(uint32_t stage, const RowPlace& place) {
  const RowStage& now = kernel_.stages[stage];
  std::vector<Value> args;
  for (const uint32_t id : now.row_args) args.push_back(l_.pin(row_value(id, place)));
  Value value = l_.inline_function(*now.row, args, 0, kernel_.span);
  if (l_.types_.as_tuple(now.row->return_type) == nullptr) return {std::move(value)};
  return std::move(value.items);
}

void RowLowering::finish_row(uint32_t stage) {
  const std::vector<Value> values = call_row(stage, {});
  for (size_t item = 0; item < values.size(); ++item) set_row_value(row_id(stage, item), values[item]);
}

/// The sum of no elements is 0.0, though the identity of sums, which changes no bit of any, is -0.0.
Value RowLowering::finished(const Fold& fold, Value value) {
  const bool is_sum = fold.op == FoldOp::kAdd && (is_float(fold.dtype) || is_complex(fold.dtype));
  if (!is_sum || form_.phase != Phase::whole) return value;
  const ExprId none = b_.compare(CompareOp::kEq, count_inner_, number(0));
  const auto with_zero = [&](ExprId part) { return b_.select(none, b_.constant(part_type(fold.dtype), 0.0), part); };
  if (value.scalar.valid()) value.scalar = with_zero(value.scalar);
  for (Value& item : value.items) item.scalar = with_zero(item.scalar);
  return value;
}

void RowLowering::set_fold(uint32_t stage, size_t fold, const FoldState& state) {
  fold_states_[fold_id(stage, fold)] = state;
  set_row_value(fold_id(stage, fold),
                finished(kernel_.stages[stage].folds[fold], fold_result(kernel_.stages[stage].folds[fold], state)));
}

void RowLowering::store_partial(size_t fold, const FoldState& state, const RowPlace& place) {
  const std::vector<Fold>& folds = kernel_.stages[fold_stage()].folds;
  size_t array = 0;
  for (size_t before = 0; before < fold; ++before) array += partial_dtypes(folds[before]).size();
  for (const Value& value : state_values(folds[fold], state)) l_.store(ref(writes_[array++], place), value);
}

void RowLowering::store_output(size_t output, const Value& value, const RowPlace& place) {
  l_.store(ref(writes_[output], place), value);
}

void RowLowering::store_row() {
  RowPlace place;
  if (form_.shape == Shape::unrolled) place.lane = {b_.local(first_lane_), b_.thread(ThreadValue::kThreadIdx)};
  if (writes_partials()) {
    const uint32_t s = fold_stage();
    for (size_t fold = 0; fold < kernel_.stages[s].folds.size(); ++fold) {
      store_partial(fold, fold_states_[fold_id(s, fold)], place);
    }
    return;
  }
  for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
    if (!is_element_output(k)) store_output(k, row_value(kernel_.outputs[k].value, place), place);
  }
}

void RowLowering::store_elements(ElementPoint& point) {
  for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
    if (is_element_output(k)) store_output(k, point.value(kernel_.outputs[k].value), point.place());
  }
}

// --- states

uint32_t RowLowering::add_memory(const std::string& name, DType dtype, uint64_t count, MemorySpace space) {
  constexpr uint32_t kVectorBytes = 64;
  MemoryObject object{.name = name, .space = space, .dtype = part_type(dtype)};
  object.count_elems = count * (is_complex(dtype) ? 2 : 1);
  object.align_bytes = space == MemorySpace::kLocal && count > 1 ? kVectorBytes : 16;
  return b_.add_memory(std::move(object));
}

StateArray RowLowering::make_states(const std::string& name, const Fold& fold, uint64_t count, MemorySpace space) {
  StateArray out;
  for (const DType dtype : state_dtypes(fold)) out.objects.push_back(add_memory(name, dtype, count, space));
  return out;
}

FoldState RowLowering::load_state(const StateArray& array, ExprId index) {
  FoldState out;
  for (const uint32_t object : array.objects) {
    out.push_back(l_.pin(b_.load(b_.element(b_.memory_base(object), index))));
  }
  return out;
}

void RowLowering::store_state(const StateArray& array, ExprId index, const FoldState& state) {
  for (size_t part = 0; part < state.size(); ++part) {
    b_.store(b_.element(b_.memory_base(array.objects[part]), index), state[part]);
  }
}

FoldState RowLowering::combine_pairs(const Fold& fold, std::vector<FoldState> states) {
  while (states.size() > 1) {
    std::vector<FoldState> next;
    for (size_t k = 0; k + 1 < states.size(); k += 2) next.push_back(combine(fold, states[k], states[k + 1]));
    states = std::move(next);
  }
  return states[0];
}

// --- elements

Value ElementPoint::value(uint32_t id) {
  const auto found = values_.find(id);
  if (found != values_.end()) return found->second;
  const RowSource& from = rows_.source(id);
  Value out;
  if (from.kind == RowSource::Kind::operand && !rows_.operand_is_of_row(from.stage)) {
    out = rows_.read_element(from.stage, place_);
  } else if (from.kind == RowSource::Kind::element) {
    out = results(from.stage)[from.item];
  } else {
    out = rows_.row_value(id, place_);
  }
  return values_[id] = rows_.l_.pin(out);
}

void ElementPoint::load_operands(uint32_t stage) {
  for (const uint32_t id : rows_.stage(stage).element_args) {
    if (rows_.source(id).kind == RowSource::Kind::operand) value(id);
  }
}

const std::vector<Value>& ElementPoint::results(uint32_t stage) {
  const auto found = results_.find(stage);
  if (found != results_.end()) return found->second;
  const RowStage& now = rows_.stage(stage);
  std::vector<Value> args;
  for (const uint32_t id : now.element_args) args.push_back(value(id));
  Value value = rows_.l_.inline_function(*now.element, args, 0, rows_.kernel_.span);
  std::vector<Value> items{value};
  if (rows_.l_.types_.as_tuple(now.element->return_type) != nullptr) items = std::move(value.items);
  for (Value& item : items) item = rows_.l_.pin(item);
  return results_[stage] = std::move(items);
}

FoldState ElementPoint::state(uint32_t stage, size_t fold) {
  const std::vector<Fold>& folds = rows_.stage(stage).folds;
  if (rows_.reads_partials()) {
    size_t array = 0;
    for (size_t before = 0; before < fold; ++before) array += partial_dtypes(folds[before]).size();
    std::vector<Value> values;
    for (size_t k = 0; k < partial_dtypes(folds[fold]).size(); ++k) {
      values.push_back(rows_.l_.pin(rows_.read(rows_.partials_read_[array + k], place_)));
    }
    return state_of_values(rows_.b_, folds[fold], values);
  }
  const bool is_numbered = partial_dtypes(folds[fold]).size() > 1;
  if (is_numbered && !number_.valid()) {
    number_ = place_.element[0];
    for (size_t k = 1; k < place_.element.size(); ++k) number_ = rows_.add(number_, place_.element[k]);
    number_ = rows_.l_.pin(number_);
  }
  return element_state(rows_.b_, folds[fold], results(stage)[fold], number_);
}

}  // namespace jitc::kernel
