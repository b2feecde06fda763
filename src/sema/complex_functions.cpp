#include "src/sema/complex_functions.hpp"

#include <numbers>

namespace jitc::sema {

namespace {

// In the order of ComplexFunction.
constexpr PartFunctions kParts[] = {
    {MathFn::kCsqrtRe, MathFn::kCsqrtIm},   {MathFn::kCexpRe, MathFn::kCexpIm},
    {MathFn::kClogRe, MathFn::kClogIm},     {MathFn::kCsinRe, MathFn::kCsinIm},
    {MathFn::kCcosRe, MathFn::kCcosIm},     {MathFn::kCtanRe, MathFn::kCtanIm},
    {MathFn::kCsinhRe, MathFn::kCsinhIm},   {MathFn::kCcoshRe, MathFn::kCcoshIm},
    {MathFn::kCtanhRe, MathFn::kCtanhIm},   {MathFn::kCasinRe, MathFn::kCasinIm},
    {MathFn::kCacosRe, MathFn::kCacosIm},   {MathFn::kCatanRe, MathFn::kCatanIm},
    {MathFn::kCasinhRe, MathFn::kCasinhIm}, {MathFn::kCacoshRe, MathFn::kCacoshIm},
    {MathFn::kCatanhRe, MathFn::kCatanhIm}, {MathFn::kCdivRe, MathFn::kCdivIm},
    {MathFn::kCpowRe, MathFn::kCpowIm},
};

constexpr ComplexBuiltin math(MathFn fn, ComplexFunction function, double scale = 1) {
  return {Rule::kMath1, static_cast<int>(fn), function, scale};
}

constexpr ComplexBuiltin kBuiltins[] = {
    {Rule::kUnaryFloat, static_cast<int>(UnaryOp::kSqrt), ComplexFunction::kSqrt},
    math(MathFn::kExp, ComplexFunction::kExp),
    math(MathFn::kLog, ComplexFunction::kLog),
    math(MathFn::kLog2, ComplexFunction::kLog, std::numbers::log2e),
    math(MathFn::kLog10, ComplexFunction::kLog, std::numbers::log10e),
    math(MathFn::kSin, ComplexFunction::kSin),
    math(MathFn::kCos, ComplexFunction::kCos),
    math(MathFn::kTan, ComplexFunction::kTan),
    math(MathFn::kSinh, ComplexFunction::kSinh),
    math(MathFn::kCosh, ComplexFunction::kCosh),
    math(MathFn::kTanh, ComplexFunction::kTanh),
    math(MathFn::kAsin, ComplexFunction::kAsin),
    math(MathFn::kAcos, ComplexFunction::kAcos),
    math(MathFn::kAtan, ComplexFunction::kAtan),
    math(MathFn::kAsinh, ComplexFunction::kAsinh),
    math(MathFn::kAcosh, ComplexFunction::kAcosh),
    math(MathFn::kAtanh, ComplexFunction::kAtanh),
};

}  // namespace

PartFunctions part_functions(ComplexFunction function) { return kParts[static_cast<size_t>(function)]; }

const ComplexBuiltin* find_complex_builtin(const Builtin& builtin) {
  for (const ComplexBuiltin& row : kBuiltins) {
    if (row.rule == builtin.rule && row.detail == builtin.detail) return &row;
  }
  return nullptr;
}

}  // namespace jitc::sema
