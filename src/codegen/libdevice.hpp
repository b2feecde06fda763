// CUDA's math library, from a file of the user's, in the place of ours.
#pragma once

#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm_session.hpp"

namespace jitc::codegen {

/// The file, read and found to be usable.
struct Libdevice {
  std::string path, bitcode;
  std::string digest;  ///< of the bitcode
};

/// For GPUs: gives the math functions that the module declares and `libdevice` has a body that calls its function, and
/// links that with what it needs; all of it becomes internal. What libdevice lacks remains a declaration.
void link_libdevice(LlvmSession& session, const Libdevice& libdevice, const Target& target);

}  // namespace jitc::codegen
