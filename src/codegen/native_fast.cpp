#include "src/codegen/native_fast.hpp"

#include <numbers>

namespace jitc::codegen {

namespace {

/// Writes the body of one function of f4.
class FastWriter {
 public:
  explicit FastWriter(llvm::Function& function)
      : b_(llvm::BasicBlock::Create(function.getContext(), "entry", &function)), f4_(b_.getFloatTy()) {}

  llvm::Value* constant(double value) { return llvm::ConstantFP::get(f4_, value); }
  llvm::Value* times(llvm::Value* x, double factor) { return b_.CreateFMul(x, constant(factor)); }

  ///   call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float %x)
  llvm::Value* approximate(const std::string& instruction, llvm::ArrayRef<llvm::Value*> args) {
    const bool is_binary = args.size() == 2;
    llvm::FunctionType* type =
        is_binary ? llvm::FunctionType::get(f4_, {f4_, f4_}, false) : llvm::FunctionType::get(f4_, {f4_}, false);
    const std::string text = instruction + (is_binary ? " $0, $1, $2;" : " $0, $1;");
    return b_.CreateCall(type, llvm::InlineAsm::get(type, text, is_binary ? "=f,f,f" : "=f,f", false), args);
  }
  llvm::Value* exp2(llvm::Value* x) { return approximate("ex2.approx.f32", {x}); }
  llvm::Value* log2(llvm::Value* x) { return approximate("lg2.approx.f32", {x}); }

  llvm::Value* tan(llvm::Value* x) {
    llvm::Value* sine = approximate("sin.approx.f32", {x});
    return approximate("div.approx.f32", {sine, approximate("cos.approx.f32", {x})});
  }

  /// 2**(y log2|x|), with the sign or the nan that a negative x gives.
  llvm::Value* pow(llvm::Value* x, llvm::Value* y) {
    llvm::Value* zero = constant(0);
    llvm::Value* power = exp2(b_.CreateFMul(y, log2(intrinsic(llvm::Intrinsic::fabs, x))));
    llvm::Value* whole_half = intrinsic(llvm::Intrinsic::trunc, times(y, 0.5));
    llvm::Value* parity = intrinsic(llvm::Intrinsic::fabs, b_.CreateFSub(y, times(whole_half, 2)));
    llvm::Value* is_infinite =
        b_.CreateFCmpOEQ(intrinsic(llvm::Intrinsic::fabs, y), llvm::ConstantFP::getInfinity(f4_));
    llvm::Value* is_even = b_.CreateOr(b_.CreateFCmpOEQ(parity, zero), is_infinite);
    llvm::Value* of_even = b_.CreateSelect(is_even, power, llvm::ConstantFP::getNaN(f4_));
    llvm::Value* of_negative = b_.CreateSelect(b_.CreateFCmpOEQ(parity, constant(1)), b_.CreateFNeg(power), of_even);
    llvm::Value* result = b_.CreateSelect(b_.CreateFCmpOLT(x, zero), of_negative, power);
    return b_.CreateSelect(b_.CreateFCmpOEQ(y, zero), constant(1), result);
  }

  void finish(llvm::Function& function, llvm::Value* result) {
    b_.CreateRet(result);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }

 private:
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::Value* x) { return b_.CreateIntrinsic(id, {f4_}, {x}); }

  llvm::IRBuilder<> b_;
  llvm::Type* f4_;
};

using Write = llvm::Value* (*)(FastWriter& w, llvm::ArrayRef<llvm::Value*> args);

struct NativeFast {
  llvm::StringRef function;
  int first_sm;  ///< whose least PTX ISA has the instructions
  Write write;
};

using Args = llvm::ArrayRef<llvm::Value*>;
using std::numbers::ln2, std::numbers::log2e;

// Source: PTX ISA, "Floating Point Instructions".
const NativeFast kNative[] = {
    {"jitc_fast_sin_f4", 50, [](FastWriter& w, Args x) { return w.approximate("sin.approx.f32", x); }},
    {"jitc_fast_cos_f4", 50, [](FastWriter& w, Args x) { return w.approximate("cos.approx.f32", x); }},
    {"jitc_fast_tan_f4", 50, [](FastWriter& w, Args x) { return w.tan(x[0]); }},
    {"jitc_fast_tanh_f4", 80, [](FastWriter& w, Args x) { return w.approximate("tanh.approx.f32", x); }},
    {"jitc_fast_exp_f4", 50, [](FastWriter& w, Args x) { return w.exp2(w.times(x[0], log2e)); }},
    {"jitc_fast_exp2_f4", 50, [](FastWriter& w, Args x) { return w.exp2(x[0]); }},
    {"jitc_fast_log_f4", 50, [](FastWriter& w, Args x) { return w.times(w.log2(x[0]), ln2); }},
    {"jitc_fast_log2_f4", 50, [](FastWriter& w, Args x) { return w.log2(x[0]); }},
    {"jitc_fast_log10_f4", 50, [](FastWriter& w, Args x) { return w.times(w.log2(x[0]), ln2 / std::numbers::ln10); }},
    {"jitc_fast_pow_f4", 50, [](FastWriter& w, Args x) { return w.pow(x[0], x[1]); }},
    {"jitc_fast_divide_f4", 50, [](FastWriter& w, Args x) { return w.approximate("div.approx.f32", x); }},
    {"jitc_fast_sqrt_f4", 50, [](FastWriter& w, Args x) { return w.approximate("sqrt.approx.f32", x); }},
};

}  // namespace

void define_native_fast(llvm::Module& module, const Target& target) {
  if (target.kind != Target::Kind::nvptx) return;
  for (const NativeFast& row : kNative) {
    llvm::Function* function = module.getFunction(row.function);
    if (function == nullptr || target.sm < row.first_sm) continue;
    FastWriter writer(*function);
    llvm::SmallVector<llvm::Value*, 2> args;
    for (llvm::Argument& arg : function->args()) args.push_back(&arg);
    writer.finish(*function, row.write(writer, args));
  }
}

}  // namespace jitc::codegen
