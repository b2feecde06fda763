#include "src/sema/entries.hpp"

#include <set>

#include "src/base/match.hpp"
#include "src/sema/check_gufunc.hpp"
#include "src/sema/memory_limits.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using source::Span;

class EntryTyper {
 public:
  EntryTyper(TyperContext& context, uint32_t function)
      : context_(context),
        function_(function),
        name_(context.scope.functions()[function].name),
        def_(std::get<syntax::FunctionDef>(context.ast.stmts[context.scope.functions()[function].def].kind)),
        kind_(kind_of(context.specs[function].kind)) {
    const FunctionSpec& spec = context.specs[function];
    if (kind_ == EntryKind::kGufunc) layout_ = std::make_shared<const CoreLayout>(*spec.layout);
  }

  void run(TypedModule& out) {
    if (!check_parameters()) return;
    TypedKernel entry{name_,   context_.scope.functions()[function_].span, kind_, {}, {},
                      layout_, context_.specs[function_].identity};
    const size_t param_count = layout_ != nullptr ? layout_->inputs.size() : def_.params.size();
    for (size_t k = 0; k < param_count; ++k) entry.params.push_back(def_.params[k].name);
    const std::vector<Signature> signatures = context_.specs[function_].signatures;
    if (signatures.empty()) check_untyped(context_, function_, def_, kind_);
    std::set<std::string> seen;
    for (const Signature& s : signatures) {
      if (context_.sink.full()) return;
      if (!check_signature(s)) continue;
      auto typed = type_signature(s);
      if (typed != nullptr && is_new(*typed, s.span, seen)) entry.variants.push_back(std::move(typed));
    }
    if (entry.variants.size() != 0 || signatures.empty()) out.kernels.push_back(std::move(entry));
  }

 private:
  using Typed = std::shared_ptr<const TypedFunction>;

  static EntryKind kind_of(FunctionKind kind) {
    if (kind == FunctionKind::kReduction) return EntryKind::kReduction;
    if (kind == FunctionKind::kArray) return EntryKind::kArray;
    if (kind == FunctionKind::kGufunc) return EntryKind::kGufunc;
    return kind == FunctionKind::kUfunc ? EntryKind::kUfunc : EntryKind::kKernel;
  }

  // --- signatures ---

  bool check_parameters() {
    if (layout_ != nullptr && !check_gufunc_params(context_, *layout_, def_)) return false;
    if (kind_ == EntryKind::kUfunc && def_.params.empty()) {
      context_.sink.report(DiagId::kUfuncWithoutParameters, def_.name_span, name_)
          .help("a ufunc computes each element of its result from elements of its arguments");
      return false;
    }
    if (kind_ != EntryKind::kReduction || def_.params.size() == 2) return true;
    context_.sink.report(DiagId::kReductionParameters, def_.name_span, name_, def_.params.size())
        .help("a reduction makes one value of two, such as: return a + b");
    return false;
  }

  bool check_signature(const Signature& s) {
    if (s.params.size() != def_.params.size()) {
      context_.sink.report(DiagId::kSignatureArity, s.span, s.params.size(), def_.name, def_.params.size())
          .label(def_.name_span, "defined here");
      return false;
    }
    if (layout_ != nullptr) return check_gufunc_signature(context_, *layout_, def_, s);
    if (kind_ == EntryKind::kArray) return check_no_tuples(s);
    return kind_ == EntryKind::kKernel ? check_kernel_signature(s) : check_ufunc_signature(s);
  }

  bool check_no_tuples(const Signature& s) {
    bool ok = true;
    for (const Signature::Param& p : s.params) {
      if (context_.types.as_tuple(p.type) == nullptr) continue;
      context_.sink.report(DiagId::kTupleParameter, p.span).help("pass the items as parameters of their own");
      ok = false;
    }
    return ok;
  }

  bool check_kernel_signature(const Signature& s) {
    if (s.return_type.valid() && s.return_type != context_.types.none()) {
      context_.sink.report(DiagId::kKernelReturnType, s.return_span, context_.types.to_string(s.return_type))
          .help("write void, or leave the return type out")
          .fixit(s.return_span, "void");
      return false;
    }
    return check_no_tuples(s);
  }

  bool check_ufunc_signature(const Signature& s) {
    bool ok = true;
    for (const Signature::Param& p : s.params) {
      if (context_.types.as_scalar(p.type) != nullptr) continue;
      not_scalar("a parameter", p.type, p.span);
      ok = false;
    }
    if (s.return_type.valid() && !check_result(s.return_type, s.return_span)) return false;
    return ok && (kind_ != EntryKind::kReduction || check_one_type(s));
  }

  /// What two values become is combined with a third one.
  bool check_one_type(const Signature& s) {
    const TypeId type = s.params[0].type;
    if (s.params[1].type == type && (!s.return_type.valid() || s.return_type == type)) return true;
    context_.sink.report(DiagId::kReductionTypes, s.span)
        .help(fmt::format("such as {0}({0}, {0})", context_.types.to_string(type)));
    return false;
  }

  void not_scalar(std::string_view what, TypeId type, Span span) {
    const types::ArrayType* array = context_.types.as_array(type);
    context_.sink.report(DiagId::kUfuncNotScalar, span, what, context_.types.to_string(type))
        .help(array ? fmt::format("write {}: a ufunc says what one element becomes, and is called with arrays",
                                  name(array->dtype))
              : what == "each result" ? "return the items one beside the other, as in return a, b, c"
                                      : "pass the items as parameters of their own");
  }

  bool check_result(TypeId type, Span span) {
    if (context_.types.as_scalar(type) != nullptr) return true;
    if (type == context_.types.none()) {
      context_.sink.report(DiagId::kUfuncReturnsNothing, span, name_)
          .help("return the value of one element of the result");
    } else if (const types::TupleType* tuple = context_.types.as_tuple(type)) {
      return check_results(*tuple, span);
    } else {
      not_scalar("the result", type, span);
    }
    return false;
  }

  /// A tuple is one result for each item.
  bool check_results(const types::TupleType& tuple, Span span) {
    if (tuple.elements.empty()) {
      context_.sink.report(DiagId::kUfuncReturnsNothing, span, name_)
          .help("return the value of one element of each result");
      return false;
    }
    for (const TypeId item : tuple.elements) {
      if (context_.types.as_scalar(item) != nullptr) continue;
      not_scalar("each result", item, span);
      return false;
    }
    return true;
  }

  /// What tells the signatures of one function apart: of a ufunc not what it returns, of a gufunc the elements of its
  /// arguments.
  std::string key_of(const TypedFunction& typed) const {
    if (is_scalar()) return typed.signature.substr(typed.signature.rfind('('));
    if (layout_ == nullptr) return typed.signature;
    std::string out;
    for (size_t k = 0; k < layout_->inputs.size(); ++k) {
      const TypeId type = typed.vars[typed.params[k]].type;
      const types::ArrayType* array = context_.types.as_array(type);
      out += fmt::format("{},", name(array != nullptr ? array->dtype : context_.types.as_scalar(type)->dtype));
    }
    return out;
  }

  bool is_new(const TypedFunction& typed, Span span, std::set<std::string>& seen) {
    if (seen.insert(key_of(typed)).second) return true;
    auto report = context_.sink.report(DiagId::kRepeatedSignature, span, typed.signature);
    if (is_scalar()) report.help("a call chooses among signatures by the types of its arguments alone");
    if (layout_ != nullptr) report.help("a call chooses among signatures by the elements of its arguments alone");
    return false;
  }

  // --- bodies ---

  /// Its function has values of elements for parameters.
  bool is_scalar() const { return kind_ == EntryKind::kUfunc || kind_ == EntryKind::kReduction; }

  Typed type_signature(const Signature& s) {
    if (is_scalar()) return type_ufunc(s);
    if (kind_ == EntryKind::kArray) return type_array_function(s);
    return layout_ != nullptr ? type_gufunc(s) : type_kernel(s);
  }

  Typed type_kernel(const Signature& s) { return type(s, context_.types.none()); }

  /// A result that is a weak number gets the type that it is computed in.
  Typed type_array_function(const Signature& s) {
    std::optional<TypeId> declared;
    if (s.return_type.valid()) declared = s.return_type;
    Typed typed = type(s, declared);
    if (typed == nullptr) return nullptr;
    const TypeId result = without_weak(typed->return_type);
    return result != typed->return_type ? type(s, result) : typed;
  }

  Typed type_gufunc(const Signature& s) {
    const Typed typed = type(s, context_.types.none());
    if (typed == nullptr || !check_elementwise(*typed)) return nullptr;
    auto out = std::make_shared<TypedFunction>(*typed);
    out->layout = layout_;
    return check_gufunc_writes(context_, *out, def_) ? out : nullptr;
  }

  Typed type_ufunc(const Signature& s) {
    std::optional<TypeId> declared;
    if (s.return_type.valid()) declared = s.return_type;
    if (kind_ == EntryKind::kReduction) declared = s.params[0].type;
    Typed typed = type(s, declared);
    if (typed == nullptr || !check_result(typed->return_type, def_.name_span)) return nullptr;
    // `return 1` alone: the elements of the result have the type that a weak value is computed in.
    const TypeId result = without_weak(typed->return_type);
    if (result != typed->return_type) typed = type(s, result);
    return typed != nullptr && check_elementwise(*typed) ? typed : nullptr;
  }

  TypeId without_weak(TypeId type) {
    const types::TupleType* tuple = context_.types.as_tuple(type);
    const types::Scalar* scalar = context_.types.as_scalar(type);
    if (tuple == nullptr) return scalar != nullptr ? context_.types.scalar(scalar->dtype) : type;
    std::vector<TypeId> items = tuple->elements;
    for (TypeId& item : items) item = without_weak(item);
    return context_.types.tuple(std::move(items));
  }

  /// What only makes sense among the threads of a block.
  static bool is_of_threads(const Expr& e) {
    const auto* memory = std::get_if<MemoryExpr>(&e.kind);
    return std::holds_alternative<ThreadExpr>(e.kind) || std::holds_alternative<AtomicExpr>(e.kind) ||
           std::holds_alternative<BarrierExpr>(e.kind) || std::holds_alternative<FenceExpr>(e.kind) ||
           std::holds_alternative<WarpExpr>(e.kind) || (memory && memory->space == types::MemorySpace::kShared);
  }

  /// One element knows nothing of threads: how they are spread over the elements is not the ufunc's to say.
  bool check_elementwise(const TypedFunction& f) {
    std::set<const TypedFunction*> seen;
    return check_elementwise(f, seen);
  }

  bool check_elementwise(const TypedFunction& f, std::set<const TypedFunction*>& seen) {
    if (!seen.insert(&f).second) return true;
    for (const Expr& e : f.exprs) {
      if (is_of_threads(e)) return thread_in_ufunc(e.span);
      const auto* call = std::get_if<CallExpr>(&e.kind);
      if (call != nullptr && !check_elementwise(*call->function, seen)) return false;
    }
    return true;
  }

  bool thread_in_ufunc(Span span) {
    const char* what = spelling(kind_);
    const char* times = kind_ == EntryKind::kUfunc    ? "once per element"
                        : kind_ == EntryKind::kGufunc ? "once per core"
                                                      : "with two values";
    context_.sink.report(DiagId::kThreadInUfunc, span, context_.file.text(span).substr(0, 60), what)
        .label(def_.name_span, fmt::format("the {}", what))
        .help(fmt::format("a {} is called {}; write a kernel (@cuda.jit) for what threads do together", what, times));
    return false;
  }

  Typed type(const Signature& s, std::optional<TypeId> declared_return) {
    FunctionTyper::Request request;
    request.function = function_;
    request.def = &def_;
    for (const Signature::Param& p : s.params) request.args.push_back({p.type, std::nullopt, {}});
    request.declared_return = declared_return;
    request.options = context_.specs[function_].options;
    request.options.check = request.options.check || context_.options.check;
    request.is_kernel = !is_scalar() && kind_ != EntryKind::kArray;
    request.is_array = kind_ == EntryKind::kArray;
    context_.active = {{function_, def_.name_span}};
    Typed typed = FunctionTyper(context_, std::move(request)).run();
    context_.active.clear();
    if (typed) check_memory_limits(*typed, context_.sink);
    if (typed == nullptr || typed->name == name_) return typed;
    auto renamed = std::make_shared<TypedFunction>(*typed);  // the call form gives the def another name
    renamed->name = name_;
    return renamed;
  }

  TyperContext& context_;
  uint32_t function_;
  std::string name_;
  syntax::FunctionDef def_;
  EntryKind kind_;
  std::shared_ptr<const CoreLayout> layout_;  ///< of a gufunc
};

}  // namespace

const char* spelling(EntryKind kind) {
  switch (kind) {
    case EntryKind::kKernel: return "kernel";
    case EntryKind::kUfunc: return "ufunc";
    case EntryKind::kGufunc: return "gufunc";
    case EntryKind::kReduction: return "reduction";
    case EntryKind::kArray: return "array function";
  }
  return "function";
}

void type_entry(TyperContext& context, uint32_t function, TypedModule& out) { EntryTyper(context, function).run(out); }

}  // namespace jitc::sema
