#include "src/kernel/kernel.hpp"

namespace jitc::kernel {

size_t node_count(const KernelProgram& program) { return program.exprs.size() + program.stmts.size(); }

}  // namespace jitc::kernel
