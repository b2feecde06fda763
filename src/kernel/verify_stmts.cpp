// Rules of the statements: types of what they store and test, and labels that are in scope.
#include <algorithm>

#include "src/base/match.hpp"
#include "src/kernel/verify_rules.hpp"

namespace jitc::kernel {

namespace {

/// Walks the statement tree with the labels that enclose the current statement.
class StmtRules {
 public:
  explicit StmtRules(RuleReport& report) : report_(report), defined_(report.program().labels.size()) {}

  void check_block(const Block& block) {
    for (StmtId id : block) {
      report_.at("stmt", id.index);
      std::visit([&](const auto& stmt) { check(stmt); }, report_.program().stmts[id].kind);
    }
  }

 private:
  /// An enclosing Scope or Loop; `continuable` inside the body of a Loop.
  struct OpenLabel {
    LabelId label;
    bool continuable;
  };

  Type type_of(ExprId id) const { return report_.program().exprs[id].type; }

  void require_type(const char* what, ExprId id, Type wanted) {
    const Type type = type_of(id);
    report_.require(type == wanted, "{} is {}, not {}", what, type, wanted);
  }

  /// One Scope or Loop per label: Exit must have one meaning.
  void define(LabelId label) {
    report_.require(!defined_[label.index], "label {} is defined twice", label.index);
    defined_[label.index] = true;
  }

  void check_inside(LabelId label, bool continuable, const Block& block) {
    open_.push_back({label, continuable});
    check_block(block);
    open_.pop_back();
  }

  const OpenLabel* find_open(LabelId label) const {
    const auto found =
        std::find_if(open_.rbegin(), open_.rend(), [&](const OpenLabel& open) { return open.label == label; });
    return found == open_.rend() ? nullptr : &*found;
  }

  void check(const Assign& s) { require_type("the value", s.value, report_.program().locals[s.local].type); }

  /// A store never converts, and nothing writes to constant memory.
  void check(const Store& s) {
    verify_ref(report_, s.ref);
    const Type base = type_of(s.ref.base);
    require_type("the value", s.value, scalar(base.dtype));
    report_.require(base.space != MemorySpace::kConst, "a store to constant memory");
  }

  void check(const If& s) {
    require_type("the condition", s.cond, scalar(DType::b1));
    check_block(s.then_block);
    check_block(s.else_block);
  }

  void check(const Loop& s) {
    define(s.label);
    require_type("the condition", s.cond, scalar(DType::b1));
    check_inside(s.label, false, s.head);
    check_inside(s.label, true, s.body);
    check_inside(s.label, false, s.step);
  }

  void check(const Scope& s) {
    define(s.label);
    check_inside(s.label, false, s.body);
  }

  void check(const Exit& s) {
    report_.require(find_open(s.label) != nullptr, "exit of label {}, which does not enclose it", s.label.index);
  }

  /// From `step` it would repeat the step, from `head` it would skip the test: only the body may continue.
  void check(const Continue& s) {
    const OpenLabel* open = find_open(s.label);
    report_.require(open != nullptr && open->continuable, "continue of label {}, whose loop body does not enclose it",
                    s.label.index);
  }

  void check(const Return&) {}

  /// A FailRecord has room for two integers.
  void check(const Fail& s) {
    report_.require(s.values.size() <= 2, "{} values, not at most 2", s.values.size());
    for (ExprId value : s.values) require_type("the value", value, scalar(DType::i8));
  }

  RuleReport& report_;
  std::vector<bool> defined_;
  std::vector<OpenLabel> open_;
};

}  // namespace

void verify_stmts(RuleReport& report) { StmtRules(report).check_block(report.program().body); }

}  // namespace jitc::kernel
