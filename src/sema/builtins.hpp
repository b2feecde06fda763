// The table of built-in names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jitc::sema {

/// The modules a file may import or name. `numba` and `numpy` are their top levels.
enum class Module : uint8_t {
  kPython,
  kMath,
  kNumpy,
  kNumba,
  kCuda,
  kTypes,
  kOperator,
  kCmath,
  kShared,
  kLocal,
  kConst,
  kAtomic,
  kCg,
  kRandom,
  kLinalg,
  kLibdevice,
};

/// Text as Python names it: "numba.cuda".
std::string_view module_name(Module module);

/// How a built-in is typed; see builtins.def.
enum class Rule : uint8_t {
  kUnaryFloat,
  kMath1,
  kScale,
  kMath2,
  kFmod,
  kCopySign,
  kMathPow,
  kOperator,
  kLdexp,
  kFrexp,
  kSincos,
  kModf,
  kFma,
  kWhere,
  kPredicate,
  kAbs,
  kMinMax,
  kRound,
  kDivmod,
  kSign,
  kSquare,
  kReciprocal,
  kPythonCast,
  kComplex,
  kNumberPart,
  kPhase,
  kPolar,
  kRect,
  kLen,
  kIterable,
  kUnaryOperator,
  kComparison,
  kLogical,
  kConstant,
  kGrid,
  kDim3,
  kThreadScalar,
  kMemoryArray,
  kConstArray,
  kArrayMaker,
  kAtomic,
  kRandom,
  kHostFunction,
  kBarrier,
  kFence,
  kSyncWarp,
  kShuffle,
  kVote,
  kMatch,
  kActiveMask,
  kLaneMask,
  kBits,
  kThisGrid,
  kNanosleep,
  kPrint,
  kArrayFn,
  kDecorator,
  kLibdevice,
  kFuture,
};

/// What is made of whole arrays, in array functions alone.
enum class ArrayFn : uint8_t {
  kZerosLike,
  kOnesLike,
  kFullLike,
  kEmptyLike,
  kEye,
  kIdentity,
  kTri,
  kTril,
  kTriu,
  kMeshgrid,
  kAsArray,
  kAsContiguous,
  kCopy,
  kTranspose,
  kMatrixTranspose,
  kMoveaxis,
  kSwapaxes,
  kFlip,
  kFlipLr,
  kFlipUd,
  kRoll,
  kSqueeze,
  kExpandDims,
  kBroadcastTo,
  kBroadcastArrays,
  kReshape,
  kRavel,
  kFlatten,
  kConcat,
  kStack,
  kRepeat,
  kTile,
  kDiagonal,
  kDiff,
  kClip,
  kSelect,
  kAsType,
  kIsClose,
  kAllClose,
  kArrayEqual,
  kNanToNum,
  kSum,
  kProd,
  kMean,
  kVar,
  kStd,
  kMin,
  kMax,
  kArgMin,
  kArgMax,
  kAny,
  kAll,
  kCountNonzero,
  kNanSum,
  kNanProd,
  kNanMean,
  kNanVar,
  kNanStd,
  kNanMin,
  kNanMax,
  kNanArgMin,
  kNanArgMax,
  kPtp,
  kLogSumExp,
  kNorm,
  kAverage,
  kMatmul,
  kDot,
  kVdot,
  kInner,
  kVecdot,
  kOuter,
  kTensordot,
  kEinsum,
  kTrace,
};

/// On truth values: no operand is evaluated for what another is.
enum class Logical : uint8_t { kNot, kAnd, kOr, kXor };
enum class Scale : uint8_t { kDegrees, kRadians };
enum class PythonCast : uint8_t { kInt, kFloat, kBool };
enum class NumberPart : uint8_t { kReal, kImag, kConjugate };
/// As the attribute of a number: "real".
constexpr std::string_view part_name(NumberPart part) {
  constexpr std::string_view kNames[] = {"real", "imag", "conjugate"};
  return kNames[static_cast<size_t>(part)];
}
enum class Iterable : uint8_t { kRange, kEnumerate, kZip };
enum class Number : uint8_t { kPi, kE, kTau, kInf, kNan, kEulerGamma };
enum class ArrayMaker : uint8_t { kArray, kZeros, kOnes, kFull, kEmpty, kArange, kLinspace };
enum class Decorator : uint8_t { kCudaJit, kVectorize, kGuvectorize, kJit, kReduce };

struct Builtin {
  std::string_view modules;
  std::string_view name;
  Rule rule;
  int detail;

  template <class T>
  T as() const {
    return static_cast<T>(detail);
  }
};

/// The row of `name` in a module; nothing when it has none. Bare names are looked up as kPython, then kNumpy.
const Builtin* find_builtin(Module module, std::string_view name);
/// All names of a module, for suggestions.
std::vector<std::string_view> builtin_names(Module module);
const std::vector<Builtin>& all_builtins();

}  // namespace jitc::sema
