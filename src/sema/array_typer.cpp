#include "src/sema/array_typer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace jitc::sema {

using source::DiagId;

ArrayTyper::Function ArrayTyper::function_of(ArrayFn fn) {
  using enum ArrayFn;
  using T = ArrayTyper;
  static const std::pair<ArrayFn, Function> kTable[] = {
      {kZerosLike, &T::like},
      {kOnesLike, &T::like},
      {kFullLike, &T::like},
      {kEmptyLike, &T::like},
      {kEye, &T::eye},
      {kIdentity, &T::eye},
      {kTri, &T::triangle},
      {kTril, &T::triangle},
      {kTriu, &T::triangle},
      {kMeshgrid, &T::meshgrid},
      {kAsArray, &T::as_array},
      {kAsContiguous, &T::as_array},
      {kCopy, &T::as_array},
      {kFlatten, &T::as_array},
      {kTranspose, &T::transpose},
      {kMatrixTranspose, &T::matrix_transpose},
      {kMoveaxis, &T::moveaxis},
      {kSwapaxes, &T::swapaxes},
      {kFlip, &T::flip},
      {kFlipLr, &T::flip},
      {kFlipUd, &T::flip},
      {kRoll, &T::roll},
      {kSqueeze, &T::squeeze_axes},
      {kExpandDims, &T::expand_dims},
      {kBroadcastTo, &T::broadcast_to},
      {kBroadcastArrays, &T::broadcast_arrays},
      {kReshape, &T::reshape_array},
      {kRavel, &T::ravel},
      {kConcat, &T::concat},
      {kStack, &T::stack},
      {kRepeat, &T::repeat},
      {kTile, &T::tile},
      {kDiagonal, &T::diagonal},
      {kDiff, &T::diff},
      {kClip, &T::clip},
      {kSelect, &T::select},
      {kAsType, &T::as_type},
      {kIsClose, &T::is_close},
      {kAllClose, &T::is_close},
      {kArrayEqual, &T::array_equal},
      {kNanToNum, &T::nan_to_num},
      {kSum, &T::sum},
      {kProd, &T::sum},
      {kNanSum, &T::sum},
      {kNanProd, &T::sum},
      {kMean, &T::mean},
      {kNanMean, &T::mean},
      {kVar, &T::variance},
      {kStd, &T::variance},
      {kNanVar, &T::variance},
      {kNanStd, &T::variance},
      {kMin, &T::extreme},
      {kMax, &T::extreme},
      {kNanMin, &T::extreme},
      {kNanMax, &T::extreme},
      {kArgMin, &T::arg_extreme},
      {kArgMax, &T::arg_extreme},
      {kNanArgMin, &T::arg_extreme},
      {kNanArgMax, &T::arg_extreme},
      {kAny, &T::truth},
      {kAll, &T::truth},
      {kCountNonzero, &T::count_nonzero},
      {kPtp, &T::ptp},
      {kLogSumExp, &T::log_sum_exp},
      {kNorm, &T::norm},
      {kAverage, &T::average},
      {kMatmul, &T::product},
      {kDot, &T::product},
      {kVdot, &T::product},
      {kInner, &T::product},
      {kVecdot, &T::product},
      {kOuter, &T::outer},
      {kTensordot, &T::tensordot},
      {kEinsum, &T::einsum},
      {kTrace, &T::trace},
  };
  const auto* row = std::find_if(std::begin(kTable), std::end(kTable), [&](const auto& r) { return r.first == fn; });
  JITC_CHECK(row != std::end(kTable), "a function of arrays without a rule");
  return row->second;
}

ExprId ArrayTyper::call(const BuiltinEntity& b, const syntax::CallExpr& e, Span span) {
  call_ = &e;
  builtin_ = b;
  span_ = span;
  return (this->*function_of(b.builtin->as<ArrayFn>()))(b.builtin->as<ArrayFn>());
}

ExprId ArrayTyper::make(ArrayMaker maker, const syntax::CallExpr& e, Span span) {
  call_ = &e;
  span_ = span;
  switch (maker) {
    case ArrayMaker::kArange: return arange();
    case ArrayMaker::kLinspace: return linspace();
    case ArrayMaker::kArray: return array_of();
    default: return filled(maker);
  }
}

/// Methods of arrays by the names of the functions; those that the namespace has not are made here.
const Builtin* ArrayTyper::method(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "all", "any",  "argmax",   "argmin", "astype",    "clip",   "copy",    "diagonal", "dot",
      "max", "mean", "min",      "prod",   "ravel",     "repeat", "reshape", "round",    "squeeze",
      "std", "sum",  "swapaxes", "trace",  "transpose", "var",    "conj",    "conjugate"};
  static constexpr Builtin kFlat{"", "flatten", Rule::kArrayFn, static_cast<int>(ArrayFn::kFlatten)};
  if (name == "flatten") return &kFlat;
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) return nullptr;
  return folding(find_builtin(Module::kNumpy, name));
}

const Builtin* ArrayTyper::folding(const Builtin* row) {
  static constexpr Builtin kMinRow{"N", "min", Rule::kArrayFn, static_cast<int>(ArrayFn::kMin)};
  static constexpr Builtin kMaxRow{"N", "max", Rule::kArrayFn, static_cast<int>(ArrayFn::kMax)};
  if (row->rule != Rule::kMinMax) return row;
  return row->name == "min" ? &kMinRow : &kMaxRow;
}

}  // namespace jitc::sema
