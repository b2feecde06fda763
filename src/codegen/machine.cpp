#include "src/codegen/machine.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "src/base/check.hpp"
#include "src/codegen/sm_table.hpp"

namespace jitc::codegen {

namespace {

/// "+avx2,-sse4a,…" in the order of the names.
std::string host_features() {
  std::map<std::string, bool> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) features[feature.getKey().str()] = feature.getValue();
  std::string text;
  for (const auto& [name, present] : features) {
    text += (text.empty() ? "" : ",") + std::string(present ? "+" : "-") + name;
  }
  return text;
}

MachineSpec host_spec() {
  static const MachineSpec host = {llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(), host_features()};
  return host;
}

std::string isa_text(int isa) { return std::to_string(isa / 10) + "." + std::to_string(isa % 10); }

MachineSpec nvptx_spec(const Target& target, int least_ptx_isa) {
  const int isa = std::max(min_ptx_isa(target.sm), least_ptx_isa);
  const std::string sm = "sm_" + std::to_string(target.sm);
  if (target.max_ptx_isa != 0 && target.max_ptx_isa < isa) {
    throw TargetError(sm + " needs PTX ISA " + isa_text(isa) + ", and the driver takes " +
                      isa_text(target.max_ptx_isa) + " at most");
  }
  return {"nvptx64-nvidia-cuda", sm, "+ptx" + std::to_string(isa), isa};
}

bool has_feature(const MachineSpec& spec, const std::string& feature) {
  return ("," + spec.features + ",").find("," + feature + ",") != std::string::npos;
}

}  // namespace

MachineSpec machine_spec(const Target& target, int least_ptx_isa) {
  return target.kind == Target::Kind::nvptx ? nvptx_spec(target, least_ptx_isa) : host_spec();
}

MachineSpec with_features(MachineSpec spec, const std::string& features) {
  std::istringstream list(features);
  for (std::string feature; std::getline(list, feature, ',');) {
    // LLVM takes the last word on a feature, has_feature() any.
    const size_t at = ("," + spec.features + ",").find(",+" + feature.substr(1) + ",");
    if (at != std::string::npos) spec.features[at] = feature[0];
    spec.features += (spec.features.empty() ? "" : ",") + feature;
  }
  return spec;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const MachineSpec& spec, int opt_level) {
  std::string why;
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(spec.triple, why);
  JITC_CHECK(llvm_target, "LLVM lacks a target: " + why);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // a*b+c is never contracted: fma is the kernel IR's decision
  const auto level = opt_level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(llvm_target->createTargetMachine(
      spec.triple, spec.cpu, spec.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
  JITC_CHECK(machine, "LLVM makes no machine for " + spec.cpu);
  return machine;
}

void set_function_attributes(llvm::Module& module, const MachineSpec& spec) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", spec.cpu);
    function.addFnAttr("target-features", spec.features);
    function.addFnAttr("denormal-fp-math", "ieee,ieee");
    if (has_feature(spec, "+avx512f")) function.addFnAttr("prefer-vector-width", "512");
  }
}

namespace {

/// `{ // callseq 7, 0` -> `{`. NVPTX numbers the calls of the whole process in these comments, so that the second
/// compile of a program would differ from the first.
void drop_call_numbers(std::string& ptx) {
  constexpr std::string_view kComment = " // callseq ";
  for (size_t at = ptx.find(kComment); at != std::string::npos; at = ptx.find(kComment, at)) {
    const size_t end = ptx.find('\n', at);
    ptx.erase(at, end == std::string::npos ? end : end - at);
  }
}

}  // namespace

std::string emit_machine_code(LlvmSession& session, Output output) {
  auto& bytes = session.keep<llvm::SmallString<0>>();
  auto& stream = session.keep<llvm::raw_svector_ostream>(bytes);
  auto& passes = session.keep<llvm::legacy::PassManager>();
  const auto file =
      output == Output::kAssembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  const bool unsupported = session.machine->addPassesToEmitFile(passes, stream, nullptr, file);
  JITC_CHECK(!unsupported, "LLVM cannot write this kind of file for the target");
  passes.run(*session.module);
  session.check_diagnostics("code generation");
  std::string code(bytes.data(), bytes.size());
  session.drop_kept();
  if (output == Output::kAssembly) drop_call_numbers(code);
  return code;
}

}  // namespace jitc::codegen
