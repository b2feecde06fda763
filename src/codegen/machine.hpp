// The TargetMachine of a target, and machine code from an optimised module.
#pragma once

#include <memory>
#include <string>

#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm_session.hpp"

namespace jitc::codegen {

/// What code is made for, in LLVM's words.
struct MachineSpec {
  std::string triple, cpu, features;
  int ptx_isa = 0;  ///< nvptx only
};

/// The host, or the SM with its lowest PTX ISA that is not below `least_ptx_isa`. Throws TargetError.
MachineSpec machine_spec(const Target& target, int least_ptx_isa = 0);

/// With "-fma,…" in the place of what it says of these features.
MachineSpec with_features(MachineSpec spec, const std::string& features);

std::unique_ptr<llvm::TargetMachine> make_machine(const MachineSpec& spec, int opt_level);

/// The attributes of every function of the module, ours and the math library's: equal ones let the inliner work.
void set_function_attributes(llvm::Module& module, const MachineSpec& spec);

enum class Output : uint8_t { kAssembly, kObject };
/// Text or bytes of the session's module, which is used up.
std::string emit_machine_code(LlvmSession& session, Output output);

}  // namespace jitc::codegen
