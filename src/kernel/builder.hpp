// Builds a KernelProgram node by node: children first, statements appended to the innermost open block.
#pragma once

#include <concepts>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "jitc/float_bits.hpp"
#include "src/kernel/ir.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::kernel {

class Builder {
 public:
  /// `symbol` is also the program's name until the caller sets another.
  explicit Builder(std::string symbol) {
    program_.name = symbol;
    program_.symbol = std::move(symbol);
  }

  const KernelProgram& program() const { return program_; }
  KernelProgram& program() { return program_; }
  /// Finishes: the open block becomes the body.
  KernelProgram take() {
    JITC_CHECK(open_.size() == 1, "a block of the builder is still open");
    program_.body = std::move(open_.front());
    return std::move(program_);
  }

  /// Span of the nodes added from here on.
  void at(Span span) { span_ = span; }
  Span span() const { return span_; }

  // --- declarations

  /// An argument that is one scalar, and its parameter; of a complex one the first of two, for its real part.
  uint32_t scalar_param(const std::string& name, DType dtype) {
    program_.arguments.push_back({.name = name, .dtype = dtype});
    const Type type = scalar(part_type(dtype));
    const uint32_t first = add_param({name, type, ParamSlot::Part::scalar, last_argument(), 0});
    if (is_complex(dtype)) add_param({name + ".imag", type, ParamSlot::Part::scalar, last_argument(), 1});
    return first;
  }
  /// An array argument without parameters; add those that are needed with data_param, extent_param, stride_param.
  uint32_t array_argument(const std::string& name, DType dtype, int rank, Layout layout = Layout::any) {
    program_.arguments.push_back({.name = name, .dtype = dtype, .is_array = true, .rank = rank, .layout = layout});
    return last_argument();
  }
  uint32_t data_param(uint32_t argument) {
    const ArgumentInfo& info = program_.arguments[argument];
    const Type type = pointer(part_type(info.dtype), MemorySpace::kGlobal);
    return add_param({info.name, type, ParamSlot::Part::data, argument, 0});
  }
  uint32_t extent_param(uint32_t argument, uint32_t axis) {
    return axis_param(argument, axis, ParamSlot::Part::extent, ".shape[");
  }
  uint32_t stride_param(uint32_t argument, uint32_t axis) {
    return axis_param(argument, axis, ParamSlot::Part::stride, ".strides[");
  }
  uint32_t add_param(Param param) {
    program_.params.push_back(std::move(param));
    return static_cast<uint32_t>(program_.params.size() - 1);
  }
  LocalId add_local(std::string name, Type type) { return program_.locals.add({std::move(name), type}); }
  LabelId add_label(std::string name) {
    program_.labels.push_back(std::move(name));
    return LabelId(static_cast<uint32_t>(program_.labels.size() - 1));
  }
  uint32_t add_memory(MemoryObject object) {
    program_.memory.push_back(std::move(object));
    return static_cast<uint32_t>(program_.memory.size() - 1);
  }
  uint32_t add_fail_site(FailSite site) {
    program_.fail_sites.push_back(std::move(site));
    return static_cast<uint32_t>(program_.fail_sites.size() - 1);
  }

  // --- expressions

  template <class Kind>
  ExprId add_expr(Type type, Kind kind) {
    return program_.exprs.add(Expr{span_, type, std::move(kind)});
  }
  const Type& type_of(ExprId id) const { return program_.exprs[id].type; }

  /// The constant of `dtype` nearest to `value`; integers wrap.
  template <class T>
  requires std::is_arithmetic_v<T> ExprId constant(DType dtype, T value) {
    return constant_bits(dtype, bits_of(dtype, value));
  }
  ExprId constant_bits(DType dtype, uint64_t bits) { return add_expr(scalar(dtype), Const{bits}); }
  ExprId param(uint32_t index) { return add_expr(program_.params[index].type, ParamRef{index}); }
  ExprId local(LocalId id) { return add_expr(program_.locals[id].type, LocalRef{id}); }
  ExprId memory_base(uint32_t object) {
    const MemoryObject& o = program_.memory[object];
    return add_expr(pointer(o.dtype, o.space), MemoryBase{object});
  }
  ExprId thread(ThreadValue value, uint8_t axis = 0) { return add_expr(scalar(DType::i8), ThreadIndex{value, axis}); }
  ExprId unary(UnaryOp op, ExprId operand) {
    return add_expr(info(op).gives_bool ? scalar(DType::b1) : type_of(operand), Unary{op, operand});
  }
  ExprId binary(BinaryOp op, ExprId lhs, ExprId rhs) { return add_expr(type_of(lhs), Binary{op, lhs, rhs}); }
  ExprId compare(CompareOp op, ExprId lhs, ExprId rhs) { return add_expr(scalar(DType::b1), Compare{op, lhs, rhs}); }
  ExprId convert(DType dtype, ExprId operand) { return add_expr(scalar(dtype), Convert{operand}); }
  ExprId select(ExprId cond, ExprId then_value, ExprId else_value) {
    return add_expr(type_of(then_value), Select{cond, then_value, else_value});
  }
  ExprId fma(ExprId lhs, ExprId rhs, ExprId addend) { return add_expr(type_of(lhs), Fma{lhs, rhs, addend}); }
  ExprId math(MathFn fn, std::vector<ExprId> args) {
    const DType result = result_type(fn, type_of(args.front()).dtype);
    return add_expr(scalar(result), MathCall{fn, std::move(args)});
  }
  ExprId load(MemRef ref) {
    const DType elem = type_of(ref.base).dtype;
    return add_expr(scalar(elem), Load{std::move(ref)});
  }
  ExprId address(MemRef ref) {
    const Type type = type_of(ref.base);
    return add_expr(type, Address{std::move(ref)});
  }
  /// base[index] of contiguous elements of `dtype`.
  MemRef element(ExprId base, ExprId index, DType dtype) {
    return MemRef{base, {{index, constant(DType::i8, static_cast<int64_t>(size_bytes(dtype)))}}};
  }
  MemRef element(ExprId base, ExprId index) { return element(base, index, type_of(base).dtype); }

  // --- statements

  template <class Kind>
  StmtId add_stmt(Kind kind) {
    const StmtId id = program_.stmts.add(Stmt{span_, std::move(kind)});
    open_.back().push_back(id);
    return id;
  }
  /// The statements that `fill()` appends, as a block of their own.
  template <std::invocable Fill>
  Block block(Fill&& fill) {
    open_.emplace_back();
    std::forward<Fill>(fill)();
    Block made = std::move(open_.back());
    open_.pop_back();
    return made;
  }

  StmtId assign(LocalId local, ExprId value) { return add_stmt(Assign{local, value}); }
  StmtId store(MemRef ref, ExprId value) { return add_stmt(Store{std::move(ref), value}); }
  template <std::invocable Then>
  StmtId if_then(ExprId cond, Then&& then) {
    return if_then_else(cond, std::forward<Then>(then), [] {});
  }
  template <std::invocable Then, std::invocable Else>
  StmtId if_then_else(ExprId cond, Then&& then, Else&& otherwise) {
    Block then_block = block(std::forward<Then>(then));
    return add_stmt(If{cond, std::move(then_block), block(std::forward<Else>(otherwise))});
  }
  /// `cond()` makes the condition and may append statements: they become the head.
  template <std::invocable Cond, std::invocable Body, std::invocable Step>
  StmtId loop(LabelId label, Cond&& cond, Body&& body, Step&& step, uint16_t lanes = 0) {
    ExprId test;
    Block head = block([&] { test = cond(); });
    Block body_block = block(std::forward<Body>(body));
    return add_stmt(
        Loop{label, std::move(head), test, std::move(body_block), block(std::forward<Step>(step)), lanes != 0, lanes});
  }
  /// for `index` in range(count), with independent iterations: see Loop::lanes.
  template <std::invocable Body>
  StmtId lane_loop(LabelId label, LocalId index, ExprId count, Body&& body) {
    assign(index, constant(DType::i8, 0));
    const StmtId made = loop(
        label, [&] { return compare(CompareOp::kLt, local(index), count); }, std::forward<Body>(body),
        [&] { assign(index, binary(BinaryOp::kAdd, local(index), constant(DType::i8, 1))); });
    std::get<Loop>(program_.stmts[made].kind).lanes = true;
    return made;
  }
  template <std::invocable Body>
  StmtId scope(LabelId label, Body&& body) {
    return add_stmt(Scope{label, block(std::forward<Body>(body))});
  }
  StmtId exit(LabelId label) { return add_stmt(Exit{label}); }
  StmtId continue_loop(LabelId label) { return add_stmt(Continue{label}); }
  StmtId return_thread() { return add_stmt(Return{}); }
  StmtId fail(uint32_t site, std::vector<ExprId> values = {}) { return add_stmt(Fail{site, std::move(values)}); }

  /// `result` may be invalid.
  StmtId atomic(AtomicOp op, MemRef ref, ExprId value, LocalId result, ExprId expected = {}) {
    return add_stmt(Atomic{op, std::move(ref), value, expected, result});
  }
  StmtId barrier(BarrierOp op = BarrierOp::kBlock, ExprId predicate = {}, LocalId result = {},
                 std::optional<uint32_t> fail_site = {}) {
    return add_stmt(Barrier{op, predicate, result, fail_site});
  }
  StmtId fence(FenceScope scope) { return add_stmt(Fence{scope}); }
  StmtId warp(WarpOp op, ExprId mask, ExprId value = {}, ExprId lane = {}, LocalId result = {}) {
    return add_stmt(Warp{op, mask, value, lane, result});
  }
  StmtId print(std::vector<PrintPart> parts) { return add_stmt(Print{std::move(parts)}); }

 private:
  template <class T>
  static uint64_t bits_of(DType dtype, T value) {
    if (is_float(dtype)) return float_to_bits(dtype, static_cast<double>(value));
    if (dtype == DType::b1) return value != T{} ? 1 : 0;
    return static_cast<uint64_t>(value) & (~uint64_t{0} >> (64 - size_bits(dtype)));
  }
  uint32_t last_argument() const { return static_cast<uint32_t>(program_.arguments.size() - 1); }
  uint32_t axis_param(uint32_t argument, uint32_t axis, ParamSlot::Part part, const char* what) {
    std::string name = program_.arguments[argument].name + what + std::to_string(axis) + "]";
    return add_param({std::move(name), scalar(DType::i8), part, argument, axis});
  }

  KernelProgram program_;
  std::vector<Block> open_ = std::vector<Block>(1);
  Span span_;
};

}  // namespace jitc::kernel
