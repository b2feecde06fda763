#include "tests/unit/codegen/cpu_program.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>

#include <cmath>
#include <mutex>

namespace jitc::codegen::tests {

struct CpuProgram::Loader {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

namespace {

template <class T>
T check(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}
void check(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

/// All that an object may call.
void define_externals(llvm::orc::LLJIT& jit) {
  llvm::orc::SymbolMap symbols;
  const auto define = [&](const char* name, auto* address) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  };
  define("memset", &memset);
  define("memcpy", &memcpy);
  define("memmove", &memmove);
  define("fma", static_cast<double (*)(double, double, double)>(&fma));
  define("fmaf", &fmaf);
  check(jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
}

}  // namespace

CpuProgram::CpuProgram(const kernel::KernelProgram& program, const EmitOptions& options)
    : artifact_(emit(program, {Target::Kind::cpu}, options)), loader_(std::make_unique<Loader>()) {
  loader_->jit = check(llvm::orc::LLJITBuilder().create());
  define_externals(*loader_->jit);
  const llvm::StringRef bytes(artifact_.code);
  check(loader_->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, artifact_.symbol)));
  entry_ = check(loader_->jit->lookup(artifact_.symbol)).toPtr<CpuKernel>();
}

CpuProgram::~CpuProgram() = default;

CpuLaunch launch_for(size_t count_elems) {
  CpuLaunch launch;
  launch.block[0] = 256;
  launch.grid[0] = static_cast<uint32_t>(count_elems / 256 + 1);
  return launch;
}

}  // namespace jitc::codegen::tests
