#include "src/codegen/check_module.hpp"

#include "src/base/check.hpp"

namespace jitc::codegen {

namespace {

constexpr bool kCpuOnly = true, kBoth = false;

struct Allowed {
  llvm::StringRef prefix;  ///< of the name without "llvm."
  bool cpu_only;
};
constexpr Allowed kAllowed[] = {
#define JITC_INTRINSIC(prefix, where) {prefix, where},
#include "src/codegen/allowed_intrinsics.def"
#undef JITC_INTRINSIC
};

/// "umin" allows llvm.umin and llvm.umin.i32, not llvm.uminimum.
bool matches(llvm::StringRef name, llvm::StringRef prefix) {
  return name.consume_front(prefix) && (name.empty() || name.front() == '.');
}

/// The one function of the target that kernels call: print() does.
llvm::StringRef print_function(Target::Kind kind) { return kind == Target::Kind::cpu ? "jitc_print_line" : "vprintf"; }

bool is_allowed(llvm::StringRef name, Target::Kind kind) {
  if (name == print_function(kind)) return true;
  if (!name.consume_front("llvm.")) return false;
  for (const Allowed& row : kAllowed) {
    if (matches(name, row.prefix)) return !row.cpu_only || kind == Target::Kind::cpu;
  }
  return false;
}

}  // namespace

void check_module(const llvm::Module& module, Target::Kind kind) {
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.use_empty()) continue;
    JITC_CHECK(is_allowed(function.getName(), kind), "call of " + function.getName().str());
  }
}

}  // namespace jitc::codegen
