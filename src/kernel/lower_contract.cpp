// The kernel of a contraction. All shapes add up in one order, which depends on the extent of k alone, so that they
// give the same bits (docs/design/contractions.md):
//
//   total = 0 if k == 0
//   for each 256 neighbouring k, the last ones may be fewer:
//       acc = 0;  for each k of these: acc = fma(a[m, k], b[k, n], acc)
//       total = acc if they are the first else total + acc
#include "src/kernel/contract_lowering.hpp"
#include "src/kernel/kernel.hpp"

namespace jitc::kernel {

KernelProgram lower_contract(const source::SourceFile& file, const types::TypeTable& types,
                             const ContractKernel& kernel, const ContractForm& form, const LowerOptions& options) {
  return Lowerer(file, types, options).run_contract(kernel, form);
}

KernelProgram Lowerer::run_contract(const ContractKernel& kernel, const ContractForm& form) {
  Frame frame;
  frame_ = &frame;
  b_.at(kernel.span);
  if (form.machine == ContractForm::Machine::host) {
    lower_contract_host(kernel, form);
  } else {
    lower_contract_device(kernel, form);
  }
  check_size();
  KernelProgram program = drop_unused_params(b_.take());
  program.name = kernel.name;
  program.symbol = mangle(kernel.name, program.arguments);
  program.signature = kernel.name;
  program.line_count = file_.line_count();
  if (options_.line_info) program.lines = {file_.name(), file_.lines()};
  return program;
}

}  // namespace jitc::kernel
