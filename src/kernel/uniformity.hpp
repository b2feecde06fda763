// Which values are the same for all threads of a group that get to a place.
#pragma once

#include <vector>

#include "src/kernel/regions.hpp"

namespace jitc::kernel {

/// Has the expression one value for the group? `uniform`: of each local. Loads count as different: another thread may
/// store, and a group whose threads have all ended must not load.
bool is_uniform(const KernelProgram& program, ExprId id, const std::vector<bool>& uniform, Group group);

/// Clears `uniform` for the locals that get different values in different threads, or only in some.
void drop_varying(const KernelProgram& program, Group group, std::vector<bool>& uniform);

}  // namespace jitc::kernel
