// The whole file: bind its names, read its decorators, type what the host can call.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "src/base/match.hpp"
#include "src/sema/entries.hpp"
#include "src/sema/nearest.hpp"
#include "src/sema/static_eval.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using source::Span;

class Analyzer {
 public:
  Analyzer(const source::SourceFile& file, syntax::Ast& ast, const AnalyzeOptions& options,
           source::DiagnosticSink& sink)
      : types_(std::make_shared<types::TypeTable>()), context_{file, ast, sink, *types_, scope_, options,
                                                               {},   {},  {},   {},      0} {}

  TypedModule run() {
    const syntax::Block top_level = context_.ast.top_level;
    // Functions may be called before their def in the text, as in Python.
    for (syntax::StmtId id : top_level) declare_function(id);
    for (syntax::StmtId id : top_level) bind(id);
    add_outside_signature();
    TypedModule out;
    out.types = types_;
    for (uint32_t f = 0; f < scope_.functions().size(); ++f) {
      if (is_entry(context_.specs[f]) && is_wanted(f)) type_entry(context_, f, out);
    }
    for (uint32_t f = 0; f < scope_.functions().size(); ++f) add_jit(f, out);
    check_unused();
    for (const auto& i : context_.instances) {
      if (i.typed) out.device_functions.push_back(i.typed);
    }
    return out;
  }

 private:
  // --- names of the file ---

  void declare_function(syntax::StmtId id) {
    const auto* def = std::get_if<syntax::FunctionDef>(&context_.ast.stmts[id].kind);
    if (def == nullptr) return;
    if (const auto before = scope_.binding_span(def->name)) {
      context_.sink.report(DiagId::kRedefinedFunction, def->name_span, def->name).label(*before, "first defined here");
      return;
    }
    const uint32_t f = scope_.add_function({def->name, def->name_span, id});
    context_.specs.push_back({});
    scope_.bind(def->name, def->name_span, FunctionEntity{f});
  }

  void bind(syntax::StmtId id) {
    const syntax::Stmt node = context_.ast.stmts[id];
    base::match(
        node.kind, [&](const syntax::ImportStmt& s) { bind_imports(scope_, s, context_.sink); },
        [&](const syntax::ImportFromStmt& s) { bind_imports(scope_, s, context_.sink); },
        [&](const syntax::AssignStmt& s) { bind_constant(s); },
        [&](const syntax::AnnAssignStmt& s) {
          if (s.value.valid()) bind_constant({{s.target}, s.value});
        },
        [&](const syntax::FunctionDef& def) { read_decorators(id, def); }, [](const syntax::PassStmt&) {},
        [&](const syntax::ExprStmt& s) {
          if (!std::holds_alternative<syntax::StringLit>(context_.ast.exprs[s.value].kind)) not_at_top(node.span);
        },
        [&](const auto&) { not_at_top(node.span); });
  }

  void not_at_top(Span span) {
    const source::SourceFile& file = context_.file;
    // Only the first line: a whole block would drown the message.
    const auto line_end = file.text().find('\n', span.begin);
    if (line_end != std::string_view::npos && line_end < span.end) span.end = static_cast<uint32_t>(line_end);
    context_.sink.report(DiagId::kNotAtTopLevel, span)
        .help("a kernel file holds imports, constants and functions; what runs goes into a function");
  }

  void bind_constant(const syntax::AssignStmt& s) {
    if (s.targets.size() == 1 && bind_call_form(s.targets[0], s.value)) return;
    if (bind_alias(s)) return;
    const auto value = evaluate_static(context_.ast, scope_, s.value, context_.sink);
    for (syntax::ExprId target : s.targets) bind_target(target, value);
  }

  /// real = np.float32: another name for a type.
  bool bind_alias(const syntax::AssignStmt& s) {
    const auto* name = std::get_if<syntax::NameExpr>(&context_.ast.exprs[s.targets[0]].kind);
    const auto found = scope_.resolve(context_.ast, s.value);
    if (name == nullptr || s.targets.size() != 1 || !found || !std::holds_alternative<TypeEntity>(*found)) return false;
    scope_.bind(name->name, context_.ast.exprs[s.targets[0]].span, *found);
    return true;
  }

  void bind_target(syntax::ExprId target, const std::optional<StaticValue>& value) {
    const syntax::Expr node = context_.ast.exprs[target];
    if (const auto* n = std::get_if<syntax::NameExpr>(&node.kind)) {
      if (!value) return scope_.bind(n->name, node.span, BadEntity{});
      return scope_.bind(n->name, node.span, ConstantEntity{scope_.add_constant({n->name, node.span, *value})});
    }
    const auto* t = std::get_if<syntax::TupleExpr>(&node.kind);
    if (t == nullptr) return not_at_top(node.span);
    const bool fits = value && value->is_tuple && value->elements.size() == t->elements.size();
    if (value && !fits) {
      context_.sink.report(DiagId::kUnpackCount, node.span, value->is_tuple ? value->elements.size() : 1,
                           t->elements.size());
    }
    for (size_t i = 0; i < t->elements.size(); ++i) {
      bind_target(t->elements[i], fits ? std::optional(value->elements[i]) : std::nullopt);
    }
  }

  /// fast = cuda.jit("void(f4[:])")(slow): a second name for the def, as a kernel or a ufunc.
  bool bind_call_form(syntax::ExprId target, syntax::ExprId value) {
    const auto* name = std::get_if<syntax::NameExpr>(&context_.ast.exprs[target].kind);
    const auto* call = std::get_if<syntax::CallExpr>(&context_.ast.exprs[value].kind);
    if (name == nullptr || call == nullptr || call->args.size() != 1 || !call->keywords.empty()) return false;
    const std::string kernel_name = name->name;
    const syntax::ExprId decorator = call->callee;
    const Span span = context_.ast.exprs[target].span;
    const syntax::StmtId def = called_def(kernel_name, span, call->args[0]);
    if (!def.valid()) return false;
    const uint32_t f = scope_.add_function({kernel_name, span, def});
    context_.specs.push_back({});
    read_decorator(context_.file, context_.ast, scope_, *types_, context_.sink, decorator, context_.specs[f]);
    scope_.bind(kernel_name, span, FunctionEntity{f});
    return true;
  }

  /// What the call form's argument names, or the def that a lambda is short for; invalid for anything else.
  syntax::StmtId called_def(const std::string& name, Span name_span, syntax::ExprId arg) {
    const syntax::Expr node = context_.ast.exprs[arg];
    if (const auto* named = std::get_if<syntax::NameExpr>(&node.kind)) {
      const auto found = scope_.find(named->name);
      const auto* function = found ? std::get_if<FunctionEntity>(&*found) : nullptr;
      return function == nullptr ? syntax::StmtId() : scope_.functions()[function->function].def;
    }
    const auto* lambda = std::get_if<syntax::LambdaExpr>(&node.kind);
    if (lambda == nullptr) return {};
    const syntax::StmtId result = context_.ast.stmts.add({node.span, syntax::ReturnStmt{lambda->body}});
    syntax::FunctionDef def{name, name_span, lambda->params, {}, {}, {result}};
    check_parameters(def);
    return context_.ast.stmts.add({node.span, std::move(def)});
  }

  void read_decorators(syntax::StmtId id, const syntax::FunctionDef& def) {
    for (uint32_t f = 0; f < scope_.functions().size(); ++f) {
      if (scope_.functions()[f].def != id || scope_.functions()[f].name != def.name) continue;
      const size_t errors_before = context_.sink.error_count();
      for (syntax::ExprId d : def.decorators) {
        read_decorator(context_.file, context_.ast, scope_, *types_, context_.sink, d, context_.specs[f]);
      }
      if (def.decorators.size() > 1 && context_.sink.error_count() == errors_before) {
        context_.sink
            .report(DiagId::kSeveralDecorators, context_.ast.exprs[def.decorators[1]].span, def.name,
                    def.decorators.size())
            .help("keep one; the def becomes something else besides in the call form: other = vectorize([…])(name)");
      }
      check_parameters(def);
    }
  }

  void check_parameters(const syntax::FunctionDef& def) {
    std::set<std::string> seen;
    for (const syntax::Param& p : def.params) {
      if (!seen.insert(p.name).second) context_.sink.report(DiagId::kRepeatedParameter, p.span, p.name);
    }
  }

  static bool is_entry(const FunctionSpec& spec) {
    return spec.kind == FunctionKind::kKernel || spec.kind == FunctionKind::kUfunc ||
           spec.kind == FunctionKind::kGufunc || spec.kind == FunctionKind::kReduction ||
           spec.kind == FunctionKind::kArray;
  }

  /// A @jit without a signature, behind all that must be there for the host.
  void add_jit(uint32_t f, TypedModule& out) {
    if (!context_.specs[f].is_jit || context_.specs[f].kind != FunctionKind::kDevice || context_.options.only_entry)
      return;
    const FileFunction& function = scope_.functions()[f];
    TypedKernel entry{
        .name = function.name, .span = function.span, .kind = EntryKind::kArray, .params = {}, .variants = {}};
    const auto def = std::get<syntax::FunctionDef>(context_.ast.stmts[function.def].kind);
    for (const syntax::Param& p : def.params) entry.params.push_back(p.name);
    entry.only_by_name = true;
    out.kernels.push_back(std::move(entry));
  }

  bool is_wanted(uint32_t f) const {
    return !context_.options.only_entry || scope_.functions()[f].name == context_.options.entry;
  }

  /// The function that options.entry names, or else the first one to call, or the only one there is.
  std::optional<size_t> find_entry() const {
    const auto& functions = scope_.functions();
    const std::string& entry = context_.options.entry;
    // From the end: f = vectorize(…)(f) names a def anew.
    for (size_t f = functions.size(); !entry.empty() && f-- > 0;) {
      if (functions[f].name == entry) return f;
    }
    for (size_t f = 0; entry.empty() && f < functions.size(); ++f) {
      if (is_entry(context_.specs[f]) || functions.size() == 1) return f;
    }
    return std::nullopt;
  }

  void add_outside_signature() {
    const AnalyzeOptions& o = context_.options;
    if (o.signature.empty()) return;
    const auto& functions = scope_.functions();
    const auto found = find_entry();
    if (!found) {
      std::vector<std::string_view> names;
      for (const FileFunction& g : functions) names.push_back(g.name);
      auto report = context_.sink.report(DiagId::kNoSuchEntry, Span{0, 0},
                                         o.entry.empty() ? "a kernel" : fmt::format("'{}'", o.entry));
      if (const auto near = nearest_name(o.entry, names)) report.help(fmt::format("did you mean '{}'?", *near));
      return;
    }
    const size_t f = *found;
    FunctionSpec& spec = context_.specs[f];
    if (spec.kind == FunctionKind::kBad) return;
    if (spec.kind == FunctionKind::kDevice) spec.kind = spec.is_jit ? FunctionKind::kArray : FunctionKind::kKernel;
    if (spec.is_jit && !spec.fma_given) spec.options.fma = false;
    spec.signatures.clear();
    read_outside_signature(o.signature, scope_, *types_, context_.sink, functions[f].span, spec.signatures);
  }

  /// A file without anything to call compiles to nothing, which is never what was meant.
  void check_unused() {
    if (context_.sink.has_errors()) return;
    const auto is_called = [](const FunctionSpec& spec) { return is_entry(spec) || spec.is_jit; };
    if (std::any_of(context_.specs.begin(), context_.specs.end(), is_called)) return;
    context_.sink.report(DiagId::kNoKernel, Span{0, 0})
        .help("mark one function with @cuda.jit, @jit, @vectorize, @guvectorize or @cuda.reduce");
  }

  std::shared_ptr<types::TypeTable> types_;
  FileScope scope_;
  TyperContext context_;
};

}  // namespace

TypedModule analyze(const source::SourceFile& file, syntax::Ast& ast, const AnalyzeOptions& options,
                    source::DiagnosticSink& sink) {
  return Analyzer(file, ast, options, sink).run();
}

}  // namespace jitc::sema
