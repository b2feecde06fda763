#include "src/kernel/contract_lowering.hpp"

namespace jitc::kernel {

namespace {

int unit_axis(Neighbours neighbours) {
  return neighbours == Neighbours::none ? -1 : neighbours == Neighbours::first ? 0 : 1;
}
int unit_axis(Walk walk) { return walk == Walk::next ? 1 : -1; }

}  // namespace

// --- arguments

void ContractLowering::declare() {
  a_ = declare_factor(kernel_.a, "a", form_.a);
  b_factor_ = declare_factor(kernel_.b, "b", form_.b);
  for (size_t i = 0; i < kernel_.epilogue_operands.size(); ++i) {
    epilogue_.push_back(
        declare_operand(kernel_.epilogue_operands[i], "c" + std::to_string(i), unit_axis(form_.epilogue[i])));
  }
  for (size_t i = 0; i < kernel_.outputs.size(); ++i) {
    Operand out{.dtype = kernel_.outputs[i], .unit_axis = unit_axis(form_.outputs[i])};
    out.argument = declare_array(result_name(i, kernel_.outputs.size()), out.dtype);
    out.data = b_.param(b_.data_param(out.argument));
    b_.program().arguments[out.argument].written = true;
    outputs_.push_back(std::move(out));
  }
  for (uint32_t axis = 0; axis < batch_rank() + 2; ++axis) {
    extents_.push_back(b_.extent_param(outputs_[0].argument, axis));
  }
  k_ = b_.param(b_.scalar_param("k", DType::i8));
}

ContractLowering::Factor ContractLowering::declare_factor(const ContractFactor& source, const char* name,
                                                          const std::vector<Neighbours>& neighbours) {
  Factor out{&source, {}};
  for (size_t i = 0; i < source.operands.size(); ++i) {
    const std::string number = source.operands.size() == 1 ? "" : std::to_string(i);
    out.operands.push_back(declare_operand(source.operands[i], name + number, unit_axis(neighbours[i])));
  }
  return out;
}

ContractLowering::Operand ContractLowering::declare_operand(const KernelOperand& source, const std::string& name,
                                                            int unit) {
  const std::string shown = source.name.empty() ? name : source.name;
  Operand out{.kind = source.kind, .dtype = source.dtype, .unit_axis = unit};
  if (source.kind == KernelOperand::Kind::array) {
    out.argument = declare_array(shown, source.dtype);
    out.data = b_.param(b_.data_param(out.argument));
    b_.program().arguments[out.argument].read = true;
    return out;
  }
  out.value = l_.scalar_param(shown, source.dtype);
  if (source.kind == KernelOperand::Kind::index) {
    out.argument = declare_array(shown + ".steps", DType::i8);
    out.unit_axis = -1;
  }
  return out;
}

uint32_t ContractLowering::declare_array(const std::string& name, DType dtype) {
  const uint32_t argument = b_.array_argument(name, dtype, static_cast<int>(batch_rank()) + 2);
  for (uint32_t axis = 0; axis < batch_rank() + 2; ++axis) {
    strides_[argument].push_back(b_.stride_param(argument, axis));
  }
  return argument;
}

ExprId ContractLowering::stride(const Operand& operand, uint32_t axis) {
  return b_.param(strides_.at(operand.argument)[axis]);
}

AddressTerm ContractLowering::step(const Operand& operand, uint32_t which, ExprId index) {
  if (operand.kind == KernelOperand::Kind::scalar) return {index, number(0)};
  if (operand.unit_axis == static_cast<int>(which)) {
    return {index, number(static_cast<int64_t>(size_bytes(operand.dtype)))};
  }
  return {index, stride(operand, batch_rank() + which)};
}

std::vector<ContractLowering::Operand*> ContractLowering::all_operands() {
  std::vector<Operand*> out;
  for (std::vector<Operand>* list : {&a_.operands, &b_factor_.operands, &epilogue_, &outputs_}) {
    for (Operand& operand : *list) {
      if (operand.kind != KernelOperand::Kind::scalar) out.push_back(&operand);
    }
  }
  return out;
}

void ContractLowering::find_tile(ExprId tile_m, ExprId tile_n) {
  const ExprId tiles_n = l_.pin(ceil_div(extent_n(), tile_n)), tiles_m = l_.pin(ceil_div(extent_m(), tile_m));
  const ExprId job = b_.thread(ThreadValue::kBlockIdx);
  const ExprId row = l_.pin(div(job, tiles_n));
  first_n_ = l_.pin(mul(mod(job, tiles_n), tile_n));
  first_m_ = l_.pin(mul(mod(row, tiles_m), tile_m));
  const std::vector<ExprId> places =
      l_.split_number(b_.convert(DType::u8, div(row, tiles_m)), 0, batch_rank(), DType::i8,
                      [&](uint32_t axis) { return b_.param(extents_[axis]); });
  for (Operand* operand : all_operands()) {
    ExprId offset = number(0);
    for (uint32_t axis = 0; axis < places.size(); ++axis) {
      offset = add(offset, mul(places[axis], stride(*operand, axis)));
    }
    operand->batch = int_local(b_.program().arguments[operand->argument].name + ".batch", offset);
  }
}

// --- values

Value ContractLowering::fetch(const Operand& operand, const std::vector<AddressTerm>& terms) {
  if (operand.kind == KernelOperand::Kind::scalar) return operand.value;
  if (operand.kind == KernelOperand::Kind::array) return l_.load({operand.data, terms}, operand.dtype);
  ExprId value = operand.value.scalar;
  for (const AddressTerm& term : terms) value = add(value, mul(term.index, term.stride_bytes));
  return of_scalar(value);
}

ContractLowering::Parts ContractLowering::element_of(const Factor& factor, const std::vector<Value>& values) {
  if (!factor.source->element) return parts_of(values[0], factor.operands[0].dtype);
  std::vector<DType> types;
  for (const Operand& operand : factor.operands) types.push_back(operand.dtype);
  const sema::TypedFunction& function = *factor.source->element;
  return parts_of(call(function, values, types), l_.dtype_of(function.return_type));
}

std::vector<Value> ContractLowering::apply_epilogue(const Parts& sum, const std::vector<Value>& operands) {
  if (!kernel_.epilogue) return {convert(value_of(sum), kernel_.dtype, kernel_.outputs[0])};
  std::vector<Value> args{value_of(sum)};
  args.insert(args.end(), operands.begin(), operands.end());
  std::vector<DType> types{kernel_.dtype};
  for (const Operand& operand : epilogue_) types.push_back(operand.dtype);
  const Value result = call(*kernel_.epilogue, args, types);
  const bool is_tuple = l_.types_.as_tuple(kernel_.epilogue->return_type) != nullptr;
  std::vector<Value> out = is_tuple ? result.items : std::vector{result};
  const std::vector<DType> made = result_dtypes(l_.types_, *kernel_.epilogue);
  for (size_t i = 0; i < out.size(); ++i) out[i] = convert(out[i], made[i], kernel_.outputs[i]);
  return out;
}

/// With arguments of `types`, each converted to the parameter's.
Value ContractLowering::call(const sema::TypedFunction& function, const std::vector<Value>& args,
                             const std::vector<DType>& types) {
  std::vector<Value> converted;
  for (size_t i = 0; i < args.size(); ++i) {
    converted.push_back(l_.pin(convert(args[i], types[i], l_.dtype_of(function.vars[function.params[i]].type))));
  }
  return l_.inline_function(function, converted, 0, function.span);
}

ContractLowering::Parts ContractLowering::parts_of(const Value& value, DType dtype) {
  const Value converted = convert(value, dtype, kernel_.dtype);
  if (!converted.is_tuple) return {converted.scalar};
  return {converted.items[0].scalar, converted.items[1].scalar};
}

Value ContractLowering::value_of(const Parts& parts) const {
  if (parts.size() == 1) return of_scalar(parts[0]);
  Value out;
  out.is_tuple = true;
  out.items = {of_scalar(parts[0]), of_scalar(parts[1])};
  return out;
}

Value ContractLowering::convert(const Value& value, DType from, DType to) {
  if (from == to) return value;
  JITC_CHECK(is_complex(to) || !is_complex(from), "a complex number becomes no real one");
  const auto part = [&](ExprId id) { return b_.convert(part_type(to), id); };
  if (!is_complex(to)) return of_scalar(part(value.scalar));
  if (!is_complex(from)) return value_of({part(value.scalar), b_.constant(part_type(to), 0)});
  return value_of({part(value.items[0].scalar), part(value.items[1].scalar)});
}

// --- sums

ContractLowering::Sum ContractLowering::make_sum(const std::string& name) {
  Sum out;
  for (size_t i = 0; i < parts(); ++i) out.push_back(b_.add_local(name + (i == 0 ? "" : ".imag"), scalar(part())));
  return out;
}

ContractLowering::Parts ContractLowering::read(const Sum& sum) {
  Parts out;
  for (const LocalId local : sum) out.push_back(b_.local(local));
  return out;
}

/// The second part may be computed from what the first part was.
void ContractLowering::assign(const Sum& sum, const Parts& value) {
  if (sum.size() == 1) return void(b_.assign(sum[0], value[0]));
  const ExprId real = l_.pin(value[0]);
  b_.assign(sum[1], value[1]);
  b_.assign(sum[0], real);
}

ContractLowering::Parts ContractLowering::multiply_add(const Parts& sum, const Parts& a, const Parts& b) {
  if (is_complex_sum()) {
    const ExprId minus = b_.unary(UnaryOp::kNeg, a[1]);
    return {b_.fma(minus, b[1], b_.fma(a[0], b[0], sum[0])), b_.fma(a[1], b[0], b_.fma(a[0], b[1], sum[1]))};
  }
  if (is_float(kernel_.dtype)) return {b_.fma(a[0], b[0], sum[0])};
  const bool is_logic = is_bool(kernel_.dtype);
  const ExprId product = b_.binary(is_logic ? BinaryOp::kAnd : BinaryOp::kMul, a[0], b[0]);
  return {b_.binary(is_logic ? BinaryOp::kOr : BinaryOp::kAdd, sum[0], product)};
}

ContractLowering::Parts ContractLowering::add_sums(const Parts& total, const Parts& sum) {
  Parts out;
  for (size_t i = 0; i < total.size(); ++i) {
    out.push_back(b_.binary(is_bool(kernel_.dtype) ? BinaryOp::kOr : BinaryOp::kAdd, total[i], sum[i]));
  }
  return out;
}

uint32_t ContractLowering::add_memory(const std::string& name, uint64_t count_elems, MemorySpace space) {
  constexpr uint32_t kAlign = 64;  // of the widest vectors
  return b_.add_memory(
      {.name = name, .space = space, .dtype = part(), .count_elems = count_elems, .align_bytes = kAlign});
}

/// The element at the sum of `indices`.
MemRef ContractLowering::part_at(uint32_t memory, std::vector<ExprId> indices) {
  MemRef out{b_.memory_base(memory), {}};
  for (const ExprId index : indices) out.terms.push_back({index, number(static_cast<int64_t>(size_bytes(part())))});
  return out;
}

}  // namespace jitc::kernel
