// The whole back half on one page: kernel IR → LLVM IR → + math → optimised → PTX or object, and then its names.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "src/codegen/check_module.hpp"
#include "src/codegen/codegen.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/libdevice.hpp"
#include "src/codegen/link_math.hpp"
#include "src/codegen/llvm_session.hpp"
#include "src/codegen/machine.hpp"
#include "src/codegen/native_fast.hpp"
#include "src/codegen/native_half.hpp"
#include "src/codegen/optimize.hpp"
#include "src/codegen/param_comment.hpp"
#include "src/codegen/param_layout.hpp"
#include "src/codegen/rare_lanes.hpp"
#include "src/codegen/rename_entry.hpp"
#include "src/codegen/stream_stores.hpp"
#include "src/codegen/targets/nvptx_sync.hpp"
#include "src/kernel/code_key.hpp"
#include "src/kernel/kernel.hpp"
#include "src/kernel/memory_layout.hpp"
#include "src/kernel/regions.hpp"

namespace jitc::codegen {

namespace {

/// Adds the milliseconds that a scope takes to `sum_ms`.
class Timed {
 public:
  explicit Timed(double& sum_ms) : sum_ms_(sum_ms) {}
  ~Timed() { sum_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_ms_;
  Clock::time_point start_ = Clock::now();
};

std::unique_ptr<TargetHooks> make_hooks(const kernel::KernelProgram& program, Target::Kind kind) {
  return kind == Target::Kind::nvptx ? make_nvptx_hooks() : make_cpu_hooks(program);
}

void emit_module(LlvmSession& session, const kernel::KernelProgram& program, const Target& target,
                 const MachineSpec& spec, int opt_level, Artifact* artifact) {
  session.machine = make_machine(spec, opt_level);
  session.module = std::make_unique<llvm::Module>(program.symbol, session.context);
  session.module->setTargetTriple(spec.triple);
  session.module->setDataLayout(session.machine->createDataLayout());
  const std::unique_ptr<TargetHooks> hooks = make_hooks(program, target.kind);
  FunctionEmitter(program, *session.module, *hooks).emit();
  if (artifact) hooks->describe(program, *artifact);
  session.verify("emission");
}

/// LLVM's optimised pipelines take time beyond the square of a function's size (register allocation above all): minutes
/// for what no one writes by hand. Such programs compile as unoptimised ones do, in linear time. On the host each
/// meeting of threads is a few loops.
int effective_opt_level(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options) {
  constexpr size_t kMaxOptimisedNodes = 20'000, kNodesOfMeeting = 100;
  size_t nodes = kernel::node_count(program);
  if (target.kind == Target::Kind::cpu) nodes += kNodesOfMeeting * kernel::meeting_count(program);
  return nodes > kMaxOptimisedNodes ? 0 : options.opt_level;
}

/// Leaves the session's module ready for the back end, and says in `artifact` (may be null) what a launch must provide.
void build(LlvmSession& session, const kernel::KernelProgram& program, const Target& target, const MachineSpec& spec,
           const EmitOptions& options, EmitTimes& times, Artifact* artifact = nullptr) {
  const int opt_level = effective_opt_level(program, target, options);
  const bool is_gpu = target.kind == Target::Kind::nvptx;
  {
    const Timed timed(times.emit_ms);
    emit_module(session, program, target, spec, opt_level, artifact);
  }
  {
    const Timed timed(times.link_math_ms);
    define_native_halves(*session.module, target, spec);
    define_native_fast(*session.module, target);
    if (is_gpu && options.libdevice != nullptr) link_libdevice(session, *options.libdevice, target);
    link_math(session);
    set_function_attributes(*session.module, spec);
    session.verify("linking the math library");
  }
  const Timed timed(times.optimize_ms);
  optimize(session, target.kind, opt_level);
  if (target.kind == Target::Kind::cpu) skip_rare_lanes(*session.module);
  if (target.kind == Target::Kind::cpu && program.streams) stream_stores(*session.module);
  session.verify("optimisation");
  check_module(*session.module, target.kind, is_gpu && options.libdevice != nullptr);
}

MachineSpec spec_for(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options) {
  if (target.kind == Target::Kind::cpu) return with_features(machine_spec(target), options.features);
  return machine_spec(target, ptx_isa_of(program, target.sm));
}

std::string write_code(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options,
                       Output output, EmitTimes& times, Artifact* artifact = nullptr) {
  const MachineSpec spec = spec_for(program, target, options);
  return with_session(/*keep_names=*/false, [&](LlvmSession& session) {
    build(session, program, target, spec, options, times, artifact);
    const Timed timed(times.machine_ms);
    return emit_machine_code(session, output);
  });
}

/// A line table has the kernel's names in it.
bool has_names_in_code(const kernel::KernelProgram& program) { return program.lines.has_value(); }

std::string entry_in_code(const kernel::KernelProgram& program) {
  return has_names_in_code(program) ? program.symbol : kNamelessEntry;
}

bool is_ptx(const Target& target) { return target.kind == Target::Kind::nvptx; }

}  // namespace

std::string code_key(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options) {
  // Options are taken apart so that a new one does not compile until it is decided here. `features` are in the machine.
  const auto& [opt_level, features, libdevice] = options;
  static_cast<void>(opt_level);
  const MachineSpec spec = spec_for(program, target, options);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n", spec.triple, spec.cpu, spec.features,
                     effective_opt_level(program, target, options),
                     is_ptx(target) && libdevice ? libdevice->digest : "") +
         kernel::code_key(program);
}

MachineCode make_code(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options,
                      EmitTimes* times) {
  EmitTimes unused;
  Artifact artifact;
  kernel::KernelProgram nameless = program;
  nameless.symbol = entry_in_code(program);
  std::string code = write_code(nameless, target, options, is_ptx(target) ? Output::kAssembly : Output::kObject,
                                times ? *times : unused, &artifact);
  return {std::move(code), artifact.cpu_scratch_bytes, artifact.cpu_scratch_bytes_per_thread};
}

Artifact finish(const kernel::KernelProgram& program, const Target& target, MachineCode code,
                const EmitOptions& options) {
  const MachineSpec spec = spec_for(program, target, options);
  ParamLayout layout = lay_out_params(program);
  Artifact artifact;
  artifact.kind = is_ptx(target) ? Artifact::Kind::ptx : Artifact::Kind::cpu_object;
  artifact.target = spec.cpu;
  artifact.code = std::move(code.code);
  rename_entry(artifact.code, artifact.kind, entry_in_code(program), program.symbol);
  if (is_ptx(target)) add_param_comment(program, artifact.code);
  artifact.cpu_scratch_bytes = code.cpu_scratch_bytes;
  artifact.cpu_scratch_bytes_per_thread = code.cpu_scratch_bytes_per_thread;
  artifact.symbol = program.symbol;
  artifact.name = program.name;
  artifact.signature = program.signature;
  artifact.arguments = program.arguments;
  artifact.params = std::move(layout.slots);
  artifact.params_size_bytes = layout.size_bytes;
  artifact.params_in_memory = is_ptx(target) && layout.size_bytes > kMaxParamSpaceBytes;
  artifact.fail_sites = program.fail_sites;
  artifact.max_threads_per_block = program.max_threads_per_block;
  artifact.ptx_isa = spec.ptx_isa;
  artifact.static_shared_bytes = static_cast<uint32_t>(kernel::static_shared_bytes(program));
  artifact.cooperative = kernel::is_cooperative(program);
  artifact.prints = std::any_of(program.stmts.begin(), program.stmts.end(), [](const kernel::Stmt& stmt) {
    return std::holds_alternative<kernel::Print>(stmt.kind);
  });
  return artifact;
}

Artifact emit(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options,
              EmitTimes* times) {
  return finish(program, target, make_code(program, target, options, times), options);
}

std::string llvm_ir(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options) {
  return with_session(/*keep_names=*/true, [&](LlvmSession& session) {
    EmitTimes unused;
    build(session, program, target, spec_for(program, target, options), options, unused);
    std::string text;
    llvm::raw_string_ostream out(text);
    session.module->print(out, nullptr);
    return text;
  });
}

std::string assembly(const kernel::KernelProgram& program, const Target& target, const EmitOptions& options) {
  if (is_ptx(target)) return emit(program, target, options).code;
  EmitTimes unused;
  return write_code(program, target, options, Output::kAssembly, unused);
}

}  // namespace jitc::codegen
