// The verifier: the specification of a well-formed kernel program. The rules are in verify_*.cpp, one function each.
#include "src/kernel/kernel.hpp"
#include "src/kernel/verify_rules.hpp"

namespace jitc::kernel {

std::vector<std::string> verify(const KernelProgram& program) {
  RuleReport report(program);
  verify_references(report);
  if (!report.clean()) return report.take();  // the other rules follow ids
  verify_params(report);
  verify_exprs(report);
  verify_stmts(report);
  return report.take();
}

}  // namespace jitc::kernel
