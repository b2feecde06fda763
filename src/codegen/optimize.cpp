#include "src/codegen/optimize.hpp"

#include "src/base/check.hpp"

namespace jitc::codegen {

namespace {

/// LLVM's own -O2 without what kernels have no use for (interprocedural analyses, calls, exceptions, profiles): the
/// code is the same, in half of the time.
std::string pipeline_text(Target::Kind kind) {
  const std::string simplify =
      // The math functions come in optimised: inline them first.
      "cgscc(inline),globaldce,"
      "function<eager-inv>("
      "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,correlated-propagation,"
      "loop-simplify,lcssa,loop-mssa(loop-rotate,licm,simple-loop-unswitch),simplifycfg,"
      "instcombine<no-verify-fixpoint>,loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"
      "gvn,bdce,instcombine<no-verify-fixpoint>,dse,loop-mssa(licm),";
  // Rows of threads become vectors on the host. On a GPU the threads themselves are the lanes.
  const std::string vectorise = "loop-mssa(loop-rotate),loop-vectorize,instcombine<no-verify-fixpoint>,";
  const std::string unroll =
      "simplifycfg<hoist-common-insts;sink-common-insts>,loop-unroll<O2>,instcombine<no-verify-fixpoint>,";
  // Arrays of which loops that became one vector were the only users are vectors now.
  const std::string registers = "sroa<modify-cfg>,";
  const std::string finish = "loop-mssa(licm),infer-alignment,div-rem-pairs,simplifycfg)";
  if (kind != Target::Kind::cpu) return simplify + unroll + finish;
  return simplify + vectorise + unroll + registers + finish;
}

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

void register_analyses(llvm::PassBuilder& builder, Analyses& analyses, const llvm::Module& module, Target::Kind kind) {
  analyses.function.registerPass([&] { return llvm::TargetLibraryAnalysis(library_info(module, kind)); });
  builder.registerModuleAnalyses(analyses.module);
  builder.registerCGSCCAnalyses(analyses.cgscc);
  builder.registerFunctionAnalyses(analyses.function);
  builder.registerLoopAnalyses(analyses.loop);
  builder.crossRegisterProxies(analyses.loop, analyses.function, analyses.cgscc, analyses.module);
}

llvm::ModulePassManager pipeline(llvm::PassBuilder& builder, Target::Kind kind, int opt_level) {
  if (opt_level == 0) return builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  llvm::ModulePassManager passes;
  llvm::Error error = builder.parsePassPipeline(passes, pipeline_text(kind));
  JITC_CHECK(!error, "the pass pipeline: " + llvm::toString(std::move(error)));
  return passes;
}

}  // namespace

void optimize(LlvmSession& session, Target::Kind kind, int opt_level) {
  auto& analyses = session.keep<Analyses>();
  auto& builder = session.keep<llvm::PassBuilder>(session.machine.get());
  register_analyses(builder, analyses, *session.module, kind);
  auto& passes = session.keep<llvm::ModulePassManager>(pipeline(builder, kind, opt_level));
  passes.run(*session.module, analyses.module);
  session.drop_kept();
}

}  // namespace jitc::codegen
