#include "tests/support/run_cases/ptx_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/run_cases/process.hpp"

namespace jitc::cases {

namespace {

struct LineRule {
  std::regex pattern;
  const char* reason;
  bool is_for_fast = true;  ///< of programs that ask for approximate functions too
};

const std::vector<LineRule>& line_rules() {
  static const std::vector<LineRule> kRules = [] {
    std::vector<LineRule> rules;
    const auto add = [&](const char* pattern, const char* reason, bool is_for_fast = true) {
      rules.push_back({std::regex(pattern, std::regex::optimize), reason, is_for_fast});
    };
    // atom and red: their .add rounds to nearest (PTX ISA, "Parallel Synchronization and Communication Instructions")
    add(R"((^|[^.\w])(add|sub|mul)(\.ftz)?(\.sat)?\.(f16|bf16|f32|f64)\b)", "without .rn ptxas may contract it");
    add(R"(\bmad\.f(32|64)\b|\bmad\.[a-z]*\.?f(32|64)\b)", "only the kernel IR decides on fma");
    add(R"(\.approx\b|\bdiv\.full\b)", "arithmetic is correctly rounded", false);
    add(R"(\.ftz\b)", "subnormal numbers are kept");
    add(R"(^\.target sm_\d+[af])", "never an architecture-specific target");
    return rules;
  }();
  return kRules;
}

/// As f8, as C's printf takes them.
bool prints_floats(const kernel::KernelProgram& program) {
  for (const kernel::Stmt& stmt : program.stmts) {
    const auto* print = std::get_if<kernel::Print>(&stmt.kind);
    if (print == nullptr) continue;
    for (const kernel::PrintPart& part : print->parts) {
      if (part.value.valid() && is_float(program.exprs[part.value].type.dtype)) return true;
    }
  }
  return false;
}

bool asks_for_approximations(const kernel::KernelProgram& program) {
  return std::any_of(program.exprs.begin(), program.exprs.end(), [](const kernel::Expr& expr) {
    const auto* call = std::get_if<kernel::MathCall>(&expr.kind);
    return call != nullptr && std::string_view(kernel::name(call->fn)).starts_with("fast_");
  });
}

bool uses_f8(const kernel::KernelProgram& program) {
  const auto is_f8 = [](kernel::Type type) { return type.dtype == DType::f8; };
  for (const kernel::Param& param : program.params) {
    if (is_f8(param.type)) return true;
  }
  for (const kernel::Local& local : program.locals) {
    if (is_f8(local.type)) return true;
  }
  // On GPUs without an instruction for it, fma of halves and wide integers to bf16 go through f8.
  const auto is_wide_half = [](const kernel::Expr& expr) {
    return (is_half(expr.type.dtype) && std::holds_alternative<kernel::Fma>(expr.kind)) ||
           (expr.type.dtype == DType::bf16 && std::holds_alternative<kernel::Convert>(expr.kind));
  };
  for (const kernel::Expr& expr : program.exprs) {
    if (is_f8(expr.type) || is_wide_half(expr)) return true;
  }
  return prints_floats(program);
}

/// The first one on PATH.
bool ptxas_exists() {
  static const bool kExists = [] {
    const bool found = run_process({"ptxas", "--version"}).status == 0;
    if (!found) std::fputs("note: there is no ptxas on PATH; PTX is not assembled\n", stderr);
    return found;
  }();
  return kExists;
}

}  // namespace

std::vector<std::string> broken_ptx_rules(const std::string& ptx, int sm, const kernel::KernelProgram& program) {
  std::vector<std::string> broken;
  const bool may_have_f64 = uses_f8(program), is_fast = asks_for_approximations(program);
  const std::string target = fmt::format(".target sm_{}", sm);
  bool has_target = false;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    has_target |= line == target || line.rfind(target + ",", 0) == 0;
    for (const LineRule& rule : line_rules()) {
      if (is_fast && !rule.is_for_fast) continue;
      if (std::regex_search(line, rule.pattern)) broken.push_back(line + ": " + rule.reason);
    }
    if (!may_have_f64 && line.find(".f64") != std::string::npos)
      broken.push_back(line + ": there is no f8 in the kernel");
  }
  if (!has_target) broken.push_back("the target is not " + target);
  return broken;
}

std::string ptxas_complaint(const std::string& ptx, int sm) {
  if (!ptxas_exists()) return {};
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "kernel.ptx").string();
  std::ofstream(file, std::ios::binary) << ptx;
  const ProcessResult result = run_process({"ptxas", fmt::format("-arch=sm_{}", sm), file, "-o", "/dev/null"});
  return result.status == 0 ? std::string() : result.output;
}

}  // namespace jitc::cases
