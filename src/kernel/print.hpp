// The parts of the printer, for its own files.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/kernel/ops.hpp"

namespace jitc::kernel {

/// "3", "2.5f4", "f4(nan)", "True": a literal with its type, but for i8, f8 and b1, which Python's literals have.
std::string print_const(DType dtype, uint64_t bits);

/// Distinct names of the parameters and locals: a second `x` is `x.1`.
struct PrintNames {
  explicit PrintNames(const KernelProgram& program);
  std::vector<std::string> params, locals, memory, labels;
};

/// Prints expressions in Python's notation with as few parentheses as it allows. Expressions in `named` are written
/// as their names.
class ExprPrinter {
 public:
  ExprPrinter(const KernelProgram& program, const PrintNames& names) : program_(program), names_(names) {}

  std::string print(ExprId id) { return print(id, Level::kTernary); }
  /// "x[i * 4 + j * x.strides[1]]".
  std::string print_ref(const MemRef& ref);
  /// The expression itself, even when it has a name.
  std::string print_definition(ExprId id) { return print_node(id).text; }

  std::unordered_map<ExprId, std::string> named;

 private:
  struct Printed {
    std::string text;
    Level level;
  };

  /// In parentheses when it binds less tightly than its place needs.
  std::string print(ExprId id, Level place);
  Printed print_node(ExprId id);
  std::string print_call(std::string_view callee, std::initializer_list<ExprId> args);
  Printed print_kind(Type type, const Const& e);
  Printed print_kind(Type type, const ParamRef& e);
  Printed print_kind(Type type, const LocalRef& e);
  Printed print_kind(Type type, const MemoryBase& e);
  Printed print_kind(Type type, const ThreadIndex& e);
  Printed print_kind(Type type, const Unary& e);
  Printed print_kind(Type type, const Binary& e);
  Printed print_kind(Type type, const Compare& e);
  Printed print_kind(Type type, const Convert& e);
  Printed print_kind(Type type, const Select& e);
  Printed print_kind(Type type, const Fma& e);
  Printed print_kind(Type type, const MathCall& e);
  Printed print_kind(Type type, const Load& e);
  Printed print_kind(Type type, const Address& e);

  const KernelProgram& program_;
  const PrintNames& names_;
};

}  // namespace jitc::kernel
