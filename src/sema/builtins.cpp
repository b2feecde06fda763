#include "src/sema/builtins.hpp"

#include "src/kernel/ir.hpp"
#include "src/sema/libdevice.hpp"
#include "src/sema/typed.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

namespace {

using kernel::AtomicOp;
using kernel::BarrierOp;
using kernel::BinaryOp;
using kernel::FenceScope;
using kernel::MathFn;
using kernel::ThreadValue;
using kernel::UnaryOp;
using kernel::WarpOp;
using types::MemorySpace;
using Op = syntax::BinaryOp;
using Unary = syntax::UnaryOp;
using Compare = syntax::CompareOp;

char letter(Module module) {
  switch (module) {
    case Module::kPython: return 'B';
    case Module::kMath: return 'M';
    case Module::kNumpy: return 'N';
    case Module::kNumba: return 'J';
    case Module::kCuda: return 'C';
    case Module::kOperator: return 'O';
    case Module::kShared: return 'S';
    case Module::kLocal: return 'L';
    case Module::kConst: return 'K';
    case Module::kAtomic: return 'A';
    case Module::kCg: return 'G';
    case Module::kRandom: return 'R';
    case Module::kLinalg: return 'I';
    case Module::kCmath: return 'X';
    case Module::kLibdevice:
    case Module::kTypes: return '-';
  }
  return '-';
}

}  // namespace

std::string_view module_name(Module module) {
  switch (module) {
    case Module::kPython: return "builtins";
    case Module::kMath: return "math";
    case Module::kNumpy: return "numpy";
    case Module::kNumba: return "numba";
    case Module::kCuda: return "numba.cuda";
    case Module::kTypes: return "numba.types";
    case Module::kOperator: return "operator";
    case Module::kCmath: return "cmath";
    case Module::kShared: return "numba.cuda.shared";
    case Module::kLocal: return "numba.cuda.local";
    case Module::kConst: return "numba.cuda.const";
    case Module::kAtomic: return "numba.cuda.atomic";
    case Module::kCg: return "numba.cuda.cg";
    case Module::kRandom: return "numba.cuda.random";
    case Module::kLinalg: return "numpy.linalg";
    case Module::kLibdevice: return "numba.cuda.libdevice";
  }
  return "";
}

const std::vector<Builtin>& all_builtins() {
  static const std::vector<Builtin> rows = {
#define JITC_BUILTIN(modules, name, rule, detail) {modules, name, Rule::rule, static_cast<int>(detail)},
#include "src/sema/builtins.def"
#undef JITC_BUILTIN
  };
  return rows;
}

const Builtin* find_builtin(Module module, std::string_view name) {
  if (module == Module::kLibdevice) return find_libdevice_builtin(name);
  for (const Builtin& row : all_builtins()) {
    if (row.name == name && row.modules.find(letter(module)) != std::string_view::npos) return &row;
  }
  return nullptr;
}

std::vector<std::string_view> builtin_names(Module module) {
  std::vector<std::string_view> out;
  if (module == Module::kLibdevice) {
    for (const LibdeviceFunction& row : libdevice_functions()) out.push_back(row.name);
    return out;
  }
  for (const Builtin& row : all_builtins()) {
    if (row.modules.find(letter(module)) != std::string_view::npos) out.push_back(row.name);
  }
  return out;
}

}  // namespace jitc::sema
