#include "src/array/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/array/explain.hpp"
#include "src/array/plan_uses.hpp"
#include "src/array/print_names.hpp"
#include "src/array/uses.hpp"
#include "src/base/indent_writer.hpp"

namespace jitc::array {

namespace {

class Printer {
 public:
  Printer(const source::SourceFile& file, const Plan& plan)
      : plan_(plan), program_(plan.program), names_(file, plan.program) {}

  std::string program() {
    out_.line(fmt::format("array function {}: {}", program_.name, program_.signature));
    {
      const base::Indented body(out_);
      block(program_.body);
    }
    kernels();
    boundaries();
    return out_.take();
  }

  std::string plan() {
    out_.line(fmt::format("plan of {}: {}", program_.name, program_.signature));
    kernels();
    out_.line("  steps");
    const base::Indented one(out_), two(out_);
    steps(plan_.steps);
    return out_.take();
  }

 private:
  // --- the program ---

  void block(const Block& b) {
    for (const StmtId id : b) statement(program_.stmts[id]);
  }

  void nested(const std::string& head, const Block& b) {
    out_.line(head);
    const base::Indented body(out_);
    block(b);
  }

  void statement(const Stmt& s) {
    base::match(
        s.kind, [&](const Define& d) { node(d.node); },
        [&](const Set& x) { out_.line(fmt::format("'{}' = {}", program_.slots[x.slot].name, names_.name(x.value))); },
        [&](const Store& x) { out_.line(fmt::format("store {} <- {}", names_.name(x.target), names_.name(x.value))); },
        [&](const If& x) {
          nested("if " + names_.name(x.cond), x.then_block);
          if (!x.else_block.empty()) nested("else", x.else_block);
        },
        [&](const Loop& x) {
          nested("loop " + program_.labels[x.label.index], x.head);
          nested("while " + names_.name(x.cond), x.body);
          if (!x.step.empty()) nested("step", x.step);
        },
        [&](const Scope& x) { nested("scope " + program_.labels[x.label.index], x.body); },
        [&](const Exit& x) { out_.line("exit " + program_.labels[x.label.index]); },
        [&](const Continue& x) { out_.line("continue " + program_.labels[x.label.index]); },
        [&](const Return& x) { out_.line("return " + names_.names(x.values)); },
        [&](const Fail& x) {
          out_.line(fmt::format("fail if {}: {}", x.cond.valid() ? names_.name(x.cond) : "ever", x.message));
        });
  }

  void node(NodeId id) {
    const std::string left = fmt::format("{} = {}", names_.name(id), names_.operation(id));
    const bool has_text = is_elementwise(program_.nodes[id]) || std::holds_alternative<Fold>(program_.nodes[id].kind);
    const std::string text = has_text ? fmt::format("  {}", names_.text(id)) : "";
    out_.line(fmt::format("{:<44} {:<20}{}", left, names_.type(id), text));
  }

  // --- kernels ---

  void kernels() {
    for (size_t k = 0; k < plan_.kernels.size(); ++k) kernel(k);
  }

  void kernel(size_t number) {
    const Kernel& k = plan_.kernels[number];
    const base::Indented body(out_);
    base::match(
        k.kind, [&](const MapKernel& m) { map(number, m); }, [&](const RowsKernel& r) { rows(number, r); },
        [&](const ContractLaunch& c) { contract(number, c); });
  }

  /// When a kernel is launched in the place of another one.
  std::string place(size_t number) const {
    for (const Kernel& k : plan_.kernels) {
      const auto steps = steps_of(k);
      if (std::find(steps.begin(), steps.end(), number) == steps.end()) continue;
      return std::holds_alternative<RowsKernel>(k.kind) ? "  (for long rows)" : "  (in steps)";
    }
    return "";
  }

  std::string written(const std::vector<Result>& results) const {
    std::string out;
    for (const Result& r : results) {
      out += out.empty() ? "" : ", ";
      out += names_.name(r.value);
      if (r.target.valid()) out += fmt::format(" into {}", names_.name(r.target));
    }
    return out;
  }

  void map(size_t number, const MapKernel& m) {
    out_.line(fmt::format("kernel {}: map {}{}", number,
                          program_.nodes[m.results[0].value].rank() == 0 ? "of one element" : "of each element",
                          place(number)));
    const base::Indented body(out_);
    out_.line(fmt::format("reads {}; computes {}", names_.names(m.operands), written(m.results)));
    fused(m.function);
  }

  /// The operations of the text that one function of an element is made of.
  void fused(const Function& function, const char* label = "fused: ") {
    std::string out;
    for (const sema::Expr& e : function->exprs) {
      const auto* call = std::get_if<sema::CallExpr>(&e.kind);
      if (call == nullptr || call->args.empty()) continue;
      std::string name = call->function->name;
      std::replace(name.begin(), name.end(), '\n', ' ');
      out += (out.empty() ? "" : " | ") + name;
    }
    if (!out.empty()) out_.line(label + out);
  }

  void rows(size_t number, const RowsKernel& r) {
    out_.line(fmt::format("kernel {}: rows of {}{}", number, names_.rows(r.domain, r.folded), place(number)));
    const base::Indented body(out_);
    out_.line(fmt::format("reads {}; computes {}", names_.names(r.operands), written(r.results)));
    for (size_t s = 0; s < r.rows.stages.size(); ++s) {
      const kernel::RowStage& stage = r.rows.stages[s];
      out_.line(fmt::format("walk {}: {} fold{}", s, stage.folds.size(), stage.folds.size() == 1 ? "" : "s"));
      const base::Indented inside(out_);
      if (stage.element) fused(stage.element);
      if (stage.row) fused(stage.row);
    }
    if (!r.in_steps.empty()) {
      out_.line(fmt::format("rows of more than 4096 elements: kernels {} instead", fmt::join(r.in_steps, ", ")));
    }
  }

  void contract(size_t number, const ContractLaunch& c) {
    out_.line(fmt::format("kernel {}: product {}{}", number, names_.operation(c.node), place(number)));
    const base::Indented body(out_);
    std::vector<NodeId> reads;
    for (const NodeId n : operands_of(plan_.kernels[number])) {
      if (std::find(reads.begin(), reads.end(), n) == reads.end()) reads.push_back(n);
    }
    out_.line(fmt::format("reads {}; computes {}", names_.names(reads), written(c.results)));
    if (c.contract.a.element) fused(c.contract.a.element, "fused before, on the left: ");
    if (c.contract.b.element) fused(c.contract.b.element, "fused before, on the right: ");
    if (c.contract.epilogue) fused(c.contract.epilogue, "fused after: ");
    if (!c.in_steps.empty()) {
      out_.line(fmt::format("{}: kernels {} instead",
                            program_.blas == sema::BlasUse::never ? "results larger than the product"
                                                                  : "results larger than the product, or by a library",
                            fmt::join(c.in_steps, ", ")));
    }
    if (program_.blas == sema::BlasUse::if_there) out_.line("by a BLAS library, where the device has one");
    if (program_.blas == sema::BlasUse::always) out_.line("by a BLAS library");
  }

  void boundaries() {
    const std::vector<Boundary> list = find_boundaries(plan_, names_);
    if (list.empty()) return;
    const base::Indented body(out_);
    out_.line("not fused");
    const base::Indented inside(out_);
    for (const Boundary& b : list) {
      out_.line(fmt::format("{} from kernel {} to kernel {}: {}", names_.name(b.value), b.writer, b.reader, b.why));
    }
  }

  // --- steps ---

  void steps(const Steps& list) {
    for (const Step& s : list) step(s);
  }

  void inside(const std::string& head, const Steps& list) {
    out_.line(head);
    const base::Indented body(out_);
    steps(list);
  }

  void step(const Step& s) {
    base::match(
        s.kind,
        [&](const EvalStep& x) {
          if (std::holds_alternative<Param>(program_.nodes[x.node].kind)) return;
          out_.line(fmt::format("{} = {}", names_.name(x.node), names_.operation(x.node)));
        },
        [&](const AllocStep& x) { out_.line(fmt::format("allocate {} {}", names_.name(x.node), names_.type(x.node))); },
        [&](const LaunchStep& x) { launch(x.kernel); },
        [&](const SetStep& x) {
          out_.line(fmt::format("'{}' = {}", program_.slots[x.slot].name, names_.name(x.value)));
        },
        [&](const IfStep& x) {
          inside("if " + names_.name(x.cond), x.then_steps);
          if (!x.else_steps.empty()) inside("else", x.else_steps);
        },
        [&](const LoopStep& x) {
          inside("loop " + program_.labels[x.label.index], x.head);
          inside("while " + names_.name(x.cond), x.body);
          if (!x.advance.empty()) inside("step", x.advance);
        },
        [&](const ScopeStep& x) { inside("scope " + program_.labels[x.label.index], x.body); },
        [&](const ExitStep& x) { out_.line("exit " + program_.labels[x.label.index]); },
        [&](const ContinueStep& x) { out_.line("continue " + program_.labels[x.label.index]); },
        [&](const ReturnStep& x) { out_.line("return " + names_.names(x.values)); },
        [&](const FailStep& x) {
          out_.line(fmt::format("fail if {}: {}", x.cond.valid() ? names_.name(x.cond) : "ever", x.message));
        },
        [&](const FreeStep& x) { out_.line("free " + names_.names(x.nodes)); });
  }

  void launch(uint32_t kernel) {
    std::string made;
    for (const Result& r : results_of(plan_.kernels[kernel])) {
      if (!r.target.valid()) made += fmt::format(" {} {}", names_.name(r.value), names_.type(r.value));
    }
    out_.line(fmt::format("launch kernel {}{}{}", kernel, made.empty() ? "" : "; allocates", made));
  }

  const Plan& plan_;
  const Program& program_;
  NodeNames names_;
  base::IndentWriter out_;
};

}  // namespace

std::string print_program(const source::SourceFile& file, const Plan& plan) { return Printer(file, plan).program(); }

std::string print_plan(const source::SourceFile& file, const Plan& plan) { return Printer(file, plan).plan(); }

}  // namespace jitc::array
