#include "src/codegen/libdevice.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "src/base/check.hpp"
#include "src/codegen/link_math.hpp"

namespace jitc::codegen {

namespace {

struct Row {
  const char* name;
  const char* stem;
};
constexpr Row kRows[] = {
#define JITC_LIBDEVICE(name, stem) {name, stem},
#include "src/codegen/libdevice.def"
#undef JITC_LIBDEVICE
};

std::string ours(const Row& row, bool is_f4) { return std::string("jitc_") + row.name + (is_f4 ? "_f4" : "_f8"); }
std::string theirs(const Row& row, bool is_f4) { return std::string("__nv_") + row.stem + (is_f4 ? "f" : ""); }

/// The library's module with its function bodies still unread.
llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context, const Libdevice& libdevice) {
  return llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(libdevice.bitcode, "libdevice"), context);
}

// --- a file of the user's --------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& help) {
  throw MathLibraryError("libdevice " + path + ": " + why + "; " + help);
}

constexpr const char* kWhatToName = "name the libdevice.10.bc of a CUDA toolkit, in its folder nvvm/libdevice";

std::string read_bytes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse(path, "there is no such file", kWhatToName);
  if (!std::filesystem::is_regular_file(path, error)) refuse(path, "is no file", kWhatToName);
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file) refuse(path, "cannot be read", kWhatToName);
  return bytes;
}

/// "BC" 0xC0DE, or the head of its wrapper. Source: LLVM Bitcode File Format, "Magic Numbers" and "Wrapper Format".
bool is_bitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

void check_functions(const llvm::Module& module, const std::string& path) {
  for (const Row& row : kRows) {
    for (const bool is_f4 : {true, false}) {
      const llvm::Function* function = module.getFunction(theirs(row, is_f4));
      if (function == nullptr || function->isDeclaration()) {
        refuse(path, "has no function " + theirs(row, is_f4), kWhatToName);
      }
      const llvm::Type* type = function->getReturnType();
      if (!(is_f4 ? type->isFloatTy() : type->isDoubleTy())) {
        refuse(path, theirs(row, is_f4) + " has another type than CUDA's", kWhatToName);
      }
    }
  }
}

/// Reads all of it once, so that nothing is left to be found wrong in the middle of a compile.
void check_contents(LlvmSession& session, const Libdevice& libdevice) {
  const auto unreadable = [&](llvm::Error error) {
    refuse(libdevice.path, "LLVM " LLVM_VERSION_STRING " cannot read it: " + llvm::toString(std::move(error)),
           "a newer toolkit's may be of a newer LLVM, then take an older one's");
  };
  auto module = read_module(session.context, libdevice);
  if (!module) unreadable(module.takeError());
  session.module = std::move(*module);
  if (llvm::Error error = session.module->materializeAll()) unreadable(std::move(error));
  std::string problems;
  llvm::raw_string_ostream out(problems);
  if (llvm::verifyModule(*session.module, &out)) refuse(libdevice.path, "is malformed: " + problems, kWhatToName);
  check_functions(*session.module, libdevice.path);
}

// --- into a module ---------------------------------------------------------------------------------------------------

///   define internal float @jitc_sin_f4(float %x) alwaysinline { %y = call float @__nv_sinf(float %x)  ret float %y }
void define_call(llvm::Function& function, const std::string& callee) {
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  std::vector<llvm::Value*> args;
  for (llvm::Argument& arg : function.args()) args.push_back(&arg);
  b.CreateRet(b.CreateCall(function.getParent()->getOrInsertFunction(callee, function.getFunctionType()), args));
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

bool define_calls(llvm::Module& module) {
  bool any = false;
  for (const Row& row : kRows) {
    for (const bool is_f4 : {true, false}) {
      llvm::Function* function = module.getFunction(ours(row, is_f4));
      if (function == nullptr || !function->isDeclaration()) continue;
      define_call(*function, theirs(row, is_f4));
      any = true;
    }
  }
  return any;
}

/// Attributes of the library's own compiler would keep its functions from being inlined into ours.
void drop_attributes(llvm::Function& function) {
  const bool is_inlined = function.hasFnAttribute(llvm::Attribute::AlwaysInline);
  function.setAttributes({});
  if (is_inlined) function.addFnAttr(llvm::Attribute::AlwaysInline);
}

/// Source: NVVM IR Specification and libdevice User's Guide, "__nvvm_reflect"; the flags as nvcc sets them by default.
uint64_t reflected(llvm::StringRef name, const Target& target) {
  if (name == "__CUDA_ARCH") return static_cast<uint64_t>(target.sm) * 10;
  return name == "__CUDA_PREC_SQRT" || name == "__CUDA_PREC_DIV" ? 1 : 0;
}

///   %ftz = call i32 @__nvvm_reflect(ptr @.str)  ->  0
void answer_reflections(llvm::Module& module, const Target& target) {
  llvm::Function* reflect = module.getFunction("__nvvm_reflect");
  if (reflect == nullptr) return;
  for (llvm::User* user : llvm::make_early_inc_range(reflect->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::StringRef name;
    const bool is_plain = call != nullptr && llvm::getConstantStringInfo(call->getArgOperand(0), name);
    JITC_CHECK(is_plain, "__nvvm_reflect of what is no text");
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), reflected(name, target)));
    call->eraseFromParent();
  }
  reflect->eraseFromParent();
}

}  // namespace

std::shared_ptr<const Libdevice> read_libdevice(const std::string& path) {
  auto libdevice = std::make_shared<Libdevice>(Libdevice{path, read_bytes(path), {}});
  libdevice->digest = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(libdevice->bitcode)));
  if (!is_bitcode(libdevice->bitcode)) refuse(path, "is not LLVM bitcode", kWhatToName);
  try {
    with_session(/*keep_names=*/false, [&](LlvmSession& session) { check_contents(session, *libdevice); });
  } catch (const base::InternalError& error) { refuse(path, error.what(), kWhatToName); }
  return libdevice;
}

void link_libdevice(LlvmSession& session, const Libdevice& libdevice, const Target& target) {
  if (!define_calls(*session.module)) return;
  link_needed(session, read_module(session.context, libdevice), "libdevice", drop_attributes);
  answer_reflections(*session.module, target);
}

}  // namespace jitc::codegen
