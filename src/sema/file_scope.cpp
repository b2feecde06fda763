#include "src/sema/file_scope.hpp"

#include "src/sema/nearest.hpp"
#include "src/types/type_names.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;

struct ModuleRow {
  std::string_view name;
  Module module;
};

// Every importable module; those without a dot may also be named without an import.
constexpr ModuleRow kModules[] = {
    {"numba", Module::kNumba},
    {"numba.cuda", Module::kCuda},
    {"numba.types", Module::kTypes},
    {"numpy", Module::kNumpy},
    {"numpy.linalg", Module::kLinalg},
    {"math", Module::kMath},
    {"operator", Module::kOperator},
    {"cmath", Module::kCmath},
    {"numba.core.types", Module::kTypes},
    {"numba.cuda.types", Module::kTypes},
    {"numba.cuda.cg", Module::kCg},
    {"numba.cuda.random", Module::kRandom},
    {"numba.cuda.libdevice", Module::kLibdevice},
};

// Names that stand for a module without an import, as every tutorial writes them.
constexpr ModuleRow kImplicit[] = {
    {"cuda", Module::kCuda},   {"math", Module::kMath},         {"np", Module::kNumpy},    {"numpy", Module::kNumpy},
    {"numba", Module::kNumba}, {"operator", Module::kOperator}, {"types", Module::kTypes}, {"cmath", Module::kCmath},
};

constexpr std::string_view kSignatureNames[] = {"void", "none", "Array", "Tuple", "UniTuple"};

std::optional<Module> find_module(std::string_view name) {
  for (const ModuleRow& row : kModules) {
    if (row.name == name) return row.module;
  }
  return std::nullopt;
}

bool is_numba(Module m) { return m == Module::kNumba || m == Module::kTypes || m == Module::kCuda; }

/// Names of types, as numba, numba.types and NumPy have them.
std::optional<Entity> type_member(Module module, const std::string& name) {
  if (!is_numba(module) && module != Module::kNumpy) return std::nullopt;
  if (const auto dtype = types::scalar_type_from_name(name)) return TypeEntity{*dtype};
  if (module == Module::kNumpy && name == "bool") return TypeEntity{DType::b1};
  if (module == Module::kNumpy) return std::nullopt;
  for (std::string_view s : kSignatureNames) {
    if (s == name) return SignatureEntity{name};
  }
  return std::nullopt;
}

struct Submodule {
  Module parent;
  std::string_view name;
  Module module;
};
constexpr Submodule kSubmodules[] = {
    {Module::kNumba, "cuda", Module::kCuda},          {Module::kNumba, "types", Module::kTypes},
    {Module::kCuda, "types", Module::kTypes},         {Module::kCuda, "shared", Module::kShared},
    {Module::kCuda, "local", Module::kLocal},         {Module::kCuda, "const", Module::kConst},
    {Module::kCuda, "atomic", Module::kAtomic},       {Module::kCuda, "cg", Module::kCg},
    {Module::kCuda, "random", Module::kRandom},       {Module::kNumpy, "linalg", Module::kLinalg},
    {Module::kCuda, "libdevice", Module::kLibdevice},
};

std::optional<Entity> submodule(Module module, const std::string& name) {
  for (const Submodule& row : kSubmodules) {
    if (row.parent == module && row.name == name) return ModuleEntity{row.module};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Entity> FileScope::member(Module module, const std::string& name) {
  if (const Builtin* row = find_builtin(module, name)) return BuiltinEntity{row, module};
  if (auto sub = submodule(module, name)) return sub;
  if (module == Module::kCuda && name.size() <= 3) return std::nullopt;  // cuda.f4 does not exist in numba either
  return type_member(module, name);
}

std::optional<Entity> FileScope::find(const std::string& name) const {
  if (const auto it = names_.find(name); it != names_.end()) return it->second.entity;
  if (const Builtin* row = find_builtin(Module::kPython, name)) return BuiltinEntity{row, Module::kPython};
  for (const ModuleRow& row : kImplicit) {
    if (row.name == name) return ModuleEntity{row.module};
  }
  if (const Builtin* row = find_builtin(Module::kNumpy, name)) return BuiltinEntity{row, Module::kNumpy};
  if (const Builtin* row = find_builtin(Module::kNumba, name)) return BuiltinEntity{row, Module::kNumba};
  return type_member(Module::kTypes, name);
}

std::optional<Entity> FileScope::resolve(const syntax::Ast& ast, syntax::ExprId expr) const {
  if (const auto* n = std::get_if<syntax::NameExpr>(&ast.exprs[expr].kind)) return find(n->name);
  const auto* a = std::get_if<syntax::AttributeExpr>(&ast.exprs[expr].kind);
  if (a == nullptr) return std::nullopt;
  const auto base = resolve(ast, a->base);
  const auto* module = base ? std::get_if<ModuleEntity>(&*base) : nullptr;
  return module ? member(module->module, a->name) : std::nullopt;
}

std::vector<std::string_view> FileScope::visible_names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, binding] : names_) out.push_back(name);
  for (Module m : {Module::kPython, Module::kNumpy}) {
    for (std::string_view n : builtin_names(m)) out.push_back(n);
  }
  for (const ModuleRow& row : kImplicit) out.push_back(row.name);
  for (std::string_view n : types::scalar_type_names()) out.push_back(n);
  return out;
}

std::vector<std::string_view> FileScope::member_names(Module module) {
  std::vector<std::string_view> out = builtin_names(module);
  for (const Submodule& row : kSubmodules) {
    if (row.parent == module) out.push_back(row.name);
  }
  if (is_numba(module) || module == Module::kNumpy) {
    for (std::string_view n : types::scalar_type_names()) out.push_back(n);
  }
  return out;
}

void FileScope::bind(const std::string& name, source::Span span, Entity entity) {
  names_.insert_or_assign(name, Binding{std::move(entity), span});
}

std::optional<source::Span> FileScope::binding_span(const std::string& name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? std::nullopt : std::optional(it->second.span);
}

uint32_t FileScope::add_function(FileFunction function) {
  functions_.push_back(std::move(function));
  return static_cast<uint32_t>(functions_.size() - 1);
}

uint32_t FileScope::add_constant(FileConstant constant) {
  constants_.push_back(std::move(constant));
  return static_cast<uint32_t>(constants_.size() - 1);
}

namespace {

const char kModuleHelp[] =
    "kernel text may import numba, numpy, math, cmath and operator; everything else stays in the host program";

/// `import numba.cuda` binds `numba`; `import numba.cuda as cuda` binds `cuda`. The tree does not tell the two apart,
/// so both names are bound.
void bind_module(FileScope& scope, const syntax::ImportName& name, Module module) {
  const size_t dot = name.module.find('.');
  if (dot != std::string::npos) {
    const std::string top = name.module.substr(0, dot);
    if (!scope.binding_span(top)) scope.bind(top, name.span, ModuleEntity{*find_module(top)});
  }
  scope.bind(name.alias, name.span, ModuleEntity{module});
}

void bind_all_members(FileScope& scope, Module module, source::Span span) {
  for (std::string_view n : FileScope::member_names(module)) {
    const std::string name(n);
    if (auto entity = FileScope::member(module, name)) scope.bind(name, span, *entity);
  }
}

}  // namespace

void bind_imports(FileScope& scope, const syntax::ImportStmt& stmt, source::DiagnosticSink& sink) {
  for (const syntax::ImportName& name : stmt.names) {
    if (const auto module = find_module(name.module)) {
      bind_module(scope, name, *module);
    } else {
      sink.report(DiagId::kUnknownModule, name.span, name.module).help(kModuleHelp);
      scope.bind(name.alias, name.span, BadEntity{});
    }
  }
}

void bind_imports(FileScope& scope, const syntax::ImportFromStmt& stmt, source::DiagnosticSink& sink) {
  const auto module = find_module(stmt.module);
  if (!module) {
    sink.report(DiagId::kUnknownModule, stmt.module_span, stmt.module).help(kModuleHelp);
    for (const auto& name : stmt.names) scope.bind(name.alias, name.span, BadEntity{});
    return;
  }
  if (stmt.star) return bind_all_members(scope, *module, stmt.module_span);
  for (const syntax::ImportedName& name : stmt.names) {
    if (auto entity = FileScope::member(*module, name.name)) {
      scope.bind(name.alias, name.span, *entity);
      continue;
    }
    auto report = sink.report(DiagId::kUnknownMember, name.span, module_name(*module), name.name);
    if (const auto near = nearest_name(name.name, FileScope::member_names(*module))) {
      report.help(fmt::format("did you mean '{}'?", *near)).fixit(name.span, *near);
    }
    scope.bind(name.alias, name.span, BadEntity{});
  }
}

}  // namespace jitc::sema
