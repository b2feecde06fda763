// The syntax tree of a `.dsl` file: Python's shape, nothing resolved and nothing typed. Nodes live in append-only
// stores and refer to children by id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/base/store.hpp"
#include "src/source/span.hpp"

namespace jitc::syntax {

using source::Span;

using ExprId = base::Id<struct ExprTag>;
using StmtId = base::Id<struct StmtTag>;

enum class UnaryOp : uint8_t { kNeg, kPos, kInvert, kNot };
enum class BinaryOp : uint8_t { kAdd, kSub, kMul, kDiv, kFloorDiv, kMod, kPow, kShl, kShr, kAnd, kOr, kXor, kMatMul };
enum class CompareOp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kIs, kIsNot, kIn, kNotIn };
enum class BoolOp : uint8_t { kAnd, kOr };

/// The operator as written: "+", "not", "is not" ….
const char* spelling(UnaryOp op);
const char* spelling(BinaryOp op);
const char* spelling(CompareOp op);
const char* spelling(BoolOp op);

// --- expressions -----------------------------------------------------------------------------------------------------

struct NameExpr {
  std::string name;
};
/// Value of an integer literal; literals above 2^64-1 are a diagnostic of the parser.
struct IntLit {
  uint64_t value;
};
struct FloatLit {
  double value;
};
struct ImagLit {
  double value;
};
struct BoolLit {
  bool value;
};
struct NoneLit {};
struct StringLit {
  std::string value;
};
struct EllipsisExpr {};
struct TupleExpr {
  std::vector<ExprId> elements;
};
struct ListExpr {
  std::vector<ExprId> elements;
};
/// Strings alone: {"contract", "afn"}.
struct SetExpr {
  std::vector<ExprId> elements;
};
struct UnaryExpr {
  UnaryOp op;
  Span op_span;
  ExprId operand;
};
struct BinaryExpr {
  BinaryOp op;
  Span op_span;
  ExprId lhs, rhs;
};
/// first ops[0] rest[0] ops[1] rest[1] …
struct CompareExpr {
  ExprId first;
  std::vector<CompareOp> ops;
  std::vector<Span> op_spans;
  std::vector<ExprId> rest;
};
/// One flattened chain of the same operator: a and b and c.
struct BoolExpr {
  BoolOp op;
  std::vector<ExprId> operands;
};
struct TernaryExpr {
  ExprId cond, then_value, else_value;
};
struct KeywordArg {
  std::string name;
  Span name_span;
  ExprId value;
};
struct CallExpr {
  ExprId callee;
  std::vector<ExprId> args;
  std::vector<KeywordArg> keywords;
};
struct AttributeExpr {
  ExprId base;
  std::string name;
  Span name_span;
};
/// `index` is a TupleExpr for a[i, j] and a SliceExpr for a[lo:hi].
struct SubscriptExpr {
  ExprId base;
  ExprId index;
};
/// Each part is optional (an invalid id).
struct SliceExpr {
  ExprId lower, upper, step;
};
struct Param {
  std::string name;
  Span span;
  ExprId annotation, default_value;
};
struct LambdaExpr {
  std::vector<Param> params;
  ExprId body;
};

struct Expr {
  Span span;
  std::variant<NameExpr, IntLit, FloatLit, ImagLit, BoolLit, NoneLit, StringLit, EllipsisExpr, TupleExpr, ListExpr,
               SetExpr, UnaryExpr, BinaryExpr, CompareExpr, BoolExpr, TernaryExpr, CallExpr, AttributeExpr,
               SubscriptExpr, SliceExpr, LambdaExpr>
      kind;
  /// Nodes on the longest path to a leaf, this one included: bounds the recursion of every later stage.
  uint32_t height = 1;
};

// --- statements ------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

struct ExprStmt {
  ExprId value;
};
/// Several targets for a = b = value.
struct AssignStmt {
  std::vector<ExprId> targets;
  ExprId value;
};
struct AnnAssignStmt {
  ExprId target, annotation, value;
};
struct AugAssignStmt {
  ExprId target;
  BinaryOp op;
  Span op_span;
  ExprId value;
};
/// `elif` is an IfStmt alone in orelse.
struct IfStmt {
  ExprId cond;
  Block body, orelse;
};
struct WhileStmt {
  ExprId cond;
  Block body, orelse;
};
struct ForStmt {
  ExprId target, iterable;
  Block body, orelse;
};
struct BreakStmt {};
struct ContinueStmt {};
struct PassStmt {};
struct ReturnStmt {
  ExprId value;
};
struct AssertStmt {
  ExprId cond, message;
};
struct RaiseStmt {
  ExprId value;
};
struct DelStmt {
  std::vector<ExprId> targets;
};
struct FunctionDef {
  std::string name;
  Span name_span;
  std::vector<Param> params;
  ExprId return_annotation;
  std::vector<ExprId> decorators;
  Block body;
};
/// import numpy as np: module "numpy", alias "np" (equal to the module's last word without `as`).
struct ImportName {
  std::string module;
  std::string alias;
  Span span;
};
struct ImportStmt {
  std::vector<ImportName> names;
};
/// from math import sqrt as s; `star` for *.
struct ImportedName {
  std::string name;
  std::string alias;
  Span span;
};
struct ImportFromStmt {
  std::string module;
  Span module_span;
  std::vector<ImportedName> names;
  bool star = false;
};

struct Stmt {
  Span span;
  std::variant<ExprStmt, AssignStmt, AnnAssignStmt, AugAssignStmt, IfStmt, WhileStmt, ForStmt, BreakStmt, ContinueStmt,
               PassStmt, ReturnStmt, AssertStmt, RaiseStmt, DelStmt, FunctionDef, ImportStmt, ImportFromStmt>
      kind;
};

/// One parsed file. Immutable once the parser returns it.
struct Ast {
  base::Store<Expr, ExprId> exprs;
  base::Store<Stmt, StmtId> stmts;
  Block top_level;
};

}  // namespace jitc::syntax
