// What the names of a file mean outside functions: imported modules and names, constants, functions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/sema/builtins.hpp"
#include "src/sema/constant.hpp"
#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"
#include "src/types/type.hpp"

namespace jitc::sema {

/// A file-level value: a scalar, a tuple of values, or an array.
struct StaticValue {
  types::Scalar type;
  Constant constant = Constant::of_int(0);
  bool is_tuple = false;
  std::vector<StaticValue> elements = {};
  std::shared_ptr<const ConstantArray> array = nullptr;

  bool is_scalar() const { return !is_tuple && array == nullptr; }
  /// A complex scalar: `elements` holds its two parts.
  bool is_complex() const { return is_scalar() && jitc::is_complex(type.dtype); }
  bool is_real() const { return is_scalar() && !is_complex(); }
};

struct ModuleEntity {
  Module module;
};
/// `via` is where the spelling came from: math.sqrt and np.sqrt differ on ints.
struct BuiltinEntity {
  const Builtin* builtin;
  Module via;
};
struct TypeEntity {
  DType dtype;
};
/// Index into FileScope::functions.
struct FunctionEntity {
  uint32_t function;
};
struct ConstantEntity {
  uint32_t constant;
};
/// A name of numba.types that only signatures use: void, none, Array, Tuple ….
struct SignatureEntity {
  std::string name;
};
/// Its definition is wrong and was reported.
struct BadEntity {};

using Entity =
    std::variant<ModuleEntity, BuiltinEntity, TypeEntity, FunctionEntity, ConstantEntity, SignatureEntity, BadEntity>;

struct FileFunction {
  std::string name;
  source::Span span;  ///< of the name
  syntax::StmtId def;
};

struct FileConstant {
  std::string name;
  source::Span span;
  StaticValue value;
};

class FileScope {
 public:
  /// The meaning of a bare name at file level: the file's own, else modules and built-ins that need no import.
  std::optional<Entity> find(const std::string& name) const;
  /// The meaning of a name or of module.member; nothing for other expressions and unknown names.
  std::optional<Entity> resolve(const syntax::Ast& ast, syntax::ExprId expr) const;
  /// A member of a module.
  static std::optional<Entity> member(Module module, const std::string& name);
  /// Every name that find() would know, for suggestions.
  std::vector<std::string_view> visible_names() const;
  /// The modules inside it included.
  static std::vector<std::string_view> member_names(Module module);

  const std::vector<FileFunction>& functions() const { return functions_; }
  const FileConstant& constant(uint32_t index) const { return constants_[index]; }

  void bind(const std::string& name, source::Span span, Entity entity);
  /// Where the file itself bound `name`, if it did.
  std::optional<source::Span> binding_span(const std::string& name) const;
  uint32_t add_function(FileFunction function);
  uint32_t add_constant(FileConstant constant);

 private:
  struct Binding {
    Entity entity;
    source::Span span;
  };
  std::map<std::string, Binding, std::less<>> names_;
  std::vector<FileFunction> functions_;
  std::vector<FileConstant> constants_;
};

/// Binds the names of one import statement; unknown modules and members are reported.
void bind_imports(FileScope& scope, const syntax::ImportStmt& stmt, source::DiagnosticSink& sink);
void bind_imports(FileScope& scope, const syntax::ImportFromStmt& stmt, source::DiagnosticSink& sink);

}  // namespace jitc::sema
