// Types one function for one list of argument types. Private to src/sema; its methods are spread over type_*.cpp by
// idea: statements, expressions, operators, calls, built-ins, arrays.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sema/complex_functions.hpp"
#include "src/sema/decorators.hpp"
#include "src/sema/file_scope.hpp"
#include "src/sema/live_ranges.hpp"
#include "src/sema/sema.hpp"
#include "src/sema/typed.hpp"

namespace jitc::sema {

struct LibdeviceFunction;

/// What an argument of a call, or a definition of a live range, brings along.
struct ValueInfo {
  TypeId type;
  std::optional<Constant> constant;               ///< scalars
  std::vector<std::optional<Constant>> elements;  ///< tuples of scalars

  bool operator==(const ValueInfo&) const = default;
};

/// Shared by the typers of one module.
struct TyperContext {
  const source::SourceFile& file;
  syntax::Ast& ast;
  source::DiagnosticSink& sink;
  types::TypeTable& types;
  FileScope& scope;
  const AnalyzeOptions& options;
  std::vector<FunctionSpec> specs;  ///< by FileScope function index

  struct Instance {
    uint32_t function;
    std::vector<ValueInfo> args;
    bool check, debug;                           ///< as its callers have them
    bool arrays;                                 ///< called from an array function
    std::shared_ptr<const TypedFunction> typed;  ///< null when it has errors
    ValueInfo result;
  };
  std::vector<Instance> instances;
  /// Calls that failed while their caller was still inferring, unreported: typing them anew in each pass of each caller
  /// would take time exponential in the depth of the calls.
  struct QuietFailure {
    uint32_t function;
    std::vector<ValueInfo> args;
    bool operator==(const QuietFailure&) const = default;
  };
  std::vector<QuietFailure> quiet_failures;
  struct Active {
    uint32_t function;
    source::Span call;
  };
  std::vector<Active> active;  ///< the functions being typed, outermost first
  int quiet = 0;               ///< above 0 while some caller is still inferring: its types are provisional
};

class FunctionTyper {
 public:
  struct Request {
    uint32_t function = 0;
    const syntax::FunctionDef* def = nullptr;
    std::vector<ValueInfo> args;
    std::optional<TypeId> declared_return;  ///< from a signature
    FunctionOptions options;
    bool is_kernel = false;
    bool is_array = false;  ///< an array function, or called by one
  };

  FunctionTyper(TyperContext& context, Request request);

  /// The typed function, or null when it has errors (which were reported).
  std::shared_ptr<const TypedFunction> run();
  /// Type and constant of what it returns; after run().
  const ValueInfo& result() const { return result_; }

 private:
  friend class ArrayTyper;
  using SynExprId = syntax::ExprId;
  using Scalar = types::Scalar;

  /// Knowledge about one live range, growing over the definitions of one pass.
  struct RangeState {
    ValueInfo info;
    uint32_t defs_seen = 0;
    Int128 lowest_const = 0, highest_const = 0;  ///< of weak int constants seen
    bool has_const = false;
  };

  // --- function_typer.cpp: passes and live ranges ---
  bool pass(bool final);
  void begin_pass(bool final);
  void declare_params();
  ValueInfo range_info(RangeId range) const;
  void define(RangeId range, ExprId value);
  ValueInfo join_info(const RangeState& state, const ValueInfo& next);
  VarId range_var(RangeId range);
  VarId temporary(TypeId type, Span span);
  void finish_return_type();
  TypeId at_run_time(TypeId type);
  std::string signature_text() const;
  ValueInfo info_of(ExprId expr) const;

  // --- reports: silent unless this is the final pass ---
  template <class... Args>
  source::DiagnosticSink::Handle report(source::DiagId id, Span span, const Args&... args) {
    failed_ = true;
    return (final_ && ctx_.quiet == 0 ? ctx_.sink : muted_).report(id, span, args...);
  }
  template <class... Args>
  source::DiagnosticSink::Handle warn(source::DiagId id, Span span, const Args&... args) {
    return (final_ && ctx_.quiet == 0 ? ctx_.sink : muted_).report(id, span, args...);
  }
  void warn_f64(Span span, Scalar a, Scalar b, Scalar result);

  // --- type_stmts.cpp ---
  /// Types the statements of a block; false when control cannot leave its end.
  bool type_block(const syntax::Block& block, Block& out);
  bool type_stmt(syntax::StmtId id);
  void type_assign(const syntax::AssignStmt& s, Span span);
  void assign(SynExprId target, ExprId value, Span span);
  void assign_tuple(const std::vector<SynExprId>& targets, ExprId value, Span target_span);
  std::vector<ExprId> fix_elements(ExprId tuple);
  void report_bad_target(Span span);
  void type_aug_assign(const syntax::AugAssignStmt& s, Span span);
  bool type_if(const syntax::IfStmt& s, Span span);
  bool type_while(const syntax::WhileStmt& s, Span span);
  bool type_for(const syntax::ForStmt& s, Span span);
  void type_for_range(const syntax::ForStmt& s, const syntax::CallExpr& call, Span span);
  void type_for_tuple(const syntax::ForStmt& s, ExprId tuple, Span span);
  void type_for_indexed(const syntax::ForStmt& s, Span span);
  void loop_body(const syntax::ForStmt& s, SynExprId target, ExprId value, Block& body, Block& orelse);
  bool type_return(const syntax::ReturnStmt& s, Span span);
  void type_assert(const syntax::AssertStmt& s, Span span);
  void type_raise(const syntax::RaiseStmt& s, Span span);
  void type_expr_stmt(const syntax::ExprStmt& s, Span span);
  StmtId emit(Span span, decltype(Stmt::kind) kind);
  // --- type_stores.cpp ---
  void assign_element(const syntax::SubscriptExpr& target, Span target_span, ExprId value, Span span);
  void store_view(ExprId view, ExprId value, Span span);
  void store_where(ExprId array, ExprId mask, ExprId value, Span span, bool is_augmented = false);
  bool fits_augmented(ExprId target, ExprId result, Span span);
  void store_augmented(ExprId target, ExprId result, Span span);
  std::optional<ExprId> part_target(SynExprId target);
  bool is_computed_target(ExprId array, SynExprId base);
  std::optional<ExprId> mask_index(SynExprId index);
  void type_aug_element(const syntax::AugAssignStmt& s, const syntax::SubscriptExpr& target, Span span);

  /// How the k-th value of an iterable is made.
  struct Iteration {
    ExprId count;  ///< i8
    std::function<ExprId(ExprId index)> element;
    bool ok = false;
  };
  Iteration iterate(SynExprId iterable);
  Iteration iterate_range(const syntax::CallExpr& call, Span span);
  Iteration iterate_array(ExprId array, Span span);
  Iteration iterate_zip(const syntax::CallExpr& call, Span span);
  Iteration iterate_enumerate(const syntax::CallExpr& call, Span span);
  struct RangeBounds {
    ExprId begin, end, step;
    bool ok = false;
  };
  RangeBounds range_bounds(const syntax::CallExpr& call, Span span);

  // --- type_exprs.cpp ---
  ExprId type_expr(SynExprId id);
  ExprId type_name(const syntax::NameExpr& e, SynExprId id, Span span);
  ExprId type_attribute(const syntax::AttributeExpr& e, Span span);
  ExprId type_ternary(const syntax::TernaryExpr& e, Span span);
  ExprId type_logic(const syntax::BoolExpr& e, Span span);
  ExprId type_tuple(const std::vector<SynExprId>& elements, Span span);
  ExprId unsupported(Span span, std::string_view what, std::string_view instead);
  /// The meaning of a name or attribute that is not a value: module, function, type.
  std::optional<Entity> entity(SynExprId id);
  ExprId static_value(const StaticValue& value, Span span, const std::string& name = "");

  ExprId add(Span span, TypeId type, decltype(Expr::kind) kind);
  ExprId poison(Span span) { return add(span, ctx_.types.unknown(), ConstExpr{}); }
  ExprId constant(Span span, Scalar type, Constant value);
  ExprId weak_int(Span span, Int128 value);
  ExprId copy(ExprId id);
  TypeId type_of(ExprId id) const { return fn_->exprs[id].type; }
  Span span_of(ExprId id) const { return fn_->exprs[id].span; }
  const std::optional<Constant>& constant_of(ExprId id) const { return fn_->exprs[id].constant; }
  bool unknown(ExprId id) const { return ctx_.types.is_unknown(type_of(id)); }
  const Scalar* scalar_of(ExprId id) const { return ctx_.types.as_scalar(type_of(id)); }
  const types::ArrayType* array_of(ExprId id) const { return ctx_.types.as_array(type_of(id)); }
  /// The scalar of an expression, or a report that `what` needs a number.
  std::optional<Scalar> require_scalar(ExprId id, std::string_view what);
  std::string type_text(ExprId id) const { return ctx_.types.to_string(type_of(id)); }

  // --- type_convert.cpp ---
  /// As a cast does: stores, returns, explicit casts.
  ExprId convert(ExprId id, TypeId to);
  ExprId to_dtype(ExprId id, DType dtype) { return convert(id, ctx_.types.scalar(dtype)); }
  ExprId to_bool(ExprId id);
  /// Where operands meet: an int constant that is no value of `to` is an error.
  ExprId adapt(ExprId id, Scalar to);
  Scalar meet(ExprId a, ExprId b, bool arithmetic);
  std::optional<TypeId> join_types(TypeId a, TypeId b);
  /// Two arrays that one variable cannot hold because of where they are.
  bool differ_in_memory(TypeId a, TypeId b) const;
  static constexpr const char* kMemoryHelp =
      "the memory of an array is part of its type; choose between elements, or use two names";
  /// An expression that may be used several times: constants and variables as they are, others through a Let.
  struct Shared {
    ExprId value;  ///< use it any number of times through copy()
    VarId var;     ///< invalid when no Let is needed
    ExprId init;
  };
  Shared share(ExprId id);
  ExprId wrap(const Shared& shared, ExprId body);

  // --- type_operators.cpp ---
  ExprId type_unary(syntax::UnaryOp op, ExprId operand, Span span);
  ExprId type_binary(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId type_power(ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId signed_exponent(ExprId exponent);
  ExprId power_by_multiplication(ExprId base, int64_t exponent, Span span);
  ExprId type_shift(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId type_bitwise(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId type_compare(const syntax::CompareExpr& e, Span span);
  ExprId type_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId compare_with_constant(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span);
  ExprId type_membership(bool negated, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId bad_operands(ExprId lhs, ExprId rhs, std::string_view op, Span op_span, std::string_view help);
  ExprId binary(BinaryOp op, ExprId lhs, ExprId rhs, Span span, bool product = false);
  /// A function of the math library, approximate where the function's text asks for fastmath.
  ExprId math(Span span, TypeId type, kernel::MathFn fn, std::vector<ExprId> args);
  /// Of f4, and of what is computed as f4.
  bool has_fast_variants(TypeId type) const;
  bool is_fast(TypeId type) const;
  ExprId fuse_or_binary(BinaryOp op, ExprId lhs, ExprId rhs, Span span);
  ExprId negate(ExprId id);
  ExprId nonzero_divisor(ExprId divisor, Span op_span);

  // --- type_array_ops.cpp: array functions ---
  /// Whole arrays are values here: not inside the function of one element.
  bool has_arrays() const { return request_.is_array && element_depth_ == 0; }
  bool any_array(const std::vector<ExprId>& args) const;
  TypeId array_type(DType dtype, int rank);
  TypeId value_type(DType dtype, int rank);
  int rank_of(ExprId id) const;
  DType element_dtype(ExprId id) const;
  using MakeElement = std::function<ExprId(const std::vector<ExprId>&)>;
  /// What `make` makes of one element of each argument, for all elements; arguments broadcast.
  ExprId map_elements(const std::vector<ExprId>& args, Span span, const MakeElement& make);
  ExprId copy_constant(const TypedFunction& from, ExprId id);
  ExprId element_param(const TypedFunction& outer, ExprId arg, MapExpr& map);
  std::vector<TypeId> finish_map(TypedFunction& function, ExprId value);
  ExprId map_binary(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  std::optional<ExprId> bool_elements(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId map_unary(syntax::UnaryOp op, ExprId operand, Span span);
  ExprId map_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId map_cast(ExprId array, DType dtype, Span span);
  ExprId array_part(ExprId array, const std::string& name, Span span);
  ExprId map_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args, const syntax::CallExpr& e, Span span);
  std::optional<ExprId> call_method(ExprId array, const syntax::AttributeExpr& method, const syntax::CallExpr& e,
                                    Span span);
  bool is_reduction_call(const BuiltinEntity& b, const syntax::CallExpr& e);

  // --- type_complex.cpp ---
  bool is_complex_value(ExprId id) const;
  TypeId part_type_of(Scalar complex);
  ExprId complex_value(Scalar type, ExprId real, ExprId imag, Span span);
  ExprId part(ExprId id, bool imag);
  ExprId part_number(ExprId like, double value);
  ExprId part_operation(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span);
  ExprId convert_complex(ExprId id, TypeId to);
  ExprId negate_complex(ExprId id, Span span);
  ExprId complex_binary(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Scalar type, Span span, Span op_span);
  ExprId complex_function(ComplexFunction function, const std::vector<ExprId>& parts, Scalar type, Span span);
  ExprId complex_power(ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId complex_comparison(syntax::CompareOp op, ExprId lhs, ExprId rhs, Span span, Span op_span);
  ExprId complex_select(ExprId cond, ExprId a, ExprId b, Scalar type, Span span);
  std::optional<ExprId> number_attribute(ExprId id, std::string_view name, Span span);
  ExprId call_complex(const std::vector<ExprId>& args, Span span);
  ExprId complex_magnitude(ExprId id, Span span);
  ExprId call_phase(ExprId arg, Span span);
  ExprId call_polar(ExprId arg, Span span);
  ExprId call_rect(const std::vector<ExprId>& args, Span span);
  ExprId complex_predicate(UnaryOp op, ExprId id, Span span);
  ExprId complex_math(const ComplexBuiltin& builtin, ExprId arg, Span span);
  std::optional<ExprId> complex_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args,
                                        const std::string& callee, Span span);

  // --- type_calls.cpp ---
  ExprId type_call(const syntax::CallExpr& e, Span span);
  ExprId call_function(uint32_t function, const syntax::CallExpr& e, Span span);
  ExprId call_with(uint32_t function, std::vector<ExprId> args, Span span);
  bool is_namespace(SynExprId id);
  ExprId cast_call(DType dtype, const syntax::CallExpr& e, Span span);
  std::vector<ExprId> bind_arguments(const syntax::FunctionDef& def, const syntax::CallExpr& e, Span span, bool& ok);
  TypeId parameter_type(TypeId declared, ExprId arg);
  const TyperContext::Instance* instantiate(uint32_t function, const std::vector<ExprId>& args, Span span);
  const Signature* choose_signature(uint32_t function, const std::vector<ExprId>& args, Span span);

  // --- type_builtins.cpp ---
  ExprId call_builtin(const BuiltinEntity& b, const syntax::CallExpr& e, Span span);
  ExprId apply_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args, const syntax::CallExpr& e, Span span);
  /// The argument as the float type that a function of floats computes it in.
  std::optional<Scalar> float_operand(ExprId arg, const BuiltinEntity& b);
  std::optional<Scalar> common_float(const BuiltinEntity& b, const std::vector<ExprId>& args);
  ExprId float_function(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_operator(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_min_max(const BuiltinEntity& b, std::vector<ExprId> args, Span span);
  ExprId call_predicate(const BuiltinEntity& b, ExprId arg, Span span);
  ExprId call_abs(ExprId arg, Span span);
  ExprId call_round(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_divmod(const std::vector<ExprId>& args, Span span);
  ExprId call_python_cast(PythonCast to, ExprId arg, Span span);
  ExprId call_len(ExprId arg, Span span);
  ExprId call_grid(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_where(const std::vector<ExprId>& args, Span span);
  ExprId call_fma(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_ldexp(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_frexp(const BuiltinEntity& b, ExprId arg, Span span);
  ExprId call_sincos(const BuiltinEntity& b, ExprId arg, Span span);
  ExprId call_modf(const BuiltinEntity& b, ExprId arg, Span span);
  ExprId call_fmod(const BuiltinEntity& b, const std::vector<ExprId>& args, Span span);
  ExprId call_sign(const BuiltinEntity& b, ExprId arg, Span span);
  ExprId call_logical(Logical logical, const std::vector<ExprId>& args, Span span);
  ExprId thread_value(ThreadValue value, uint8_t axis, Span span);

  std::string callee_text(const syntax::CallExpr& e) const;

  // --- type_libdevice.cpp ---
  ExprId call_libdevice(const LibdeviceFunction& function, const std::vector<ExprId>& args, Span span);
  ExprId libdevice_value(const LibdeviceFunction& function, const std::vector<ExprId>& args, Span span);
  ExprId math_call(MathFn fn, const std::vector<ExprId>& args, Span span);

  // --- type_memory.cpp ---
  std::optional<std::vector<SynExprId>> bind_parameters(const std::vector<std::string_view>& names, size_t needed,
                                                        const syntax::CallExpr& e, Span span);
  std::optional<std::vector<Int128>> constant_shape(SynExprId id, const std::string& callee);
  std::optional<DType> element_type(SynExprId id, const std::string& callee);
  std::optional<uint32_t> alignment(SynExprId id);
  ExprId call_memory_array(const BuiltinEntity& b, const syntax::CallExpr& e, Span span);
  ExprId call_const_array(const syntax::CallExpr& e, Span span);
  ExprId memory_array(MemoryExpr memory, Span span);
  ExprId constant_array(const StaticValue& value, const std::string& name, Span span);
  bool require_writable(ExprId array, Span span);

  // --- type_atomics.cpp ---
  ExprId call_random(const BuiltinEntity& b, const syntax::CallExpr& e, Span span);
  ExprId call_atomic(const BuiltinEntity& b, const syntax::CallExpr& e, Span span);
  bool require_atomic_array(ExprId array, AtomicOp op, const std::string& callee);

  // --- type_threads.cpp ---
  std::optional<ExprId> thread_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args,
                                       const std::string& callee, Span span);
  bool require_int(ExprId id, const std::string& callee, bool or_bool);
  ExprId lane_mask(ExprId mask, const std::string& callee);
  ExprId lane_value(ExprId value, const std::string& callee);
  ExprId call_barrier(BarrierOp op, const std::vector<ExprId>& args, const std::string& callee, Span span);
  ExprId call_syncwarp(const std::vector<ExprId>& args, const std::string& callee, Span span);
  ExprId call_shuffle(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span);
  ExprId call_vote(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span);
  ExprId call_match(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span);
  ExprId call_lanemask_lt(Span span);
  ExprId call_bits(UnaryOp op, ExprId arg, const std::string& callee, Span span);
  ExprId grid_method(const syntax::AttributeExpr& method, const syntax::CallExpr& e, Span span);

  // --- type_print.cpp ---
  ExprId call_print(const syntax::CallExpr& e, Span span);
  bool print_item(SynExprId id, PrintExpr& out);
  bool printable(TypeId type) const;

  // --- type_tuples.cpp ---
  ExprId tuple_element(ExprId tuple, uint32_t index, Span span);
  ExprId tuple_item(ExprId tuple, SynExprId index, Span span);
  ExprId tuple_slice(ExprId tuple, const syntax::SliceExpr& slice, Span span);
  std::optional<ExprId> tuple_binary(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span);

  // --- type_arrays.cpp ---
  ExprId type_subscript(const syntax::SubscriptExpr& e, Span span);
  /// The parts of a[…], tuples spread out. False after a report.
  struct IndexList {
    std::vector<AxisSelection> axes;
    bool all_indices = true;
    bool ok = false;
  };
  IndexList type_index_list(ExprId array, SynExprId index, Span span);
  bool add_index(ExprId value, IndexList& out);
  std::optional<ExprId> slice_bound(SynExprId id);
  ExprId select(ExprId array, const IndexList& list, Span span);
  ExprId array_attribute(ExprId array, const std::string& name, Span name_span, Span span);
  const ConstantArray* table_of(ExprId array) const;
  ExprId extent(ExprId array, uint32_t axis, Span span);

  TyperContext& ctx_;
  Request request_;
  LiveRanges ranges_;
  std::shared_ptr<TypedFunction> fn_;
  std::vector<RangeState> known_, next_;  ///< by range: last pass's result, this pass's so far
  RangeState return_known_, return_next_;
  std::vector<VarId> range_vars_;
  std::vector<SynExprId> return_spans_;
  Block* block_ = nullptr;  ///< where statements go
  std::vector<bool> loop_has_break_;
  source::DiagnosticSink muted_{0};
  std::optional<std::pair<SynExprId, ExprId>> pretyped_;  ///< the object of a method call
  int element_depth_ = 0;                                 ///< above 0 inside the function of one element
  bool final_ = false;
  bool failed_ = false;
  bool quiet_division_ = false;  ///< inside a function of NumPy, which gives inf and nan where Python raises
  bool widen_only_ = false;      ///< after many passes: types only grow, so that inference ends
  ValueInfo result_;
};

}  // namespace jitc::sema
