// The typed module: every expression typed, every name resolved, every implicit conversion explicit. Control flow and
// tuples are still the source's; arrays are still arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/base/store.hpp"
#include "src/kernel/ir.hpp"
#include "src/sema/constant.hpp"
#include "src/sema/core_layout.hpp"
#include "src/source/span.hpp"
#include "src/types/fold_op.hpp"
#include "src/types/type.hpp"

namespace jitc::sema {

using source::Span;
using types::TypeId;

using ExprId = base::Id<struct TypedExprTag>;
using StmtId = base::Id<struct TypedStmtTag>;
using VarId = base::Id<struct TypedVarTag>;

struct TypedFunction;

// The operations are the kernel IR's: they have the same meaning in both.
using kernel::AtomicOp;
using kernel::BarrierOp;
using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::FenceScope;
using kernel::MathFn;
using kernel::ThreadValue;
using kernel::UnaryOp;
using kernel::WarpOp;
using types::FoldOp;
using types::MemorySpace;

// --- expressions -----------------------------------------------------------------------------------------------------

struct ConstExpr {};  ///< value in Expr::constant
struct VarExpr {
  VarId var;
};
/// Operands have the node's dtype (predicates: result b1).
struct UnaryExpr {
  UnaryOp op;
  ExprId operand;
};
/// `product` marks a `*` of the source, which may fuse with a neighbouring + or -.
struct BinaryExpr {
  BinaryOp op;
  ExprId lhs, rhs;
  bool product = false;
};
/// Operands of one scalar type, or i8 against u8 (exact).
struct CompareExpr {
  CompareOp op;
  ExprId lhs, rhs;
};
/// Short-circuit and/or over b1 operands; result b1.
struct LogicExpr {
  bool is_and;
  std::vector<ExprId> operands;
};
/// Python's value form: `a or b` gives an operand. Operands already have the node's type.
struct LogicValueExpr {
  bool is_and;
  ExprId lhs, rhs;
};
/// Only the chosen branch is evaluated.
struct TernaryExpr {
  ExprId cond, then_value, else_value;
};
/// Both values are evaluated (np.where on scalars).
struct SelectExpr {
  ExprId cond, then_value, else_value;
};
struct ConvertExpr {
  ExprId operand;
};
/// A complex number of its parts; no other expression but PartExpr computes with one.
struct ComplexExpr {
  ExprId real, imag;
};
struct PartExpr {
  ExprId operand;
  bool imag = false;
};
/// lhs * rhs + addend; `addend_first` where the source evaluates the addend before the factors.
struct FmaExpr {
  ExprId lhs, rhs, addend;
  bool addend_first = false;
};
struct MathExpr {
  MathFn fn;
  std::vector<ExprId> args;
};
struct ThreadExpr {
  ThreadValue value;
  uint8_t axis;
};
struct TupleExpr {
  std::vector<ExprId> elements;
};
struct TupleItemExpr {
  ExprId tuple;
  uint32_t index;
};
/// An element of an array: one i8 or u8 index per axis; signed ones may count from the end.
struct ElementExpr {
  ExprId array;
  std::vector<ExprId> indices;
};
/// One axis of a view: an index (the axis goes), a slice (invalid parts are defaults), or in array functions a new axis
/// that the array has not.
struct AxisSelection {
  bool is_slice = false;
  ExprId index, lower, upper, step;
  bool is_new = false;
};
struct ViewExpr {
  ExprId array;
  std::vector<AxisSelection> axes;
};
struct TransposeExpr {
  ExprId array;
};
/// The real or the imaginary parts of a complex array: a view of the same memory.
struct PartViewExpr {
  ExprId array;
  bool imag = false;
  std::shared_ptr<const TypedFunction> element;  ///< in array functions: the same of one element
};
struct ExtentExpr {
  ExprId array;
  uint32_t axis;
};
struct StrideExpr {
  ExprId array;
  uint32_t axis;
};
struct SizeExpr {
  ExprId array;
};
/// `body` with `var` set to `value` first: what is needed twice is evaluated once.
struct LetExpr {
  VarId var;
  ExprId value, body;
};
/// A device function with converted arguments; its type is the function's return type.
struct CallExpr {
  std::shared_ptr<const TypedFunction> function;
  std::vector<ExprId> args;
};
/// An array that the kernel itself declares; its type is C-contiguous and says the space.
struct MemoryExpr {
  MemorySpace space = MemorySpace::kShared;
  DType dtype = DType::f4;
  std::vector<uint64_t> shape;  ///< one 0 for dynamic shared memory
  uint32_t align_bytes = 0;     ///< of the first element
  std::string name;             ///< "" until a variable gives it one
  uint32_t site = 0;            ///< the call in the text: one site of a function makes one array
  std::shared_ptr<const ConstantArray> values = nullptr;  ///< kConst
};
// Expressions of array functions alone: their values are whole arrays, and none of them acts on memory.
/// An operation of each element: the function's parameters are the elements of the arguments, arrays or scalars, which
/// broadcast. Where it returns a tuple, so does the expression.
struct MapExpr {
  std::shared_ptr<const TypedFunction> function;
  std::vector<ExprId> args;
};
/// Every element is `value`; any, where that is absent. The extents are i8.
struct FillExpr {
  ExprId value;
  std::vector<ExprId> shape;
};
/// 0, 1, 2 … of i8: `count` of them.
struct IotaExpr {
  ExprId count;
};
/// Axis k of the result is axis `axes[k]` of the array.
struct PermuteExpr {
  ExprId array;
  std::vector<uint32_t> axes;
};
/// Extents are i8.
struct BroadcastExpr {
  ExprId array;
  std::vector<ExprId> shape;
};
/// One extent may be -1.
struct ReshapeExpr {
  ExprId array;
  std::vector<ExprId> shape;
};
/// An axis of extent 1 goes; the call fails where it has another.
struct SqueezeExpr {
  ExprId array;
  uint32_t axis;
};
/// The elements whose indices along the last two axes are equal; the last axis goes.
struct DiagonalExpr {
  ExprId array;
};
/// Arrays of one type one behind the other along an axis.
struct JoinExpr {
  std::vector<ExprId> arrays;
  uint32_t axis;
};
/// A copy with an identity of its own: what is stored to it changes nothing else.
struct CopyExpr {
  ExprId array;
};
/// What the elements along the folded axes become. The result has the array's element type, but i8 for the numbers of
/// kArgMin and kArgMax, which count in C order of the folded axes.
struct FoldExpr {
  FoldOp op;
  ExprId array;
  std::vector<bool> folded;  ///< by axis
  bool keepdims = false;
  bool needs_elements = false;  ///< the call fails where there are none to fold
  std::string name;             ///< in messages: "max"
  bool is_product = false;      ///< of two arrays, neither of which broadcasts along the folded axes
};
/// The sum over the letters that the result has not of products of elements, one letter for each axis.
struct ContractExpr {
  ExprId a, b;
  std::string a_labels, b_labels, out_labels;
};
/// The operand, unless it is zero: then the launch fails (debug=True).
struct NonZeroExpr {
  ExprId operand;
};
// Expressions that act on memory or on other threads, each once, where the source evaluates it.
/// The old element; indices as in ElementExpr.
struct AtomicExpr {
  AtomicOp op;
  ExprId array;
  std::vector<ExprId> indices;
  ExprId value, expected;  ///< of the element's type; `expected` for kCas only
};
/// Reductions: i4; others: none. The predicate is b1.
struct BarrierExpr {
  BarrierOp op;
  ExprId predicate;
};
struct FenceExpr {
  FenceScope scope;
};
/// Operands and results as kernel::Warp has them.
struct WarpExpr {
  WarpOp op;
  ExprId mask, value, lane;
};
/// Draws from generator `index` (i8 or u8) of the states, a u8 array of shape (n, 2), and moves it on. kJump has no
/// value.
enum class RandomOp : uint8_t { kNext, kJump, kUniformF4, kUniformF8, kNormalF4, kNormalF8 };
struct RandomExpr {
  RandomOp op;
  ExprId states, index;
};
/// Texts and scalars of one line.
struct PrintItem {
  std::string text;  ///< where `value` is absent
  ExprId value;      ///< a scalar, or a tuple
};
struct PrintExpr {
  std::vector<PrintItem> items;
};

struct Expr {
  Span span;
  TypeId type;
  std::variant<ConstExpr, VarExpr, UnaryExpr, BinaryExpr, CompareExpr, LogicExpr, LogicValueExpr, TernaryExpr,
               SelectExpr, ConvertExpr, ComplexExpr, PartExpr, FmaExpr, MathExpr, ThreadExpr, TupleExpr, TupleItemExpr,
               ElementExpr, ViewExpr, TransposeExpr, PartViewExpr, ExtentExpr, StrideExpr, SizeExpr, LetExpr, CallExpr,
               MemoryExpr, MapExpr, FillExpr, IotaExpr, PermuteExpr, BroadcastExpr, ReshapeExpr, SqueezeExpr,
               DiagonalExpr, JoinExpr, CopyExpr, FoldExpr, ContractExpr, NonZeroExpr, AtomicExpr, BarrierExpr,
               FenceExpr, WarpExpr, RandomExpr, PrintExpr>
      kind;
  std::optional<Constant> constant;  ///< scalars whose value is known
};

// --- statements ------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

/// The value has the variable's type.
struct AssignStmt {
  VarId var;
  ExprId value;
};
struct StoreStmt {
  ExprId array;
  std::vector<ExprId> indices;
  ExprId value;
};
/// All elements of a view, or of an array, in an array function; the value broadcasts to its shape and has its type.
struct StoreViewStmt {
  ExprId target, value;
};
/// Evaluated for what it does.
struct ExprStmt {
  ExprId value;
};
struct IfStmt {
  ExprId cond;
  Block body, orelse;
};
struct WhileStmt {
  ExprId cond;
  Block body, orelse;
};
/// for var in range(begin, end, step): bounds are i8 and evaluated once.
struct ForStmt {
  VarId var;
  ExprId begin, end, step;
  Block body, orelse;
};
/// The body once per binding: iteration over a tuple.
struct UnrolledStmt {
  std::vector<Block> bindings;
  Block body, orelse;
};
struct BreakStmt {};
struct ContinueStmt {};
struct ReturnStmt {
  ExprId value;
};
/// assert / raise. `cond` invalid: always.
struct FailStmt {
  ExprId cond;
  FailKind kind;
  std::string message;
};

struct Stmt {
  Span span;
  std::variant<AssignStmt, StoreStmt, StoreViewStmt, ExprStmt, IfStmt, WhileStmt, ForStmt, UnrolledStmt, BreakStmt,
               ContinueStmt, ReturnStmt, FailStmt>
      kind;
};

// --- functions -------------------------------------------------------------------------------------------------------

/// One live range of a name, a parameter, or a temporary of the compiler ("$1").
struct Variable {
  std::string name;
  TypeId type;
  Span span;  ///< its first assignment
  bool temporary = false;
};

/// Whether an array function's products of matrices are given to a library, whose sums have another order.
enum class BlasUse : uint8_t { never, if_there, always };

struct FunctionOptions {
  bool fma = true;
  bool check = false;
  bool debug = false;           ///< implies check; divisions by zero fail
  bool fast_functions = false;  ///< functions and square roots may be approximate
  bool fast_division = false;
  uint32_t max_threads_per_block = 0;
  uint32_t min_blocks_per_sm = 0;
  uint32_t max_registers = 0;
  bool line_info = false;  ///< a line table in the code
  BlasUse blas = BlasUse::never;
};

/// One function for one list of argument types.
struct TypedFunction {
  std::string name;
  std::string signature;  ///< canonical text
  Span span;              ///< the def's name
  bool is_kernel = false;
  bool is_array_function = false;  ///< its values may be whole arrays
  std::vector<VarId> params;
  TypeId return_type;
  FunctionOptions options;
  std::shared_ptr<const CoreLayout> layout = nullptr;  ///< of a gufunc
  base::Store<Expr, ExprId> exprs;
  base::Store<Stmt, StmtId> stmts;
  base::Store<Variable, VarId> vars;
  Block body;
};

/// What the host can call.
enum class EntryKind : uint8_t {
  kKernel,
  kUfunc,      ///< its variants are the scalar functions; the kernel around them is made by the lowering
  kGufunc,     ///< likewise of the functions of one core; results are their last parameters
  kReduction,  ///< as of ufuncs, of functions of two values
  kArray,      ///< its variants are array functions
};
/// "kernel", "ufunc", "gufunc", "reduction", "array function".
const char* spelling(EntryKind kind);

/// What the host can call, with its signatures in source order.
struct TypedKernel {
  std::string name;
  Span span;
  EntryKind kind = EntryKind::kKernel;
  std::vector<std::string> params;  ///< names; of a gufunc those of its inputs
  /// One per signature; none where the text gives no signature, and each call's types make one.
  std::vector<std::shared_ptr<const TypedFunction>> variants;
  std::shared_ptr<const CoreLayout> layout = nullptr;  ///< of a gufunc
  std::optional<Constant> identity = std::nullopt;     ///< of a ufunc
  /// A @jit without a signature, which may be there for others to call: meant only where it is named.
  bool only_by_name = false;
};

struct TypedModule {
  std::shared_ptr<types::TypeTable> types;
  std::vector<TypedKernel> kernels;  ///< source order
  /// Device functions in the order of their first use.
  std::vector<std::shared_ptr<const TypedFunction>> device_functions;
};

}  // namespace jitc::sema
