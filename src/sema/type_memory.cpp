// Arrays that the kernel itself declares: shared, local and constant memory.
#include <fmt/format.h>

#include <algorithm>

#include "src/sema/element_type.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/memory_limits.hpp"
#include "src/sema/nearest.hpp"
#include "src/types/type_names.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

namespace {

constexpr size_t kMaxRank = 3;
constexpr Int128 kMaxAlignment = 1024;

const char kShapeHelp[] =
    "use ints and constants of the file, such as TPB = 16; dynamic shared memory has the shape 0 and takes its size "
    "from "
    "the launch";

}  // namespace

std::string FunctionTyper::callee_text(const syntax::CallExpr& e) const {
  return std::string(ctx_.file.text(ctx_.ast.exprs[e.callee].span).substr(0, 60));
}

/// Positional and keyword arguments by parameter; invalid where left out. Nothing after a report.
std::optional<std::vector<FunctionTyper::SynExprId>> FunctionTyper::bind_parameters(
    const std::vector<std::string_view>& names, size_t needed, const syntax::CallExpr& e, Span span) {
  const std::string callee = callee_text(e);
  if (e.args.size() > names.size()) {
    report(DiagId::kArgumentCount, span, callee, fmt::format("{} to {} arguments", needed, names.size()),
           e.args.size());
    return std::nullopt;
  }
  std::vector<SynExprId> out = e.args;
  out.resize(names.size());
  for (const syntax::KeywordArg& k : e.keywords) {
    const auto it = std::find(names.begin(), names.end(), k.name);
    if (it == names.end()) {
      auto handle = report(DiagId::kUnknownKeyword, k.name_span, callee, k.name);
      handle.help(fmt::format("it has {}", fmt::join(names, ", ")));
      return std::nullopt;
    }
    SynExprId& slot = out[static_cast<size_t>(it - names.begin())];
    if (slot.valid()) {
      report(DiagId::kRepeatedArgument, k.name_span, k.name);
      return std::nullopt;
    }
    slot = k.value;
  }
  for (size_t i = 0; i < needed; ++i) {
    if (out[i].valid()) continue;
    report(DiagId::kMissingArgument, span, names[i], callee);
    return std::nullopt;
  }
  return out;
}

/// The extents, as constants; nothing after a report.
std::optional<std::vector<Int128>> FunctionTyper::constant_shape(SynExprId id, const std::string& callee) {
  const ExprId shape = type_expr(id);
  if (unknown(shape)) return std::nullopt;
  std::vector<ExprId> parts{shape};
  if (const auto* t = std::get_if<TupleExpr>(&fn_->exprs[shape].kind)) parts = t->elements;
  std::vector<Int128> out;
  for (ExprId part : parts) {
    const auto c = constant_of(part);
    if (!c) {
      report(DiagId::kShapeNotConstant, span_of(part), callee).help(kShapeHelp);
      return std::nullopt;
    }
    if (c->is_float()) {
      report(DiagId::kBadExtent, span_of(part), to_string(*c)).help("an extent is an int");
      return std::nullopt;
    }
    out.push_back(c->as_int());
  }
  if (out.empty() || out.size() > kMaxRank) {
    report(DiagId::kRankTooHigh, span_of(shape), out.size(), kMaxRank);
    return std::nullopt;
  }
  return out;
}

std::optional<DType> FunctionTyper::element_type(SynExprId id, const std::string& callee) {
  const Span span = ctx_.ast.exprs[id].span;
  const auto named = entity(id);
  if (const auto dtype = dtype_named_by(ctx_.ast, id, named)) return dtype;
  if (named && std::holds_alternative<BadEntity>(*named)) {
    failed_ = true;
    return std::nullopt;
  }
  std::string written(ctx_.file.text(span).substr(0, 60));
  const auto* text = std::get_if<syntax::StringLit>(&ctx_.ast.exprs[id].kind);
  const auto* name = std::get_if<syntax::NameExpr>(&ctx_.ast.exprs[id].kind);
  const std::string word = text ? text->value : name ? name->name : "";
  auto handle = report(DiagId::kNotAType, span, callee, text ? written : fmt::format("'{}'", written));
  if (const auto near = nearest_name(word, types::scalar_type_names()); near && !named) {
    handle.help(fmt::format("did you mean '{}'?", *near)).fixit(span, text ? fmt::format("\"{}\"", *near) : *near);
  } else {
    handle.help("write float32, np.float32 or \"float32\"");
  }
  return std::nullopt;
}

/// A power of two, or a report.
std::optional<uint32_t> FunctionTyper::alignment(SynExprId id) {
  if (!id.valid()) return 0;
  const ExprId value = type_expr(id);
  if (unknown(value)) return std::nullopt;
  const auto c = constant_of(value);
  const bool is_power =
      c && !c->is_float() && c->as_int() >= 1 && c->as_int() <= kMaxAlignment && (c->as_int() & (c->as_int() - 1)) == 0;
  if (is_power) return static_cast<uint32_t>(c->as_int());
  report(DiagId::kBadAlignment, span_of(value),
         c ? to_string(*c) : fmt::format("{} known at run time", type_text(value)))
      .help("an alignment is a constant: a power of two up to 1024, in bytes");
  return std::nullopt;
}

/// cuda.shared.array(shape, dtype, alignment), cuda.local.array likewise.
ExprId FunctionTyper::call_memory_array(const BuiltinEntity& b, const syntax::CallExpr& e, Span span) {
  const auto space = b.builtin->as<MemorySpace>();
  const std::string callee = callee_text(e);
  const auto args = bind_parameters({"shape", "dtype", "alignment"}, 2, e, span);
  if (!args) return poison(span);
  const auto shape = constant_shape((*args)[0], callee);
  const auto dtype = element_type((*args)[1], callee);
  const auto align = alignment((*args)[2]);
  if (!shape || !dtype || !align) return poison(span);
  MemoryExpr out;
  const bool dynamic = space == MemorySpace::kShared && shape->size() == 1 && (*shape)[0] == 0;
  Int128 bytes = static_cast<Int128>(size_bytes(*dtype));
  for (Int128 n : *shape) {
    if (n < 1 && !dynamic) {
      report(DiagId::kBadExtent, ctx_.ast.exprs[(*args)[0]].span, to_string(Constant::of_int(n)))
          .help(space == MemorySpace::kShared ? "an extent is 1 or more; shape 0, of one axis, is dynamic shared memory"
                                              : "an extent is 1 or more");
      return poison(span);
    }
    bytes = std::min(bytes * n, Int128{1} << 62);
    if (n < Int128{1} << 62) out.shape.push_back(static_cast<uint64_t>(n));
  }
  const MemoryLimit limit = memory_limit(space);
  if (bytes > static_cast<Int128>(limit.bytes)) {
    report(DiagId::kArrayTooLarge, span, to_string(Constant::of_int(bytes)), limit.space, limit.owner, limit.bytes)
        .help(limit.help);
    return poison(span);
  }
  out.space = space;
  out.dtype = *dtype;
  out.align_bytes = *align;
  out.site = e.callee.index;
  return memory_array(std::move(out), span);
}

/// Arrays of 16 bytes and more begin at a multiple of 16, for vector accesses.
ExprId FunctionTyper::memory_array(MemoryExpr memory, Span span) {
  constexpr uint64_t kVectorBytes = 16;
  uint64_t bytes = size_bytes(memory.dtype);
  uint64_t align = bytes;
  for (uint64_t n : memory.shape) bytes *= n;
  if (bytes >= kVectorBytes) align = kVectorBytes;
  memory.align_bytes = std::max(memory.align_bytes, static_cast<uint32_t>(align));
  types::ArrayType type{memory.dtype, static_cast<int>(memory.shape.size()),
                        Layout::c,    memory.space == MemorySpace::kConst,
                        {},           memory.space};
  // In array functions constants are arrays as all others, which lie where the call runs.
  if (request_.is_array && type.space == MemorySpace::kConst) type.space = MemorySpace::kGlobal;
  return add(span, ctx_.types.array(std::move(type)), std::move(memory));
}

/// A constant array of the file.
ExprId FunctionTyper::constant_array(const StaticValue& value, const std::string& name, Span span) {
  MemoryExpr out;
  out.space = MemorySpace::kConst;
  out.dtype = value.array->dtype;
  out.shape = value.array->shape;
  out.name = name;
  out.values = value.array;
  return memory_array(std::move(out), span);
}

/// cuda.const.array_like(X): X itself, which is constant memory already.
ExprId FunctionTyper::call_const_array(const syntax::CallExpr& e, Span span) {
  const auto args = bind_parameters({"ary"}, 1, e, span);
  if (!args) return poison(span);
  const ExprId array = type_expr((*args)[0]);
  if (unknown(array)) return poison(span);
  const auto* memory = std::get_if<MemoryExpr>(&fn_->exprs[array].kind);
  if (memory != nullptr && memory->space == MemorySpace::kConst) return array;
  if (array_of(array) && array_of(array)->space == MemorySpace::kConst) return array;
  report(DiagId::kNotConstantArray, span_of(array), callee_text(e), type_text(array))
      .help("define it at the top of the file: TABLE = np.array([1, 2, 3], dtype=np.float32)");
  return poison(span);
}

/// True when the elements of the array may be stored to; reports otherwise.
bool FunctionTyper::require_writable(ExprId array, Span span) {
  if (!array_of(array)->readonly) return true;
  report(DiagId::kReadOnly, span, type_text(array))
      .help("copy what changes into cuda.shared.array, cuda.local.array or an argument");
  return false;
}

}  // namespace jitc::sema
