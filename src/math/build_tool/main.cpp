// build_math <out.bc> <source.bc>…: writes the math library that jitc embeds.
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <exception>
#include <stdexcept>

#include "src/math/build_tool/build_math.hpp"

namespace {

void write_bitcode(const llvm::Module& module, const std::string& path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::OF_None);
  if (error) throw std::runtime_error(path + ": " + error.message());
  llvm::WriteBitcodeToFile(module, out);
}

int build(const std::string& out_path, const std::vector<std::string>& sources) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = jitc::math_build::link_sources(context, sources);
  jitc::math_build::make_neutral(*module);
  jitc::math_build::optimize(*module);
  jitc::math_build::strip_origin(*module);
  const std::vector<std::string> problems = jitc::math_build::check_neutral(*module);
  for (const std::string& problem : problems) llvm::errs() << "build_math: " << problem << "\n";
  if (!problems.empty()) return 1;
  write_bitcode(*module, out_path);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    llvm::errs() << "usage: build_math <out.bc> <source.bc>...\n";
    return 2;
  }
  try {
    return build(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    llvm::errs() << "build_math: " << error.what() << "\n";
    return 1;
  }
}
