#include "src/array/function_writer.hpp"

#include <fmt/format.h>

#include <map>

#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

using sema::ExprId;
using sema::VarId;

class Writer {
 public:
  Writer(types::TypeTable& types, const Program& program, const LeafOf& leaf_of)
      : types_(types), program_(program), leaf_of_(leaf_of) {}

  WrittenFunction run(const std::vector<NodeId>& roots, const std::string& name, const std::vector<NodeId>& first) {
    fn_->name = name;
    fn_->options.fma = false;
    fn_->span = program_.nodes[roots.front()].span;
    for (const NodeId leaf : first) param(leaf, program_.nodes[leaf].dtype);
    std::vector<ExprId> values;
    std::vector<sema::TypeId> types;
    for (const NodeId root : roots) {
      values.push_back(value(root));
      types.push_back(types_.scalar(program_.nodes[root].dtype));
    }
    ExprId result = values.front();
    fn_->return_type = types.front();
    if (roots.size() > 1) {
      fn_->return_type = types_.tuple(std::move(types));
      result = add(fn_->return_type, sema::TupleExpr{std::move(values)});
    }
    fn_->body.push_back(fn_->stmts.add({fn_->span, sema::ReturnStmt{result}}));
    return {fn_, std::move(leaves_)};
  }

 private:
  template <class Kind>
  ExprId add(sema::TypeId type, Kind kind) {
    return fn_->exprs.add({span_, type, std::move(kind), std::nullopt});
  }

  ExprId value(NodeId given) {
    const NodeId id = through_fill(program_, given);
    const NodeId leaf = leaf_of_(id);
    if (leaf.valid()) return param(leaf, program_.nodes[leaf].dtype);
    const Node& node = program_.nodes[id];
    if (const NodeId base = view_base(node); base.valid()) return value(base);
    if (const auto* item = std::get_if<Item>(&node.kind)) {
      const VarId whole = variable(item->map);
      return add(types_.scalar(node.dtype), sema::TupleItemExpr{read(whole), item->item});
    }
    return read(variable(id));
  }

  ExprId read(VarId var) { return add(fn_->vars[var].type, sema::VarExpr{var}); }

  ExprId param(NodeId leaf, DType dtype) {
    const auto found = params_.find(leaf.index);
    if (found != params_.end()) return read(found->second);
    const VarId var =
        fn_->vars.add({fmt::format("a{}", leaves_.size()), types_.scalar(dtype), program_.nodes[leaf].span, true});
    fn_->params.push_back(var);
    leaves_.push_back(leaf);
    params_.emplace(leaf.index, var);
    return read(var);
  }

  /// The variable that holds what a map computes.
  VarId variable(NodeId id) {
    const auto found = variables_.find(id.index);
    if (found != variables_.end()) return found->second;
    const Node& node = program_.nodes[id];
    const Map& map = *as_map(program_, id);
    std::vector<ExprId> args;
    for (const NodeId arg : map.args) args.push_back(value(arg));
    span_ = node.span;
    const sema::TypeId type = map.function->return_type;
    const VarId var = fn_->vars.add({fmt::format("t{}", variables_.size()), type, node.span, true});
    const ExprId call = add(type, sema::CallExpr{map.function, std::move(args)});
    fn_->body.push_back(fn_->stmts.add({node.span, sema::AssignStmt{var, call}}));
    variables_.emplace(id.index, var);
    return var;
  }

  types::TypeTable& types_;
  const Program& program_;
  const LeafOf& leaf_of_;
  std::shared_ptr<sema::TypedFunction> fn_ = std::make_shared<sema::TypedFunction>();
  std::vector<NodeId> leaves_;
  std::map<uint32_t, VarId> params_, variables_;
  Span span_;
};

}  // namespace

WrittenFunction write_function(types::TypeTable& types, const Program& program, const std::vector<NodeId>& roots,
                               const LeafOf& leaf_of, const std::string& name, const std::vector<NodeId>& first) {
  return Writer(types, program, leaf_of).run(roots, name, first);
}

}  // namespace jitc::array
