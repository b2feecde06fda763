#include "src/sema/decorators.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "src/base/match.hpp"
#include "src/sema/literal_text.hpp"
#include "src/sema/nearest.hpp"
#include "src/sema/static_eval.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using source::Span;

/// Everything one decorator is read with.
struct Reader {
  const source::SourceFile& file;
  syntax::Ast& ast;
  const FileScope& scope;
  types::TypeTable& types;
  source::DiagnosticSink& sink;
  FunctionSpec& spec;

  bool read_signature(syntax::ExprId expr) {
    return SignatureReader(file, ast, scope, types, sink).read(expr, spec.signatures);
  }
};

std::string gufunc_form() { return "@guvectorize([\"void(f4[:,:], f4[:])\"], \"(m,n)->(m)\")"; }

const syntax::StringLit* string_literal(const Reader& r, syntax::ExprId expr) {
  return std::get_if<syntax::StringLit>(&r.ast.exprs[expr].kind);
}

/// False after a report.
bool read_layout(Reader& r, syntax::ExprId expr) {
  const Span span = r.ast.exprs[expr].span;
  if (r.spec.layout) {
    r.sink.report(DiagId::kBadCoreLayout, span, "there is one already").label(r.spec.layout->span, "the first");
    return false;
  }
  const syntax::StringLit* literal = string_literal(r, expr);
  if (literal == nullptr) {
    r.sink.report(DiagId::kBadCoreLayout, span, "this is no string").help("signatures come first: " + gufunc_form());
    return false;
  }
  r.spec.layout = parse_core_layout(literal->value, span, inside_quotes(r.file, span, literal->value), r.sink);
  return r.spec.layout.has_value();
}

using OptionReader = void (*)(Reader&, const syntax::KeywordArg&);

std::optional<StaticValue> static_value(Reader& r, const syntax::KeywordArg& k) {
  return evaluate_static(r.ast, r.scope, k.value, r.sink);
}

void bad_value(Reader& r, const syntax::KeywordArg& k, const char* wanted) {
  r.sink.report(DiagId::kBadOptionValue, r.ast.exprs[k.value].span, k.name, wanted);
}

std::optional<bool> flag_value(Reader& r, const syntax::KeywordArg& k) {
  const auto v = static_value(r, k);
  if (!v) return std::nullopt;
  if (!v->is_scalar() || v->constant.is_float()) {
    bad_value(r, k, "True or False");
    return std::nullopt;
  }
  return v->constant.truthy();
}

void read_bool(Reader& r, const syntax::KeywordArg& k, bool& into) {
  if (const auto v = flag_value(r, k)) into = *v;
}

std::optional<uint32_t> count_value(Reader& r, const syntax::KeywordArg& k, const StaticValue& v, Int128 highest) {
  if (!v.is_scalar() || v.constant.is_float() || v.constant.as_int() < 1 || v.constant.as_int() > highest) {
    bad_value(r, k, fmt::format("an int from 1 to {}", highest).c_str());
    return std::nullopt;
  }
  return static_cast<uint32_t>(v.constant.as_int());
}

void option_device(Reader& r, const syntax::KeywordArg& k) {
  bool device = false;
  read_bool(r, k, device);
  if (device) r.spec.kind = FunctionKind::kDevice;
}
void option_fma(Reader& r, const syntax::KeywordArg& k) {
  r.spec.fma_given = true;
  read_bool(r, k, r.spec.options.fma);
}
void option_check(Reader& r, const syntax::KeywordArg& k) { read_bool(r, k, r.spec.options.check); }
void option_debug(Reader& r, const syntax::KeywordArg& k) {
  bool debug = false;
  read_bool(r, k, debug);
  if (debug) r.spec.options.check = r.spec.options.debug = true;
}
void set_fast(FunctionOptions& options, bool fast) { options.fast_functions = options.fast_division = fast; }

/// A flag of LLVM's, as Numba takes them, and what it changes here; docs/fastmath.md says why most change nothing.
struct FastFlag {
  std::string_view name;
  void (*apply)(FunctionSpec& spec);
};
void change_nothing(FunctionSpec&) {}
constexpr FastFlag kFastFlags[] = {
    {"afn", [](FunctionSpec& spec) { spec.options.fast_functions = true; }},
    {"arcp", [](FunctionSpec& spec) { spec.options.fast_division = true; }},
    {"contract", [](FunctionSpec& spec) { spec.options.fma = spec.options.fma || !spec.fma_given; }},
    {"fast", [](FunctionSpec& spec) { set_fast(spec.options, true); }},
    {"ninf", change_nothing},
    {"nnan", change_nothing},
    {"nsz", change_nothing},
    {"reassoc", change_nothing},
};

void unknown_fast_flag(Reader& r, Span span, const std::string& name) {
  std::vector<std::string_view> names;
  for (const FastFlag& flag : kFastFlags) names.push_back(flag.name);
  auto report = r.sink.report(DiagId::kUnknownFastFlag, span, name);
  if (const auto near = nearest_name(name, names)) return void(report.help(fmt::format("did you mean '{}'?", *near)));
  report.help(fmt::format("the flags are {}", fmt::join(names, ", ")));
}

void read_fast_flags(Reader& r, const syntax::SetExpr& set) {
  for (const syntax::ExprId element : set.elements) {
    const std::string& name = string_literal(r, element)->value;
    const auto* flag = std::ranges::find(kFastFlags, name, &FastFlag::name);
    if (flag == std::end(kFastFlags)) {
      unknown_fast_flag(r, r.ast.exprs[element].span, name);
    } else {
      flag->apply(r.spec);
    }
  }
}

/// set(), which Python has for the empty one.
bool is_empty_set(const Reader& r, syntax::ExprId expr) {
  const auto* call = std::get_if<syntax::CallExpr>(&r.ast.exprs[expr].kind);
  if (call == nullptr || !call->args.empty() || !call->keywords.empty()) return false;
  const auto* callee = std::get_if<syntax::NameExpr>(&r.ast.exprs[call->callee].kind);
  return callee != nullptr && callee->name == "set";
}

void option_fastmath(Reader& r, const syntax::KeywordArg& k) {
  if (const auto* set = std::get_if<syntax::SetExpr>(&r.ast.exprs[k.value].kind)) return read_fast_flags(r, *set);
  if (is_empty_set(r, k.value)) return;
  if (string_literal(r, k.value) != nullptr) return bad_value(r, k, "True, False or a set of flags");
  if (const auto fast = flag_value(r, k)) set_fast(r.spec.options, *fast);
}

void option_argtypes(Reader& r, const syntax::KeywordArg& k) {
  SignatureReader(r.file, r.ast, r.scope, r.types, r.sink).read_argtypes(k.value, r.spec.signatures);
}
void option_signature(Reader& r, const syntax::KeywordArg& k) { r.read_signature(k.value); }
void option_layout(Reader& r, const syntax::KeywordArg& k) { read_layout(r, k.value); }
void option_line_info(Reader& r, const syntax::KeywordArg& k) { read_bool(r, k, r.spec.options.line_info); }
void option_max_registers(Reader& r, const syntax::KeywordArg& k) {
  const auto v = static_value(r, k);
  if (!v) return;
  if (const auto n = count_value(r, k, *v, 255)) r.spec.options.max_registers = *n;
}
void option_launch_bounds(Reader& r, const syntax::KeywordArg& k) {
  const auto v = static_value(r, k);
  if (!v) return;
  const std::vector<StaticValue> parts = v->is_tuple ? v->elements : std::vector<StaticValue>{*v};
  if (parts.empty() || parts.size() > 2) return bad_value(r, k, "max_threads or (max_threads, min_blocks)");
  if (const auto n = count_value(r, k, parts[0], 1024)) r.spec.options.max_threads_per_block = *n;
  if (parts.size() < 2) return;
  if (const auto n = count_value(r, k, parts[1], 32)) r.spec.options.min_blocks_per_sm = *n;
}
void option_target(Reader& r, const syntax::KeywordArg& k) {
  const auto* s = std::get_if<syntax::StringLit>(&r.ast.exprs[k.value].kind);
  if (s == nullptr || (s->value != "gpu" && s->value != "cuda" && s->value != "cpu" && s->value != "parallel")) {
    bad_value(r, k, "\"gpu\", \"cuda\", \"cpu\" or \"parallel\"");
  }
}
void option_blas(Reader& r, const syntax::KeywordArg& k) {
  const auto* s = std::get_if<syntax::StringLit>(&r.ast.exprs[k.value].kind);
  BlasUse& use = r.spec.options.blas;
  if (s != nullptr && s->value == "never") {
    use = BlasUse::never;
  } else if (s != nullptr && s->value == "auto") {
    use = BlasUse::if_there;
  } else if (s != nullptr && s->value == "require") {
    use = BlasUse::always;
  } else {
    bad_value(r, k, "\"never\", \"auto\" or \"require\"");
  }
}
/// None and "reorderable", as NumPy has them: no identity.
void option_identity(Reader& r, const syntax::KeywordArg& k) {
  const auto& kind = r.ast.exprs[k.value].kind;
  const auto* text = std::get_if<syntax::StringLit>(&kind);
  if (std::holds_alternative<syntax::NoneLit>(kind) || (text != nullptr && text->value == "reorderable")) return;
  if (text != nullptr) return bad_value(r, k, "a number, None or \"reorderable\"");
  const auto v = static_value(r, k);
  if (!v) return;
  const Int128 lowest = INT64_MIN, highest = UINT64_MAX;
  const bool is_number =
      v->is_real() && (!v->constant.is_int() || (v->constant.as_int() >= lowest && v->constant.as_int() <= highest));
  if (!is_number) return bad_value(r, k, "a number, None or \"reorderable\"");
  r.spec.identity = v->constant;
}
/// Numba's knobs for its own compiler and cache: accepted, without effect here.
void option_ignored(Reader&, const syntax::KeywordArg&) {}

/// Which decorators have an option.
enum class Has : uint8_t {
  kJit = 1,
  kUfunc = 2,
  kGufunc = 4,
  kArray = 8,
  kUfuncs = kUfunc | kGufunc,
  kInlining = kJit | kArray,
  kAll = kJit | kUfuncs | kArray,
};

bool has(Has owners, Has decorator) { return (static_cast<uint8_t>(owners) & static_cast<uint8_t>(decorator)) != 0; }

struct OptionRow {
  std::string_view name;
  OptionReader read;
  Has has;
};

constexpr OptionRow kOptions[] = {
    {"signature", option_signature, Has::kInlining},
    {"signature", option_layout, Has::kGufunc},
    {"layout", option_layout, Has::kGufunc},
    {"signatures", option_signature, Has::kUfuncs},
    {"argtypes", option_argtypes, Has::kJit},
    {"device", option_device, Has::kJit},
    {"fma", option_fma, Has::kAll},
    {"check", option_check, Has::kAll},
    {"boundscheck", option_check, Has::kAll},
    {"debug", option_debug, Has::kAll},
    {"fastmath", option_fastmath, Has::kAll},
    {"max_registers", option_max_registers, Has::kJit},
    {"lineinfo", option_line_info, Has::kAll},
    {"launch_bounds", option_launch_bounds, Has::kJit},
    {"target", option_target, Has::kAll},
    {"blas", option_blas, Has::kArray},
    {"parallel", option_ignored, Has::kArray},
    {"nogil", option_ignored, Has::kArray},
    {"error_model", option_ignored, Has::kArray},
    {"inline", option_ignored, Has::kInlining},
    {"forceinline", option_ignored, Has::kJit},
    {"opt", option_ignored, Has::kJit},
    {"cache", option_ignored, Has::kAll},
    {"nopython", option_ignored, Has::kAll},
    {"lto", option_ignored, Has::kJit},
    {"identity", option_identity, Has::kUfunc},
    {"identity", option_ignored, Has::kGufunc},  // it has no reduce
};

const char* option_help(Has decorator) {
  switch (decorator) {
    case Has::kUfunc: return "options: identity, target, fma, check, debug, fastmath";
    case Has::kArray: return "options: signature, target, fma, check, debug, fastmath, blas";
    case Has::kGufunc: return "options: signatures, layout, target, fma, check, debug, fastmath";
    default:
      return "options: signature, argtypes, device, fma, check, debug, fastmath, max_registers, launch_bounds, target";
  }
}

void read_option(Reader& r, const syntax::KeywordArg& k, Has decorator) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : kOptions) {
    if (!has(row.has, decorator)) continue;
    if (row.name == k.name) return row.read(r, k);
    names.push_back(row.name);
  }
  auto report = r.sink.report(DiagId::kUnknownOption, k.name_span, k.name);
  if (const auto near = nearest_name(k.name, names)) {
    report.help(fmt::format("did you mean '{}'?", *near)).fixit(k.name_span, *near);
  } else {
    report.help(option_help(decorator));
  }
}

/// Signatures and options of one call of a decorator; `call` is null where it stands bare.
void read_arguments(Reader& r, const syntax::CallExpr* call, FunctionKind kind, Has decorator) {
  r.spec.kind = kind;
  if (call == nullptr) return;
  bool ok = true;
  // @cuda.jit("…", "…") is not a form of Numba's, but a list without brackets means one thing only.
  for (syntax::ExprId arg : call->args) ok = r.read_signature(arg) && ok;
  const size_t errors_before = r.sink.error_count();
  for (const syntax::KeywordArg& k : call->keywords) read_option(r, k, decorator);
  if (!ok || r.sink.error_count() != errors_before) r.spec.kind = FunctionKind::kBad;
}

bool has_layout_keyword(const syntax::CallExpr& call) {
  return std::ranges::any_of(call.keywords, [](const auto& k) { return k.name == "signature" || k.name == "layout"; });
}

/// One string alone is the layout, unless it can only be a signature.
bool is_layout(const Reader& r, syntax::ExprId expr) {
  const syntax::StringLit* literal = string_literal(r, expr);
  return literal != nullptr &&
         (literal->value.find("->") != std::string::npos || literal->value.find('[') == std::string::npos);
}

/// guvectorize(signatures, layout), guvectorize(layout), or either by keyword.
void read_gufunc(Reader& r, const syntax::CallExpr* call, Span span) {
  r.spec.kind = FunctionKind::kGufunc;
  std::vector<syntax::ExprId> args = call == nullptr ? std::vector<syntax::ExprId>{} : call->args;
  const size_t errors_before = r.sink.error_count();
  if (args.size() > 2) {
    r.sink.report(DiagId::kArgumentCount, span, "guvectorize", "signatures and a layout", args.size())
        .help("several signatures are a list: " + gufunc_form());
    args.clear();
  }
  const bool layout_follows = call != nullptr && has_layout_keyword(*call);
  if (args.size() == 2 || (args.size() == 1 && !layout_follows && is_layout(r, args[0]))) {
    const bool ok = read_layout(r, args.back());
    args.pop_back();
    if (!ok) args.clear();  // the two may be in the wrong order
  }
  if (!args.empty()) r.read_signature(args[0]);
  if (call != nullptr) {
    for (const syntax::KeywordArg& k : call->keywords) read_option(r, k, Has::kGufunc);
  }
  if (!r.spec.layout && r.sink.error_count() == errors_before) {
    r.sink.report(DiagId::kMissingCoreLayout, span).help("add one, such as " + gufunc_form());
  }
  if (r.sink.error_count() != errors_before) r.spec.kind = FunctionKind::kBad;
}

/// @jit("f4[:](f4[:])"): what whole arrays become. Products and sums keep NumPy's bits: nothing fuses unless asked to.
void read_array_function(Reader& r, const syntax::CallExpr* call) {
  r.spec.options.fma = false;
  read_arguments(r, call, FunctionKind::kArray, Has::kArray);
}

/// @cuda.reduce stands bare, or is called with the function alone, which is not a decorator then.
void read_reduction(Reader& r, const syntax::CallExpr* call, Span span) {
  r.spec.kind = call == nullptr ? FunctionKind::kReduction : FunctionKind::kBad;
  if (call == nullptr) return;
  r.sink.report(DiagId::kReductionArguments, span)
      .help("write @cuda.reduce above the def; the types are those of the arrays that it is called with");
}

}  // namespace

void read_decorator(const source::SourceFile& file, syntax::Ast& ast, const FileScope& scope, types::TypeTable& types,
                    source::DiagnosticSink& sink, syntax::ExprId decorator, FunctionSpec& spec) {
  Reader r{file, ast, scope, types, sink, spec};
  const syntax::Expr node = ast.exprs[decorator];
  const auto* call = std::get_if<syntax::CallExpr>(&node.kind);
  const syntax::ExprId callee = call ? call->callee : decorator;
  const Span span = ast.exprs[callee].span;
  const auto found = scope.resolve(ast, callee);
  const auto* builtin = found ? std::get_if<BuiltinEntity>(&*found) : nullptr;
  if (builtin == nullptr || builtin->builtin->rule != Rule::kDecorator) {
    sink.report(DiagId::kUnknownDecorator, span, file.text(span).substr(0, 60))
        .help(
            "@cuda.jit marks a kernel, @jit(\"…\") an array function, @vectorize a ufunc, @guvectorize a gufunc, "
            "@cuda.reduce a reduction, "
            "@cuda.jit(device=True) or no decorator at all a device function");
    spec.kind = FunctionKind::kBad;
    return;
  }
  switch (builtin->builtin->as<Decorator>()) {
    case Decorator::kCudaJit: return read_arguments(r, call, FunctionKind::kKernel, Has::kJit);
    case Decorator::kJit:
      if (call != nullptr && !call->args.empty()) return read_array_function(r, call);
      // Others call it as they call a device function; what the host calls it with makes an array function of it.
      spec.kind = FunctionKind::kDevice;
      if (call != nullptr) read_arguments(r, call, FunctionKind::kDevice, Has::kArray);
      spec.is_jit = spec.kind == FunctionKind::kDevice && spec.signatures.empty();
      return;
    case Decorator::kVectorize: return read_arguments(r, call, FunctionKind::kUfunc, Has::kUfunc);
    case Decorator::kGuvectorize: return read_gufunc(r, call, span);
    case Decorator::kReduce: return read_reduction(r, call, node.span);
  }
}

}  // namespace jitc::sema
