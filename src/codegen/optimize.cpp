#include "src/codegen/optimize.hpp"

namespace jitc::codegen {

namespace {

/// No call is a known library function, whatever its name, and loops become calls only where the runtime has them.
llvm::TargetLibraryInfoImpl library_info(const llvm::Module& module, Target::Kind kind) {
  llvm::TargetLibraryInfoImpl info{llvm::Triple(module.getTargetTriple())};
  info.disableAllFunctions();
  if (kind == Target::Kind::cpu) {
    for (const auto fn : {llvm::LibFunc_memset, llvm::LibFunc_memcpy, llvm::LibFunc_memmove}) info.setAvailable(fn);
  }
  return info;
}

/// The analysis managers of one run. Members are destroyed in the reverse of the order that their proxies need.
struct Analyses {
  llvm::LoopAnalysisManager loop;
  llvm::FunctionAnalysisManager function;
  llvm::CGSCCAnalysisManager cgscc;
  llvm::ModuleAnalysisManager module;
};

llvm::PipelineTuningOptions tuning(Target::Kind kind) {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = options.SLPVectorization = kind == Target::Kind::cpu;
  return options;
}

}  // namespace

void optimize(LlvmSession& session, Target::Kind kind, int opt_level) {
  llvm::Module& module = *session.module;
  auto& analyses = session.keep<Analyses>();
  auto& builder = session.keep<llvm::PassBuilder>(session.machine.get(), tuning(kind));
  analyses.function.registerPass([&] { return llvm::TargetLibraryAnalysis(library_info(module, kind)); });
  builder.registerModuleAnalyses(analyses.module);
  builder.registerCGSCCAnalyses(analyses.cgscc);
  builder.registerFunctionAnalyses(analyses.function);
  builder.registerLoopAnalyses(analyses.loop);
  builder.crossRegisterProxies(analyses.loop, analyses.function, analyses.cgscc, analyses.module);
  auto& passes = session.keep<llvm::ModulePassManager>(
      opt_level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                     : builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2));
  passes.run(module, analyses.module);
  session.drop_kept();
}

}  // namespace jitc::codegen
