// The printer: Python's notation where Python has one. For axpy:
//   kernel axpy(a: f4, x: ptr<global f4>, x.shape[0]: i8, y: ptr<global f4>)  # void(f4, f4[::1], f4[::1])
//     local i: i8
//     i = global_idx.x
//     if i < x.shape[0]:
//       store f4 y[i * 4] = fma(a, load f4 x[i * 4], load f4 y[i * 4])
#include "src/kernel/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "src/base/indent_writer.hpp"
#include "src/base/match.hpp"
#include "src/kernel/kernel.hpp"
#include "src/kernel/operands.hpp"

namespace jitc::kernel {

namespace {

/// Makes names distinct in order of appearance; unnamed things are called `fallback`.
class Namer {
 public:
  std::string unique(const std::string& wanted, const char* fallback) {
    const std::string base = wanted.empty() ? fallback : wanted;
    std::string name = base;
    for (int n = 1; !taken_.insert(name).second; ++n) name = fmt::format("{}.{}", base, n);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

class ProgramPrinter {
 public:
  explicit ProgramPrinter(const KernelProgram& program) : program_(program), names_(program), exprs_(program, names_) {}

  std::string print() {
    out_.line(header());
    const base::Indented inner(out_);
    print_attributes();
    for (size_t i = 0; i < names_.locals.size(); ++i) {
      const Type type = program_.locals[LocalId(static_cast<uint32_t>(i))].type;
      out_.line(fmt::format("local {}: {}", names_.locals[i], to_string(type)));
    }
    for (size_t i = 0; i < names_.memory.size(); ++i) print_memory(program_.memory[i], names_.memory[i]);
    print_block(program_.body);
    return out_.take();
  }

 private:
  std::string header() const {
    std::string params;
    for (size_t i = 0; i < program_.params.size(); ++i) {
      if (i != 0) params += ", ";
      params += names_.params[i] + ": " + to_string(program_.params[i].type);
    }
    return fmt::format("kernel {}({})  # {}", program_.name, params, program_.signature);
  }

  /// Only what differs from the defaults.
  void print_attributes() {
    const auto attribute = [&](const char* name, uint32_t value, uint32_t usual) {
      if (value != usual) out_.line(fmt::format("{} = {}", name, value));
    };
    attribute("max_threads_per_block", program_.max_threads_per_block, 1024);
    attribute("min_blocks_per_sm", program_.min_blocks_per_sm, 0);
    attribute("max_registers", program_.max_registers, 0);
  }

  /// shared tile: f4[272] align 4; const weights: f4[3] align 4 = {1f4, 2f4, 1f4}
  void print_memory(const MemoryObject& object, const std::string& name) {
    std::string text = fmt::format("{} {}: {}[{}] align {}", spelling(object.space), name, jitc::name(object.dtype),
                                   object.dynamic ? "dynamic" : std::to_string(object.count_elems), object.align_bytes);
    constexpr uint64_t kShown = 16;
    for (uint64_t i = 0; i < std::min(object.count_elems, kShown) && !object.init.empty(); ++i) {
      const size_t size = size_bytes(object.dtype);
      uint64_t bits = 0;
      std::memcpy(&bits, object.init.data() + i * size, size);
      text += (i == 0 ? " = {" : ", ") + print_const(object.dtype, bits);
    }
    if (!object.init.empty()) text += object.count_elems > kShown ? ", …}" : object.count_elems == 0 ? " = {}" : "}";
    out_.line(text);
  }

  void print_block(const Block& block) {
    for (StmtId id : block) {
      const Stmt& stmt = program_.stmts[id];
      // A loop's condition is shared with nothing outside it: it is evaluated anew after each head.
      if (!std::holds_alternative<Loop>(stmt.kind)) name_shared_exprs(stmt);
      std::visit([&](const auto& kind) { print_kind(kind); }, stmt.kind);
    }
  }

  void print_indented(const Block& block) {
    const base::Indented inner(out_);
    print_block(block);
  }

  static bool is_leaf(const Expr& expr) {
    return std::holds_alternative<Const>(expr.kind) || std::holds_alternative<ParamRef>(expr.kind) ||
           std::holds_alternative<LocalRef>(expr.kind) || std::holds_alternative<MemoryBase>(expr.kind) ||
           std::holds_alternative<ThreadIndex>(expr.kind);
  }

  /// Writes `let %7 = …` for each expression that the statement uses twice: printed as trees, DAGs could explode.
  void name_shared_exprs(const Stmt& stmt) {
    exprs_.named.clear();
    std::unordered_map<ExprId, int> uses;
    std::vector<ExprId> order;  // operands before users
    for_each_operand(stmt, [&](ExprId id) { count_uses(id, uses, order); });
    for (ExprId id : order) {
      if (uses[id] < 2 || is_leaf(program_.exprs[id])) continue;
      const std::string name = fmt::format("%{}", next_shared_++);
      out_.line(fmt::format("let {} = {}", name, exprs_.print_definition(id)));
      exprs_.named.emplace(id, name);
    }
  }

  void count_uses(ExprId id, std::unordered_map<ExprId, int>& uses, std::vector<ExprId>& order) {
    if (++uses[id] > 1) return;
    for_each_operand(program_.exprs[id], [&](ExprId operand) { count_uses(operand, uses, order); });
    order.push_back(id);
  }

  void print_kind(const Assign& s) {
    out_.line(fmt::format("{} = {}", names_.locals[s.local.index], exprs_.print(s.value)));
  }

  void print_kind(const Store& s) {
    const Type value = program_.exprs[s.value].type;
    out_.line(fmt::format("store {} {} = {}", to_string(value), exprs_.print_ref(s.ref), exprs_.print(s.value)));
  }

  void print_kind(const If& s) {
    out_.line(fmt::format("if {}:", exprs_.print(s.cond)));
    print_indented(s.then_block);
    if (s.else_block.empty()) return;
    out_.line("else:");
    print_indented(s.else_block);
  }

  /// loop for.0
  ///   head:
  ///     limit = n
  ///   while i < limit:
  ///     …
  ///   step:
  ///     i = i + 1
  void print_kind(const Loop& s) {
    const std::string lanes = !s.lanes ? "" : s.lane_count == 0 ? " lanes" : fmt::format(" lanes {}", s.lane_count);
    out_.line("loop " + names_.labels[s.label.index] + lanes);
    const base::Indented inner(out_);
    print_part("head:", s.head);
    name_shared_exprs(Stmt{{}, If{s.cond, {}, {}}});
    out_.line(fmt::format("while {}:", exprs_.print(s.cond)));
    print_indented(s.body);
    print_part("step:", s.step);
  }

  void print_part(const char* title, const Block& block) {
    if (block.empty()) return;
    out_.line(title);
    print_indented(block);
  }

  void print_kind(const Scope& s) {
    out_.line(fmt::format("scope {}:", names_.labels[s.label.index]));
    print_indented(s.body);
  }

  void print_kind(const Exit& s) { out_.line("exit " + names_.labels[s.label.index]); }
  void print_kind(const Continue& s) { out_.line("continue " + names_.labels[s.label.index]); }
  void print_kind(const Return&) { out_.line("return"); }

  /// fail index x axis 0 line 4 (i, x.shape[0])
  void print_kind(const Fail& s) {
    static constexpr const char* kKinds[] = {"index", "assertion", "raise", "zero_division", "barrier"};
    const FailSite& site = program_.fail_sites[s.site];
    std::string text = fmt::format("fail {}{}{} line {}", kKinds[static_cast<size_t>(site.kind)],
                                   site.subject.empty() ? "" : " ", site.subject, site.line);
    if (site.kind == FailKind::index) text += fmt::format(" axis {}", site.axis);
    for (size_t i = 0; i < s.values.size(); ++i) text += (i == 0 ? ": " : ", ") + exprs_.print(s.values[i]);
    out_.line(text);
  }

  /// "old = " where there is a result.
  std::string target(LocalId result) const { return result.valid() ? names_.locals[result.index] + " = " : ""; }

  /// old = atomic_add f4 x[i * 4], 1f4
  void print_kind(const Atomic& s) {
    std::string text = fmt::format("{}atomic_{} {} {}", target(s.result), info(s.op).spelling,
                                   to_string(program_.exprs[s.value].type), exprs_.print_ref(s.ref));
    if (s.expected.valid()) text += ", " + exprs_.print(s.expected);
    out_.line(text + ", " + exprs_.print(s.value));
  }

  void print_kind(const Barrier& s) {
    const std::string predicate = s.predicate.valid() ? " " + exprs_.print(s.predicate) : "";
    out_.line(target(s.result) + spelling(s.op) + predicate);
  }

  void print_kind(const Fence& s) { out_.line(spelling(s.scope)); }

  /// v = shfl_down mask 4294967295u4, x, 16i4
  void print_kind(const Warp& s) {
    std::string text = target(s.result) + spelling(s.op);
    const char* separator = " ";
    for (ExprId operand : {s.mask, s.value, s.lane}) {
      if (!operand.valid()) continue;
      text += separator + exprs_.print(operand);
      separator = ", ";
    }
    out_.line(text);
  }

  /// print "i =", i
  void print_kind(const Print& s) {
    std::string text = "print";
    const char* separator = " ";
    for (const PrintPart& part : s.parts) {
      text += separator + (part.value.valid() ? exprs_.print(part.value) : fmt::format("{:?}", part.text));
      separator = ", ";
    }
    out_.line(text);
  }

  const KernelProgram& program_;
  PrintNames names_;
  ExprPrinter exprs_;
  base::IndentWriter out_;
  int next_shared_ = 0;
};

}  // namespace

PrintNames::PrintNames(const KernelProgram& program) {
  Namer values, label_names;
  for (const Param& param : program.params) params.push_back(values.unique(param.name, "param"));
  for (const Local& local : program.locals) locals.push_back(values.unique(local.name, "local"));
  for (const MemoryObject& object : program.memory) memory.push_back(values.unique(object.name, "memory"));
  for (const std::string& label : program.labels) labels.push_back(label_names.unique(label, "label"));
}

std::string print(const KernelProgram& program) { return ProgramPrinter(program).print(); }

}  // namespace jitc::kernel
