// Which PTX a driver takes.
#pragma once

#include <string>

namespace jitc::runtime::cuda {

/// The newest PTX ISA (10 * major + minor) of a driver version; a driver newer than the table takes at least its last.
int newest_ptx_isa(int driver_version);

/// The oldest driver version that takes a PTX ISA; 0 when the table has none.
int oldest_driver_for(int ptx_isa);

/// "8.0" for 80.
std::string ptx_isa_text(int ptx_isa);

}  // namespace jitc::runtime::cuda
