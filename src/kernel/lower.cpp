#include "src/kernel/lower.hpp"

#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/kernel/kernel.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

namespace {

/// "f4", "f4a1", "f4c2", "f4f2": element, layout, rank.
std::string mangle_argument(const ArgumentInfo& a) {
  std::string out(name(a.dtype));
  if (!a.is_array) return out;
  out += a.layout == Layout::c ? 'c' : a.layout == Layout::fortran ? 'f' : 'a';
  return out + std::to_string(a.rank);
}

// PTX names each parameter after the entry, so long names make long texts.
constexpr size_t kMaxTypesLength = 120;

/// FNV-1a of 64 bits: the same on every machine.
uint64_t fnv1a(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string mangle(const std::string& name, const std::vector<ArgumentInfo>& arguments) {
  std::string out;
  for (const char c : name) {
    const unsigned char u = static_cast<unsigned char>(c);
    const bool plain = (u >= '0' && u <= '9') || (u >= 'A' && u <= 'Z') || (u >= 'a' && u <= 'z') || u == '_';
    out += plain ? std::string(1, c) : fmt::format("_x{:02x}", u);
  }
  std::string types;
  for (size_t i = 0; i < arguments.size(); ++i) types += (i ? "_" : "") + mangle_argument(arguments[i]);
  if (types.size() > kMaxTypesLength) types = fmt::format("{}args_{:016x}", arguments.size(), fnv1a(types));
  return out + "__" + (arguments.empty() ? "v" : types);
}

KernelProgram lower(const source::SourceFile& file, const types::TypeTable& types, const sema::TypedFunction& kernel,
                    const LowerOptions& options) {
  return Lowerer(file, types, options).run(kernel);
}

KernelProgram lower_call(const source::SourceFile& file, const types::TypeTable& types,
                         const sema::TypedFunction& function, const CallForm& form, const LowerOptions& options) {
  return Lowerer(file, types, options).run_call(function, form);
}

KernelProgram Lowerer::run_call(const sema::TypedFunction& function, const CallForm& form) {
  Frame frame;
  frame.fn = &function;
  frame_ = &frame;
  b_.at(function.span);
  base::match(
      form,  //
      [&](std::monostate) { JITC_CHECK(false, "a call of " + function.name + " without a form"); },
      [&](const ElementwiseForm& f) { lower_elementwise(function, f); },
      [&](const GufuncForm& f) { lower_gufunc(function, f); }, [&](const ReduceForm& f) { lower_reduce(function, f); },
      [&](const AccumulateForm& f) { lower_accumulate(function, f); }, [&](const AtForm& f) { lower_at(function, f); },
      [&](const RowsForm&) { JITC_CHECK(false, "a kernel over rows is not made of one function: see lower_rows()"); },
      [&](const ContractForm&) { JITC_CHECK(false, "a contraction is no call of " + function.name); });
  return finish(function);
}

KernelProgram Lowerer::run(const sema::TypedFunction& kernel) {
  Frame frame;
  frame.fn = &kernel;
  frame_ = &frame;
  declare_arguments(kernel);
  lower_block(kernel.body);
  return finish(kernel);
}

/// What was built, with the names and options of the function that it is made of.
KernelProgram Lowerer::finish(const sema::TypedFunction& fn) {
  KernelProgram program = drop_unused_params(b_.take());
  program.name = fn.name;
  program.symbol = mangle(fn.name, program.arguments);
  program.signature = fn.signature;
  if (fn.options.max_threads_per_block != 0) program.max_threads_per_block = fn.options.max_threads_per_block;
  program.min_blocks_per_sm = fn.options.min_blocks_per_sm;
  program.max_registers = fn.options.max_registers;
  program.line_count = file_.line_count();
  if (options_.line_info || fn.options.line_info) program.lines = {file_.name(), file_.lines()};
  return program;
}

void Lowerer::declare_arguments(const sema::TypedFunction& kernel) {
  for (sema::VarId var : kernel.params) {
    const sema::Variable& v = kernel.vars[var];
    const types::ArrayType* array = types_.as_array(v.type);
    Value value;
    if (array == nullptr) {
      value = scalar_param(v.name, dtype_of(v.type));
    } else {
      const uint32_t argument = b_.array_argument(v.name, array->dtype, array->rank, array->layout);
      b_.program().arguments[argument].extent_names = array->extent_names;
      value = argument_value(argument, *array);
    }
    Slot s;
    s.name = v.name;
    if (assignments(kernel, var) != 0) {
      s = make_slot(v.name, v.type);
      write(s, value);
    } else {
      s.fixed = value;
    }
    frame_->slots.emplace(var.index, std::move(s));
  }
}

Value Lowerer::argument_value(uint32_t argument, const types::ArrayType& type) {
  ArrayValue array;
  array.name = b_.program().arguments[argument].name;
  array.dtype = type.dtype;
  array.argument = argument;
  array.data = b_.param(b_.data_param(argument));
  const uint32_t rank = static_cast<uint32_t>(type.rank);
  for (uint32_t axis = 0; axis < rank; ++axis) array.extents.push_back(b_.param(b_.extent_param(argument, axis)));
  const bool strided = type.layout == Layout::any && !options_.contiguous;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    array.strides.push_back(strided ? b_.param(b_.stride_param(argument, axis))
                                    : c_stride(array.extents, axis, type.dtype, type.layout == Layout::fortran));
  }
  Value out;
  out.array = std::move(array);
  return out;
}

/// The byte stride of one axis of a contiguous array: the element size times the extents inside it.
ExprId Lowerer::c_stride(const std::vector<ExprId>& extents, size_t axis, DType dtype, bool fortran) {
  ExprId out = number(static_cast<int64_t>(size_bytes(dtype)));
  for (size_t i = 0; i < extents.size(); ++i) {
    const bool inside = fortran ? i < axis : i > axis;
    if (inside) out = b_.binary(BinaryOp::kMul, extents[i], out);
  }
  return out;
}

const IndexBounds& Lowerer::bounds(const sema::TypedFunction& fn) {
  auto& found = bounds_[&fn];
  if (!found) found = std::make_unique<IndexBounds>(fn, types_);
  return *found;
}

DType Lowerer::dtype_of(types::TypeId type) const {
  const types::Scalar* s = types_.as_scalar(type);
  JITC_CHECK(s != nullptr, "a scalar type is needed, not " + types_.to_string(type));
  return s->dtype;
}

uint32_t Lowerer::assignments(const sema::TypedFunction& fn, sema::VarId var) {
  auto [it, is_new] = assignments_.try_emplace(&fn);
  if (is_new) {
    it->second.assign(fn.vars.size(), 0);
    for (const sema::Stmt& s : fn.stmts) {
      if (const auto* a = std::get_if<sema::AssignStmt>(&s.kind)) ++it->second[a->var.index];
      if (const auto* f = std::get_if<sema::ForStmt>(&s.kind)) ++it->second[f->var.index];
    }
  }
  return it->second[var.index];
}

void Lowerer::check_size() {
  if (b_.program().exprs.size() + b_.program().stmts.size() > options_.max_nodes) {
    throw ProgramTooLarge("kernel program above its node limit");
  }
}

}  // namespace jitc::kernel
