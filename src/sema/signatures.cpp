#include <algorithm>

#include "src/base/match.hpp"
#include "src/sema/decorators.hpp"
#include "src/sema/element_type.hpp"
#include "src/sema/literal_text.hpp"
#include "src/sema/nearest.hpp"
#include "src/syntax/parser.hpp"
#include "src/types/type_names.hpp"

namespace jitc::sema {

namespace {

using source::DiagId;
using source::Span;

constexpr int kMaxRank = 16;

const char kForms[] =
    "write it as a string \"void(f4, f4[:])\", a list of such strings, or with type objects: void(f4, f4[:])";

bool is_int_literal(const syntax::Ast& ast, syntax::ExprId id, uint64_t value) {
  const auto* lit = id.valid() ? std::get_if<syntax::IntLit>(&ast.exprs[id].kind) : nullptr;
  return lit != nullptr && lit->value == value;
}

/// The layout said by which axes were written ::1; nothing when the combination says none.
std::optional<Layout> layout_of(const std::vector<bool>& unit_stride) {
  const auto count = std::count(unit_stride.begin(), unit_stride.end(), true);
  if (count == 0) return Layout::any;
  if (count > 1) return std::nullopt;
  if (unit_stride.back()) return Layout::c;
  if (unit_stride.front()) return Layout::fortran;
  return std::nullopt;
}

}  // namespace

std::optional<Entity> SignatureReader::entity(syntax::ExprId expr) const {
  // A string is read in the names of numba.types, whatever the file calls its own things.
  const auto* n = std::get_if<syntax::NameExpr>(&ast_.exprs[expr].kind);
  if (n != nullptr && inside_string_) {
    if (auto found = FileScope::member(Module::kTypes, n->name)) return found;
  }
  return scope_.resolve(ast_, expr);
}

syntax::ExprId SignatureReader::parse_string(syntax::ExprId literal) {
  const std::string value = std::get<syntax::StringLit>(ast_.exprs[literal].kind).value;
  const Span span = ast_.exprs[literal].span;
  if (const auto inner = inside_quotes(file_, span, value)) return syntax::parse_expression(file_, *inner, ast_, sink_);
  // Escapes or joined literals: spans cannot point inside, so every node points at the whole literal.
  const source::SourceFile detached(file_.name(), value);
  source::DiagnosticSink own;
  const size_t first = ast_.exprs.size();
  const syntax::ExprId out = syntax::parse_expression(detached, {0, static_cast<uint32_t>(value.size())}, ast_, own);
  for (uint32_t i = static_cast<uint32_t>(first); i < ast_.exprs.size(); ++i) ast_.exprs[syntax::ExprId(i)].span = span;
  for (const source::Diagnostic& d : own.all()) sink_.report(DiagId::kBadSignature, span, d.message).help(kForms);
  return own.has_errors() ? syntax::ExprId() : out;
}

bool SignatureReader::read(syntax::ExprId expr, std::vector<Signature>& out) {
  const syntax::Expr node = ast_.exprs[expr];
  if (std::holds_alternative<syntax::StringLit>(node.kind)) {
    const syntax::ExprId inner = parse_string(expr);
    if (!inner.valid()) return false;
    const bool was = std::exchange(inside_string_, true);
    const bool ok = read(inner, out);
    inside_string_ = was;
    return ok;
  }
  if (const auto* list = std::get_if<syntax::ListExpr>(&node.kind)) {
    bool ok = true;
    for (syntax::ExprId e : list->elements) ok = read(e, out) && ok;
    return ok;
  }
  if (const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind)) {
    Signature s;
    s.span = node.span;
    if (!read_params(tuple->elements, s)) return false;
    out.push_back(std::move(s));
    return true;
  }
  if (const auto* call = std::get_if<syntax::CallExpr>(&node.kind); call && !is_type_constructor(call->callee)) {
    return read_call(expr, *call, out);
  }
  // "(f4)" is a parenthesised type: one parameter.
  if (const auto type = read_type(expr)) {
    out.push_back({{{*type, node.span}}, TypeId(), {}, node.span});
    return true;
  }
  return false;
}

bool SignatureReader::read_call(syntax::ExprId expr, const syntax::CallExpr& call, std::vector<Signature>& out) {
  Signature s;
  s.span = ast_.exprs[expr].span;
  s.return_span = ast_.exprs[call.callee].span;
  if (!call.keywords.empty()) {
    sink_.report(DiagId::kBadSignature, call.keywords[0].name_span, "keywords have no place in a signature")
        .help(kForms);
    return false;
  }
  const auto return_type = read_return_type(call.callee);
  if (!return_type) return false;
  s.return_type = *return_type;
  if (!read_params(call.args, s)) return false;
  out.push_back(std::move(s));
  return true;
}

/// "(f4, f4)(f4)": a tuple stands for several results.
std::optional<TypeId> SignatureReader::read_return_type(syntax::ExprId expr) {
  const syntax::Expr node = ast_.exprs[expr];
  const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind);
  if (tuple == nullptr) return read_type(expr);
  std::vector<TypeId> items;
  for (const syntax::ExprId item : tuple->elements) {
    const auto type = read_type(item);
    if (!type) return std::nullopt;
    items.push_back(*type);
  }
  return types_.tuple(std::move(items));
}

bool SignatureReader::read_params(const std::vector<syntax::ExprId>& exprs, Signature& out) {
  bool ok = true;
  for (syntax::ExprId e : exprs) {
    const auto type = read_type(e);
    if (!type) {
      ok = false;
      continue;
    }
    if (*type == types_.none()) {
      sink_.report(DiagId::kBadSignature, ast_.exprs[e].span, "a parameter cannot be void").help(kForms);
      ok = false;
      continue;
    }
    out.params.push_back({*type, ast_.exprs[e].span});
  }
  return ok;
}

bool SignatureReader::read_argtypes(syntax::ExprId expr, std::vector<Signature>& out) {
  const syntax::Expr node = ast_.exprs[expr];
  const std::vector<syntax::ExprId>* elements = nullptr;
  if (const auto* l = std::get_if<syntax::ListExpr>(&node.kind)) elements = &l->elements;
  if (const auto* t = std::get_if<syntax::TupleExpr>(&node.kind)) elements = &t->elements;
  if (elements == nullptr) {
    sink_.report(DiagId::kBadSignature, node.span, "argtypes must be a list of types").help("argtypes=[f4, f4[:]]");
    return false;
  }
  Signature s;
  s.span = node.span;
  if (!read_params(*elements, s)) return false;
  out.push_back(std::move(s));
  return true;
}

std::optional<TypeId> SignatureReader::read_type(syntax::ExprId expr) {
  const syntax::Expr node = ast_.exprs[expr];
  if (std::holds_alternative<syntax::StringLit>(node.kind)) {
    const syntax::ExprId inner = parse_string(expr);
    if (!inner.valid()) return std::nullopt;
    const bool was = std::exchange(inside_string_, true);
    const auto type = read_type(inner);
    inside_string_ = was;
    return type;
  }
  if (const auto* s = std::get_if<syntax::SubscriptExpr>(&node.kind)) return array_type(expr, *s);
  if (const auto* c = std::get_if<syntax::CallExpr>(&node.kind)) return constructed_type(expr, *c);
  return named_type(expr);
}

std::optional<TypeId> SignatureReader::named_type(syntax::ExprId expr) {
  const Span span = ast_.exprs[expr].span;
  if (std::holds_alternative<syntax::NoneLit>(ast_.exprs[expr].kind)) return types_.none();
  const auto found = entity(expr);
  if (found) {
    if (const auto dtype = dtype_named_by(ast_, expr, found)) return types_.scalar(*dtype);
    if (const auto* s = std::get_if<SignatureEntity>(&*found); s && (s->name == "void" || s->name == "none")) {
      return types_.none();
    }
    if (std::holds_alternative<BadEntity>(*found)) return std::nullopt;
  }
  const auto* n = std::get_if<syntax::NameExpr>(&ast_.exprs[expr].kind);
  auto report = sink_.report(DiagId::kUnknownType, span, file_.text(span).substr(0, 60));
  if (const auto near = n ? nearest_name(n->name, types::scalar_type_names()) : std::nullopt) {
    report.help(fmt::format("did you mean '{}'?", *near)).fixit(span, *near);
  } else {
    report.help(kForms);
  }
  return std::nullopt;
}

bool SignatureReader::read_axis(syntax::ExprId axis, types::ArrayType& type, std::vector<bool>& unit_stride) {
  const syntax::Expr node = ast_.exprs[axis];
  std::string name;
  bool unit = false;
  if (const auto* n = std::get_if<syntax::NameExpr>(&node.kind)) {
    name = n->name;
  } else {
    const auto* s = std::get_if<syntax::SliceExpr>(&node.kind);
    unit = s != nullptr && is_int_literal(ast_, s->step, 1);
    if (s == nullptr || s->lower.valid() || s->upper.valid() || (s->step.valid() && !unit)) {
      sink_.report(DiagId::kBadAxis, node.span)
          .help("an axis is ':' (any stride), '::1' (contiguous, last or first axis) or the name of its extent");
      return false;
    }
  }
  type.extent_names.push_back(name);
  unit_stride.push_back(unit);
  return true;
}

std::optional<TypeId> SignatureReader::array_type(syntax::ExprId expr, const syntax::SubscriptExpr& subscript) {
  const auto elem = read_type(subscript.base);
  if (!elem) return std::nullopt;
  const types::Scalar* scalar = types_.as_scalar(*elem);
  const Span span = ast_.exprs[expr].span;
  if (scalar == nullptr) {
    sink_.report(DiagId::kBadSignature, span, "only scalars can be elements of an array").help(kForms);
    return std::nullopt;
  }
  const syntax::Expr index = ast_.exprs[subscript.index];
  const auto* tuple = std::get_if<syntax::TupleExpr>(&index.kind);
  const std::vector<syntax::ExprId> axes = tuple ? tuple->elements : std::vector<syntax::ExprId>{subscript.index};
  if (axes.empty() || axes.size() > static_cast<size_t>(kMaxRank)) {
    sink_.report(DiagId::kRankTooHigh, index.span, axes.size(), kMaxRank);
    return std::nullopt;
  }
  types::ArrayType type;
  type.dtype = scalar->dtype;
  type.rank = static_cast<int>(axes.size());
  std::vector<bool> unit_stride;
  for (syntax::ExprId axis : axes) {
    if (!read_axis(axis, type, unit_stride)) return std::nullopt;
  }
  const auto layout = layout_of(unit_stride);
  if (!layout) {
    sink_.report(DiagId::kBadAxis, index.span)
        .help("'::1' goes on the last axis (C order) or on the first (Fortran order)");
    return std::nullopt;
  }
  type.layout = *layout;
  const auto named = [](const std::string& n) { return !n.empty(); };
  if (std::none_of(type.extent_names.begin(), type.extent_names.end(), named)) type.extent_names.clear();
  return types_.array(std::move(type));
}

bool SignatureReader::is_type_constructor(syntax::ExprId callee) const {
  const auto found = entity(callee);
  const auto* s = found ? std::get_if<SignatureEntity>(&*found) : nullptr;
  return s != nullptr && s->name != "void" && s->name != "none";
}

/// Array(float32, 2, 'C'), Tuple((f4, i8)), UniTuple(f4, 3).
std::optional<TypeId> SignatureReader::constructed_type(syntax::ExprId expr, const syntax::CallExpr& call) {
  const Span span = ast_.exprs[expr].span;
  const auto bad = [&](const char* why) {
    sink_.report(DiagId::kBadSignature, span, why).help(kForms);
    return std::optional<TypeId>();
  };
  if (!is_type_constructor(call.callee)) return bad("a type is expected here, not a signature");
  const std::string constructor = std::get<SignatureEntity>(*entity(call.callee)).name;
  if (constructor == "Tuple" && call.args.size() == 1) {
    const syntax::Expr list = ast_.exprs[call.args[0]];
    const auto* t = std::get_if<syntax::TupleExpr>(&list.kind);
    const auto* l = std::get_if<syntax::ListExpr>(&list.kind);
    if (t == nullptr && l == nullptr) return bad("Tuple takes a tuple of types");
    std::vector<TypeId> elements;
    for (syntax::ExprId e : t ? t->elements : l->elements) {
      const auto type = read_type(e);
      if (!type) return std::nullopt;
      elements.push_back(*type);
    }
    return types_.tuple(std::move(elements));
  }
  if (call.args.size() < 2) return bad("too few arguments");
  const auto first = read_type(call.args[0]);
  if (!first) return std::nullopt;
  const auto* count = std::get_if<syntax::IntLit>(&ast_.exprs[call.args[1]].kind);
  if (count == nullptr) return bad("the second argument must be an int literal");
  if (constructor == "UniTuple") {
    constexpr uint64_t kMaxElements = 64;
    if (count->value > kMaxElements) return bad("a tuple has at most 64 elements");
    return types_.tuple(std::vector<TypeId>(count->value, *first));
  }
  const types::Scalar* scalar = types_.as_scalar(*first);
  if (scalar == nullptr) return bad("only scalars can be elements of an array");
  if (count->value < 1 || count->value > kMaxRank) {
    sink_.report(DiagId::kRankTooHigh, ast_.exprs[call.args[1]].span, count->value, kMaxRank);
    return std::nullopt;
  }
  types::ArrayType type{scalar->dtype, static_cast<int>(count->value)};
  if (call.args.size() > 2) {
    const auto* layout = std::get_if<syntax::StringLit>(&ast_.exprs[call.args[2]].kind);
    if (layout == nullptr || (layout->value != "A" && layout->value != "C" && layout->value != "F")) {
      return bad("the layout is 'A', 'C' or 'F'");
    }
    type.layout = layout->value == "C" ? Layout::c : layout->value == "F" ? Layout::fortran : Layout::any;
  }
  return types_.array(std::move(type));
}

bool read_outside_signature(const std::string& text, const FileScope& scope, types::TypeTable& types,
                            source::DiagnosticSink& sink, Span where, std::vector<Signature>& out) {
  const source::SourceFile file("<signature>", text);
  syntax::Ast ast;
  source::DiagnosticSink own;
  std::vector<Signature> read;
  const syntax::ExprId expr = syntax::parse_expression(file, {0, static_cast<uint32_t>(text.size())}, ast, own);
  if (expr.valid()) {
    SignatureReader reader(file, ast, scope, types, own);
    reader.read(expr, read);
  }
  for (const source::Diagnostic& d : own.all()) {
    sink.report(DiagId::kBadSignature, where, fmt::format("in the given signature \"{}\": {}", text, d.message))
        .help(kForms);
  }
  if (own.has_errors()) return false;
  for (Signature& s : read) {
    s.span = s.return_span = where;
    for (auto& p : s.params) p.span = where;
    out.push_back(std::move(s));
  }
  return true;
}

}  // namespace jitc::sema
