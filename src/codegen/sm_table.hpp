// Facts about GPU architectures: the rows of sm_table.def.
#pragma once

namespace jitc::codegen {

/// First PTX ISA (10 * major + minor) that has `.target sm_<sm>`. Throws TargetError for an SM outside the table.
int min_ptx_isa(int sm);

}  // namespace jitc::codegen
