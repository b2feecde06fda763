// codegen::emit() by way of the cache of this process.
#pragma once

#include <memory>

#include "src/cache/cache.hpp"
#include "src/codegen/codegen.hpp"

namespace jitc::engine {

/// The cache of the whole process.
std::shared_ptr<cache::Cache> kernel_cache();

/// codegen::emit() of what no one has compiled before. Thread-safe.
Artifact emit_once(const kernel::KernelProgram& program, const codegen::Target& target,
                   const codegen::EmitOptions& options, codegen::EmitTimes* times);

}  // namespace jitc::engine
