// Kernel IR to bytes for a target. The only compiler folder that sees LLVM; nothing of LLVM shows in this header.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "jitc/artifact.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// A machine to emit for. NVPTX: an SM that sm_table.def holds; CPU: the host.
struct Target {
  enum class Kind : uint8_t { nvptx, cpu };
  Kind kind = Kind::cpu;
  int sm = 0;  ///< nvptx: 80 for sm_80
  /// nvptx: newest PTX ISA the consumer accepts (10 * major + minor); 0: no limit.
  int max_ptx_isa = 0;
};

/// "this target cannot be", with words for the user (unknown SM, PTX ISA too old).
class TargetError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "sm_80", "compute_80" or "cpu". An SM newer than all we know gives the newest known one; `a`/`f` suffixes and
/// unknown names throw TargetError with the list of those known.
Target parse_target(const std::string& name);
/// The newest known SM that is not newer than `device_sm`.
int clamp_sm(int device_sm);
/// What to compile for a device that is "cpu" or an "sm_88": such a GPU also runs the code of older ones.
Target device_target(const std::string& name);
/// All SMs of sm_table.def, ascending.
std::vector<int> known_sms();

/// "this file cannot be the math library", with its path, the reason, and what to do.
class MathLibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Libdevice;
/// CUDA's math library from a file of the user's, read and checked as a whole. Throws MathLibraryError.
std::shared_ptr<const Libdevice> read_libdevice(const std::string& path);

struct EmitOptions {
  int opt_level = 3;  ///< 0 or 3
  /// cpu: LLVM's features behind the host's own: "-fma" makes code for a processor that lacks it, with the same
  /// results.
  std::string features = {};
  /// nvptx: where the functions of libdevice.def come from; null: from our own library, as all others do.
  std::shared_ptr<const Libdevice> libdevice = nullptr;
};

/// Times of the parts in milliseconds.
struct EmitTimes {
  double emit_ms = 0, link_math_ms = 0, optimize_ms = 0, machine_ms = 0;
  double found_ms = 0;  ///< to find code that was made before, in the place of all others
};

/// What LLVM makes of a program: all that takes long, without the program's names.
struct MachineCode {
  std::string code;                           ///< as in Artifact, of an entry that is called kNamelessEntry
  uint64_t cpu_scratch_bytes = 0;             ///< as in Artifact
  uint64_t cpu_scratch_bytes_per_thread = 0;  ///< as in Artifact

  bool operator==(const MachineCode&) const = default;
};
inline constexpr const char* kNamelessEntry = "jitc_entry";

/// What the code of a program depends on but for this build of jitc, as bytes: equal keys, equal code. Renaming,
/// comments and layout leave it as it is, unless the code has a line table. Throws TargetError.
std::string code_key(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options = {});
/// Thread-safe, no global lock. Throws TargetError.
MachineCode make_code(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options = {},
                      EmitTimes* times = nullptr);
/// Puts the names in that the program has, and says what a launch must provide.
Artifact finish(const kernel::KernelProgram& program, const Target& target, MachineCode code,
                const EmitOptions& options = {});

/// Compiles one verified program: make_code() and finish().
Artifact emit(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options = {},
              EmitTimes* times = nullptr);

/// LLVM IR text after optimisation (jitc inspect --llvm).
std::string llvm_ir(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options = {});
/// Assembly text: PTX, or the host's (jitc inspect --ptx, --asm; jitc compile -o x.s).
std::string assembly(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options = {});

}  // namespace jitc::codegen
