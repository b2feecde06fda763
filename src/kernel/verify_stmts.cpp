// Rules of the statements: types of what they store and test, and labels that are in scope.
#include <algorithm>
#include <utility>

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
    const size_t outside = std::exchange(lanes_begin_, s.lanes ? open_.size() : lanes_begin_);
    check_inside(s.label, false, s.head);
    check_inside(s.label, true, s.body);
    check_inside(s.label, false, s.step);
    lanes_begin_ = outside;
  }

  void check(const Scope& s) {
    define(s.label);
    check_inside(s.label, false, s.body);
  }

  /// All rounds of a loop of lanes are made: neither its label nor one outside of it is left from within.
  void check(const Exit& s) {
    const OpenLabel* open = find_open(s.label);
    report_.require(open != nullptr, "exit of label {}, which does not enclose it", s.label.index);
    const bool stays =
        open == nullptr || static_cast<size_t>(open - open_.data()) > lanes_begin_ || lanes_begin_ == kNoLanes;
    report_.require(stays, "exit of label {} from a loop of lanes", s.label.index);
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

  static bool is_word(DType dtype) { return (is_int(dtype) || is_float(dtype)) && size_bytes(dtype) >= 4; }

  void require_result(LocalId result, Type wanted) {
    if (!result.valid()) return;
    const Type type = report_.program().locals[result].type;
    report_.require(type == wanted, "the result is {}, not {}", type, wanted);
  }

  /// Only elements of 4 and 8 bytes that several threads can reach.
  void check(const Atomic& s) {
    verify_ref(report_, s.ref);
    const Type base = type_of(s.ref.base);
    const AtomicInfo& op = info(s.op);
    report_.require(base.space == MemorySpace::kGlobal || base.space == MemorySpace::kShared,
                    "an atomic operation on {} memory", spelling(base.space));
    report_.require(is_word(base.dtype) && (op.elements & kind_of(base.dtype)) != 0, "atomic {} of {}", op.spelling,
                    base);
    require_type("the value", s.value, scalar(base.dtype));
    report_.require(s.expected.valid() == (s.op == AtomicOp::kCas), "an expected value belongs to cas alone");
    if (s.expected.valid()) require_type("the expected value", s.expected, scalar(base.dtype));
    require_result(s.result, scalar(base.dtype));
  }

  void check(const Barrier& s) {
    report_.require(s.predicate.valid() == is_reduction(s.op), "a predicate belongs to a reduction");
    if (s.predicate.valid()) require_type("the predicate", s.predicate, scalar(DType::b1));
    report_.require(!s.result.valid() || is_reduction(s.op), "only a reduction has a result");
    require_result(s.result, scalar(DType::i4));
  }

  void check(const Fence&) {}

  void check(const Warp& s) {
    report_.require(s.mask.valid() == (s.op != WarpOp::kActive), "{}: the mask", spelling(s.op));
    report_.require(s.lane.valid() == is_shuffle(s.op), "{}: the lane", spelling(s.op));
    const bool has_value = is_shuffle(s.op) || is_vote(s.op) || is_match(s.op);
    report_.require(s.value.valid() == has_value, "{}: the value", spelling(s.op));
    if (s.mask.valid()) require_type("the mask", s.mask, scalar(DType::u4));
    if (s.lane.valid()) require_type("the lane", s.lane, scalar(DType::i4));
    Type result = scalar(is_vote(s.op) && s.op != WarpOp::kBallot ? DType::b1 : DType::u4);
    if (is_vote(s.op) && s.value.valid()) require_type("the value", s.value, scalar(DType::b1));
    if ((is_shuffle(s.op) || is_match(s.op)) && s.value.valid()) {
      const Type value = type_of(s.value);
      report_.require(!value.is_pointer && is_word(value.dtype), "{} of {}", spelling(s.op), value);
      if (is_shuffle(s.op)) result = value;
    }
    report_.require(!s.result.valid() || s.op != WarpOp::kSync, "warp_sync has no result");
    require_result(s.result, result);
  }

  void check(const Print& s) {
    for (const PrintPart& part : s.parts) {
      if (part.value.valid()) report_.require(!type_of(part.value).is_pointer, "pointers are not printed");
    }
  }

  RuleReport& report_;
  static constexpr size_t kNoLanes = SIZE_MAX;
  std::vector<bool> defined_;
  std::vector<OpenLabel> open_;
  size_t lanes_begin_ = kNoLanes;  ///< in `open_`: of the innermost loop of lanes
};

/// Sizes and places of the arrays that the kernel declares.
void verify_memory(RuleReport& report) {
  size_t index = 0;
  for (const MemoryObject& object : report.program().memory) {
    report.at("memory", index++);
    const uint32_t align = object.align_bytes;
    report.require((align & (align - 1)) == 0 && align >= size_bytes(object.dtype), "an alignment of {}", align);
    report.require(object.space != MemorySpace::kGlobal, "a kernel declares no global memory");
    report.require(!object.dynamic || (object.space == MemorySpace::kShared && object.count_elems == 0),
                   "only shared memory is dynamic");
    const size_t wanted = object.space == MemorySpace::kConst ? object.count_elems * size_bytes(object.dtype) : 0;
    report.require(object.init.size() == wanted, "{} bytes of values, not {}", object.init.size(), wanted);
  }
}

}  // namespace

void verify_stmts(RuleReport& report) {
  verify_memory(report);
  StmtRules(report).check_block(report.program().body);
}

}  // namespace jitc::kernel
