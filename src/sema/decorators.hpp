// What the decorators of a function say: kernel or device function, signatures, options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/sema/core_layout.hpp"
#include "src/sema/file_scope.hpp"
#include "src/sema/typed.hpp"
#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

struct Signature {
  struct Param {
    TypeId type;
    source::Span span;
  };
  std::vector<Param> params;
  TypeId return_type;  ///< invalid when not stated: "(f4, f4)"
  source::Span return_span;
  source::Span span;
};

/// Reads signatures in every written form: strings, lists, f4(f4, f4), (f4[:], i4).
class SignatureReader {
 public:
  SignatureReader(const source::SourceFile& file, syntax::Ast& ast, const FileScope& scope, types::TypeTable& types,
                  source::DiagnosticSink& sink)
      : file_(file), ast_(ast), scope_(scope), types_(types), sink_(sink) {}

  /// Appends the signatures of one decorator argument; false after a report.
  bool read(syntax::ExprId expr, std::vector<Signature>& out);
  /// A parameter list without a return type (argtypes=[…]).
  bool read_argtypes(syntax::ExprId expr, std::vector<Signature>& out);
  std::optional<TypeId> read_type(syntax::ExprId expr);

 private:
  std::optional<Entity> entity(syntax::ExprId expr) const;
  syntax::ExprId parse_string(syntax::ExprId literal);
  bool read_call(syntax::ExprId expr, const syntax::CallExpr& call, std::vector<Signature>& out);
  std::optional<TypeId> read_return_type(syntax::ExprId expr);
  bool read_params(const std::vector<syntax::ExprId>& exprs, Signature& out);
  std::optional<TypeId> named_type(syntax::ExprId expr);
  std::optional<TypeId> array_type(syntax::ExprId expr, const syntax::SubscriptExpr& subscript);
  std::optional<TypeId> constructed_type(syntax::ExprId expr, const syntax::CallExpr& call);
  bool read_axis(syntax::ExprId axis, types::ArrayType& type, std::vector<bool>& unit_stride);
  bool is_type_constructor(syntax::ExprId callee) const;

  const source::SourceFile& file_;
  syntax::Ast& ast_;
  const FileScope& scope_;
  types::TypeTable& types_;
  source::DiagnosticSink& sink_;
  bool inside_string_ = false;
};

enum class FunctionKind : uint8_t { kDevice, kKernel, kUfunc, kGufunc, kReduction, kArray, kBad };

struct FunctionSpec {
  FunctionKind kind = FunctionKind::kDevice;
  bool is_jit = false;     ///< a device function that is an array function to the host: @jit without a signature
  bool fma_given = false;  ///< options.fma is what the decorator says
  std::vector<Signature> signatures;
  std::optional<CoreLayout> layout;  ///< kGufunc
  FunctionOptions options;
  std::optional<Constant> identity = std::nullopt;
};

/// Reads one decorator expression (or, for the call form, the callee of `cuda.jit(…)(f)`) into `spec`.
void read_decorator(const source::SourceFile& file, syntax::Ast& ast, const FileScope& scope, types::TypeTable& types,
                    source::DiagnosticSink& sink, syntax::ExprId decorator, FunctionSpec& spec);

/// Parses a signature given beside the text; reports at `where` when it is not one.
bool read_outside_signature(const std::string& text, const FileScope& scope, types::TypeTable& types,
                            source::DiagnosticSink& sink, source::Span where, std::vector<Signature>& out);

}  // namespace jitc::sema
