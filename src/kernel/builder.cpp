#include "src/kernel/builder.hpp"

#include "src/kernel/ops.hpp"

namespace jitc::kernel {

Builder::Builder(std::string name) {
  program_.symbol = name;
  program_.name = std::move(name);
}

uint32_t Builder::scalar_argument(std::string name, DType dtype) {
  const auto argument = static_cast<uint32_t>(program_.arguments.size());
  program_.arguments.push_back({.name = name, .dtype = dtype});
  program_.params.push_back({std::move(name), scalar(dtype), ParamSlot::Part::scalar, argument, 0});
  return static_cast<uint32_t>(program_.params.size() - 1);
}

uint32_t Builder::array_argument(std::string name, DType dtype, int rank, Layout layout) {
  const auto argument = static_cast<uint32_t>(program_.arguments.size());
  const auto first = static_cast<uint32_t>(program_.params.size());
  program_.arguments.push_back({.name = name, .dtype = dtype, .is_array = true, .rank = rank, .layout = layout});
  program_.params.push_back({name, pointer(dtype, MemorySpace::kGlobal), ParamSlot::Part::data, argument, 0});
  const auto add_part = [&](ParamSlot::Part part, const char* suffix) {
    for (int axis = 0; axis < rank; ++axis) {
      const std::string part_name = name + suffix + "[" + std::to_string(axis) + "]";
      program_.params.push_back({part_name, scalar(DType::i8), part, argument, static_cast<uint32_t>(axis)});
    }
  };
  add_part(ParamSlot::Part::extent, ".shape");
  add_part(ParamSlot::Part::stride, ".strides");
  return first;
}

LocalId Builder::local(std::string name, Type type) { return program_.locals.add({std::move(name), type}); }

LabelId Builder::label(std::string name) {
  program_.labels.push_back(std::move(name));
  return LabelId(static_cast<uint32_t>(program_.labels.size() - 1));
}

uint32_t Builder::fail_site(FailSite site) {
  program_.fail_sites.push_back(std::move(site));
  return static_cast<uint32_t>(program_.fail_sites.size() - 1);
}

ExprId Builder::add(Type type, decltype(Expr::kind) kind) { return program_.exprs.add({span_, type, std::move(kind)}); }

ExprId Builder::constant(DType dtype, uint64_t bits) { return add(scalar(dtype), Const{bits}); }
ExprId Builder::param(uint32_t index) { return add(program_.params.at(index).type, ParamRef{index}); }
ExprId Builder::get(LocalId local) { return add(program_.locals[local].type, LocalRef{local}); }
ExprId Builder::thread(ThreadValue value, uint8_t axis) { return add(scalar(DType::i8), ThreadIndex{value, axis}); }

ExprId Builder::unary(UnaryOp op, ExprId operand) {
  return add(info(op).gives_bool ? scalar(DType::b1) : type_of(operand), Unary{op, operand});
}

ExprId Builder::binary(BinaryOp op, ExprId lhs, ExprId rhs) { return add(type_of(lhs), Binary{op, lhs, rhs}); }

ExprId Builder::compare(CompareOp op, ExprId lhs, ExprId rhs) { return add(scalar(DType::b1), Compare{op, lhs, rhs}); }

ExprId Builder::convert(DType to, ExprId operand) { return add(scalar(to), Convert{operand}); }

ExprId Builder::select(ExprId cond, ExprId then_value, ExprId else_value) {
  return add(type_of(then_value), Select{cond, then_value, else_value});
}

ExprId Builder::fma(ExprId lhs, ExprId rhs, ExprId addend) { return add(type_of(lhs), Fma{lhs, rhs, addend}); }

ExprId Builder::math(MathFn fn, std::vector<ExprId> args) {
  const DType result = result_type(fn, type_of(args.at(0)).dtype);
  return add(scalar(result), MathCall{fn, std::move(args)});
}

ExprId Builder::load(MemRef ref) {
  const Type type = scalar(type_of(ref.base).dtype);
  return add(type, Load{std::move(ref)});
}

ExprId Builder::address(MemRef ref) {
  const Type type = type_of(ref.base);
  return add(type, Address{std::move(ref)});
}

MemRef Builder::element(ExprId base, ExprId index) {
  const auto stride = static_cast<int64_t>(jitc::size_bytes(type_of(base).dtype));
  return {base, {{index, value(stride)}}};
}

void Builder::add(decltype(Stmt::kind) kind) {
  const StmtId id = program_.stmts.add({span_, std::move(kind)});
  (open_ != nullptr ? *open_ : program_.body).push_back(id);
}

Block Builder::filled(const Fill& fill) {
  Block block;
  Block* const outer = std::exchange(open_, &block);
  if (fill) fill();
  open_ = outer;
  return block;
}

void Builder::assign(LocalId local, ExprId value) { add(Assign{local, value}); }
void Builder::store(MemRef ref, ExprId value) { add(Store{std::move(ref), value}); }

void Builder::if_else(ExprId cond, const Fill& then_block, const Fill& else_block) {
  Block then_stmts = filled(then_block);
  Block else_stmts = filled(else_block);
  add(If{cond, std::move(then_stmts), std::move(else_stmts)});
}

void Builder::loop(LabelId label, const Fill& head, const std::function<ExprId()>& cond, const Fill& body,
                   const Fill& step) {
  Block head_stmts = filled(head);
  const ExprId test = cond();
  Block body_stmts = filled(body);
  Block step_stmts = filled(step);
  add(Loop{label, std::move(head_stmts), test, std::move(body_stmts), std::move(step_stmts)});
}

void Builder::scope(LabelId label, const Fill& body) {
  Block stmts = filled(body);
  add(Scope{label, std::move(stmts)});
}

void Builder::exit(LabelId label) { add(Exit{label}); }
void Builder::go_on(LabelId label) { add(Continue{label}); }
void Builder::ret() { add(Return{}); }
void Builder::fail(uint32_t site, std::vector<ExprId> values) { add(Fail{site, std::move(values)}); }

}  // namespace jitc::kernel
