// codegen::emit() by way of the cache of this process.
#pragma once

#include "src/codegen/codegen.hpp"

namespace jitc::engine {

/// codegen::emit() of what no one has compiled before. Thread-safe.
Artifact emit_once(const kernel::KernelProgram& program, const codegen::Target& target,
                   const codegen::EmitOptions& options, codegen::EmitTimes* times);

}  // namespace jitc::engine
