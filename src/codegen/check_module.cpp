#include "src/codegen/check_module.hpp"

#include <algorithm>
#include <iterator>

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

constexpr llvm::StringRef kOfLibdevice[] = {
#define JITC_LIBDEVICE_INTRINSIC(prefix) prefix,
#include "src/codegen/libdevice_intrinsics.def"
#undef JITC_LIBDEVICE_INTRINSIC
};

bool is_of_libdevice(llvm::StringRef name) {
  return std::any_of(std::begin(kOfLibdevice), std::end(kOfLibdevice),
                     [&](llvm::StringRef prefix) { return matches(name, prefix); });
}

bool is_allowed(llvm::StringRef name, Target::Kind kind, bool has_libdevice) {
  if (name == print_function(kind)) return true;
  if (!name.consume_front("llvm.")) return false;
  for (const Allowed& row : kAllowed) {
    if (matches(name, row.prefix)) return !row.cpu_only || kind == Target::Kind::cpu;
  }
  return has_libdevice && is_of_libdevice(name);
}

}  // namespace

void check_module(const llvm::Module& module, Target::Kind kind, bool has_libdevice) {
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.use_empty()) continue;
    JITC_CHECK(is_allowed(function.getName(), kind, has_libdevice), "call of " + function.getName().str());
  }
}

}  // namespace jitc::codegen
