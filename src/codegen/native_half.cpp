#include "src/codegen/native_half.hpp"

namespace jitc::codegen {

namespace {

/// One instruction: the function it replaces, and the first SM that has it (0: only CPUs with F16C).
struct NativeHalf {
  llvm::StringRef function;
  int first_sm;
  bool f16c;
};

// Source: PTX ISA, "cvt" and "fma"; x86: VCVTPH2PS and VCVTPS2PH. From f8 there is no such instruction on a CPU.
constexpr NativeHalf kNative[] = {
    {"jitc_f2_to_f4", 50, true}, {"jitc_f4_to_f2", 50, true},    {"jitc_f8_to_f2", 50, false},
    {"jitc_fma_f2", 53, false},  {"jitc_f4_to_bf16", 80, false}, {"jitc_fma_bf16", 80, false},
};

bool has_f16c(const MachineSpec& spec) { return llvm::StringRef("," + spec.features + ",").contains(",+f16c,"); }

/// The value that a parameter or result of `bits` holds, as LLVM's type of it.
llvm::Type* half_type(llvm::LLVMContext& context, llvm::StringRef function) {
  return function.ends_with("bf16") ? llvm::Type::getBFloatTy(context) : llvm::Type::getHalfTy(context);
}

///   define internal float @jitc_f2_to_f4(i16 %x) alwaysinline {
///     %h = bitcast i16 %x to half;  %y = fpext half %h to float;  ret float %y
void define(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", &function));
  llvm::Type* half = half_type(context, function.getName());
  std::vector<llvm::Value*> args;
  for (llvm::Argument& arg : function.args()) {
    args.push_back(arg.getType()->isIntegerTy() ? b.CreateBitCast(&arg, half) : &arg);
  }
  llvm::Value* result = nullptr;
  if (args.size() == 3) {
    result = b.CreateIntrinsic(llvm::Intrinsic::fma, {half}, args);
  } else {
    result = b.CreateFPCast(args[0], function.getReturnType()->isIntegerTy() ? half : function.getReturnType());
  }
  b.CreateRet(b.CreateBitCast(result, function.getReturnType()));
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

}  // namespace

void define_native_halves(llvm::Module& module, const Target& target, const MachineSpec& spec) {
  const bool gpu = target.kind == Target::Kind::nvptx;
  for (const NativeHalf& row : kNative) {
    llvm::Function* function = module.getFunction(row.function);
    const bool native = gpu ? target.sm >= row.first_sm : row.f16c && has_f16c(spec);
    if (function != nullptr && native) define(*function);
  }
}

}  // namespace jitc::codegen
