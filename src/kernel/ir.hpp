// The kernel IR: what one thread of one launchable kernel does, in structured control flow over typed scalar
// expressions and mutable locals. No SSA: LLVM builds that from the locals. Device functions are already inlined.
//
// Every operation is total: it has the language's value for every operand (x // 0 is 0, a shift by 99 is 0 …). Making
// it so in LLVM's terms is the emitter's work.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/dtype.hpp"
#include "src/base/store.hpp"
#include "src/source/line_table.hpp"
#include "src/source/span.hpp"
#include "src/types/memory_space.hpp"

namespace jitc::kernel {

using source::Span;
using types::MemorySpace;

using ExprId = base::Id<struct KernelExprTag>;
using StmtId = base::Id<struct KernelStmtTag>;
using LocalId = base::Id<struct KernelLocalTag>;
using LabelId = base::Id<struct KernelLabelTag>;

/// A scalar, or a pointer to elements of `dtype` in `space`. Pointers are only moved and dereferenced.
struct Type {
  DType dtype = DType::i8;
  bool is_pointer = false;
  MemorySpace space = MemorySpace::kGlobal;

  bool operator==(const Type&) const = default;
};
constexpr Type scalar(DType dtype) { return {dtype, false, MemorySpace::kGlobal}; }
constexpr Type pointer(DType elem, MemorySpace space) { return {elem, true, space}; }

/// "f4", "ptr<global f4>".
std::string to_string(Type type);

// --- expressions: pure, but for Load, whose value depends on the stores before its statement -------------------------

/// Bits of the value in the low size_bits(dtype) bits; b1 is 0 or 1.
struct Const {
  uint64_t bits = 0;
};
/// Index into KernelProgram::params.
struct ParamRef {
  uint32_t param = 0;
};
struct LocalRef {
  LocalId local;
};
/// The first element of KernelProgram::memory[object].
struct MemoryBase {
  uint32_t object = 0;
};

enum class ThreadValue : uint8_t {
  kThreadIdx,
  kBlockIdx,
  kBlockDim,
  kGridDim,    ///< one axis of the special registers
  kGlobalIdx,  ///< blockIdx * blockDim + threadIdx (cuda.grid)
  kGlobalDim,  ///< gridDim * blockDim (cuda.gridsize)
  kLaneId,
  kWarpSize,
  kDynamicSharedBytes,  ///< what the launch asked for; axis 0, as the two above
};
/// Always i8 and never negative.
struct ThreadIndex {
  ThreadValue value = ThreadValue::kThreadIdx;
  uint8_t axis = 0;
};

enum class UnaryOp : uint8_t {
  kNeg,     ///< ints wrap; floats flip the sign bit
  kNot,     ///< b1 only
  kInvert,  ///< ints only
  kAbs,     ///< ints: MIN stays MIN
  kSqrt,
  kFloor,
  kCeil,
  kTrunc,
  kRint,  ///< floats; correctly rounded; rint is half to even
  kIsNan,
  kIsInf,
  kIsFinite,
  kSignBit,  ///< floats -> b1
  kPopCount,
  kReverseBits,
  kLeadingZeros,  ///< the width for 0
  kFindFirstSet,  ///< 1 + the number of the lowest one bit; 0 for 0. All four: ints, and keep their type
};
struct Unary {
  UnaryOp op;
  ExprId operand;
};

/// Both operands and the result have the node's type, unless noted.
enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,  ///< ints wrap mod 2^w; floats round to nearest even, never contracted
  kDiv,  ///< floats only, correctly rounded
  kFloorDiv,
  kMod,     ///< ints only, floored: x//0 = 0, x%0 = 0, MIN//-1 = MIN, MIN%-1 = 0 (floats are Math calls)
  kIntPow,  ///< ints only: wraps; negative exponent: 0, or ±1 for a base of ±1; 0**0 = 1, 0**-n = 0
  kShl,
  kShr,  ///< ints; the count has the node's type; count >= width or < 0: 0, or -1 for kShr of a negative
  kAnd,
  kOr,
  kXor,  ///< ints and b1
  kMin,
  kMax,  ///< as Python compares: min(a,b) is b if b < a else a; max(a,b) is b if b > a else a
  kMinimum,
  kMaximum,  ///< as NumPy: a NaN operand gives NaN; of two equal zeros the right one
  kFmin,
  kFmax,      ///< a NaN operand gives the other one; of two equal zeros the right one
  kCopySign,  ///< floats: magnitude of lhs, sign of rhs
};
struct Binary {
  BinaryOp op;
  ExprId lhs, rhs;
};

/// Result b1; operands have one scalar type (b1 orders False < True). kNe is true, all others false, for a NaN.
enum class CompareOp : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };
struct Compare {
  CompareOp op;
  ExprId lhs, rhs;
};

/// Cast to the node's type: int to int wraps or extends by the source's signedness; int to float rounds to nearest;
/// float to int truncates, saturates, NaN gives 0; to b1 is `!= 0` (NaN is true); b1 to others gives 0 or 1.
struct Convert {
  ExprId operand;
};
/// Both values are evaluated. Pointers allowed.
struct Select {
  ExprId cond, then_value, else_value;
};
/// lhs * rhs + addend, rounded once.
struct Fma {
  ExprId lhs, rhs, addend;
};

enum class MathFn : uint8_t {
#define JITC_MATH(id, name, arity) id,
#include "src/math/math.def"
#undef JITC_MATH
#define JITC_TYPED_MATH(id, ...) id,
#include "src/math/typed.def"
#undef JITC_TYPED_MATH
};
const char* name(MathFn fn);
int arity(MathFn fn);
/// A call into the math library. Of a function of math.def the node's type is the floating type of the first argument,
/// but results and second arguments noted there as i32 or i64 have type i4 or i8.
struct MathCall {
  MathFn fn;
  std::vector<ExprId> args;
};

/// One step of an element address: index * stride, in bytes; both i8.
struct AddressTerm {
  ExprId index;
  ExprId stride_bytes;
};
/// The element at base + Σ index·stride. Indices are already wrapped and checked.
struct MemRef {
  ExprId base;
  std::vector<AddressTerm> terms;
};
/// The element, as the node's type; the base points to that dtype.
struct Load {
  MemRef ref;
};
/// The element's address itself, as a pointer (array views).
struct Address {
  MemRef ref;
};

struct Expr {
  Span span;
  Type type;
  std::variant<Const, ParamRef, LocalRef, MemoryBase, ThreadIndex, Unary, Binary, Compare, Convert, Select, Fma,
               MathCall, Load, Address>
      kind;
};

// --- statements ------------------------------------------------------------------------------------------------------

using Block = std::vector<StmtId>;

struct Assign {
  LocalId local;
  ExprId value;
};
struct Store {
  MemRef ref;
  ExprId value;
};
struct If {
  ExprId cond;
  Block then_block, else_block;
};
/// while (head; cond) { body; step }: head runs before each test, step after each body and each Continue.
struct Loop {
  LabelId label;
  Block head;
  ExprId cond;
  Block body, step;
  /// No round touches what another one does: the host runs them side by side, the lanes of a vector.
  bool lanes = false;
  uint16_t lane_count = 0;  ///< of a loop of lanes: it has exactly so many rounds; 0 where it is not said
};
/// A block that Exit can leave: for-else, while-else, inlined returns.
struct Scope {
  LabelId label;
  Block body;
};
/// Leaves the enclosing Scope or Loop of that label.
struct Exit {
  LabelId label;
};
/// Goes to `step` of the enclosing Loop of that label.
struct Continue {
  LabelId label;
};
/// Ends the thread.
struct Return {};
/// Records the launch's first failure (KernelProgram::fail_sites[site], with up to two i8 values), then ends the
/// thread.
struct Fail {
  uint32_t site;
  std::vector<ExprId> values;
};

/// One indivisible step on an element of global or shared memory: i4 u4 i8 u8 f4 f8 (kAnd, kOr, kXor, kInc, kDec: no
/// floats). Relaxed: orders no other access.
enum class AtomicOp : uint8_t {
  kAdd,
  kSub,
  kAnd,
  kOr,
  kXor,
  kExch,
  kInc,  ///< unsigned comparison: old >= value ? 0 : old + 1
  kDec,  ///< unsigned comparison: old == 0 or old > value ? value : old - 1
  kMax,
  kMin,  ///< floats: nothing is stored where either is NaN
  kNanMax,
  kNanMin,  ///< floats: a NaN value changes nothing, a NaN in memory is replaced
  kCas,     ///< stores value where old equals expected (floats: bit for bit)
};
struct Atomic {
  AtomicOp op;
  MemRef ref;
  ExprId value;
  ExprId expected;  ///< kCas only
  LocalId result;   ///< gets the old element; may be invalid
};

/// All threads of the block (kGrid: of the grid) that have not ended arrive here before any goes on; what they wrote
/// before is then visible to each other.
enum class BarrierOp : uint8_t {
  kBlock,
  kBlockCount,  ///< i4: in how many threads the predicate holds
  kBlockAnd,
  kBlockOr,  ///< i4, 0 or 1
  kGrid,
};
struct Barrier {
  BarrierOp op = BarrierOp::kBlock;
  ExprId predicate;                   ///< b1; the three reductions only
  LocalId result;                     ///< likewise
  std::optional<uint32_t> fail_site;  ///< checked kernels: reported where some threads do not arrive
};

/// Orders this thread's accesses before and after, as seen by its block, its device, or everything.
enum class FenceScope : uint8_t { kBlock, kDevice, kSystem };
struct Fence {
  FenceScope scope = FenceScope::kDevice;
};

/// Exchanges between the lanes of a warp: 32 threads of a block in the order of their numbers, x fastest. Executed
/// together by the lanes that are here; a lane that is not here, or not of the block, takes no part.
enum class WarpOp : uint8_t {
  kSync,
  kShflIdx,   ///< the value of lane `lane % 32`
  kShflUp,    ///< of my lane - lane % 32, or my own below 0
  kShflDown,  ///< of my lane + lane % 32, or my own above 31
  kShflXor,   ///< of my lane ^ lane % 32. All four: of a lane that takes no part, my own
  kAll,       ///< b1: the value holds in all lanes of the mask
  kAny,       ///< b1
  kUniform,   ///< b1: the value is the same in all lanes of the mask
  kBallot,    ///< u4: bit per lane of the mask in which the value holds
  kMatchAny,  ///< u4: the lanes of the mask that have my value, bit for bit
  kMatchAll,  ///< u4: the lanes of the mask if all have one value, else 0
  kActive,    ///< u4: the lanes that are here
};
struct Warp {
  WarpOp op = WarpOp::kSync;
  ExprId mask;     ///< u4: the lanes that take part; absent for kActive
  ExprId value;    ///< shuffles and matches: i4 u4 i8 u8 f4 f8; votes: b1
  ExprId lane;     ///< shuffles: i4
  LocalId result;  ///< of the value's type for shuffles; absent for kSync
};

/// One line on the host's standard output: parts separated by nothing.
struct PrintPart {
  std::string text;  ///< where `value` is absent
  ExprId value;      ///< b1: True or False; ints: decimal; floats: as C's %f, any NaN as nan
};
struct Print {
  std::vector<PrintPart> parts;  ///< the newline is not part of it
};

struct Stmt {
  Span span;
  std::variant<Assign, Store, If, Loop, Scope, Exit, Continue, Return, Fail, Atomic, Barrier, Fence, Warp, Print> kind;
};

/// An array that the kernel itself declares. It starts uninitialised, but for constants.
struct MemoryObject {
  std::string name;
  MemorySpace space = MemorySpace::kShared;
  DType dtype = DType::f4;
  uint64_t count_elems = 0;          ///< 0 for dynamic
  uint32_t align_bytes = 0;          ///< at least the element's size; a power of two
  bool dynamic = false;              ///< the launch's dynamic shared memory; all such objects start at one place
  std::vector<std::byte> init = {};  ///< kConst: all its bytes, little-endian
};

/// A mutable variable of the thread. Its value before the first assignment is zero (a null pointer).
struct Local {
  std::string name;
  Type type;
};

/// One parameter of the kernel: see ParamSlot. Pointers have type pointer(dtype, kGlobal); extents and strides are i8.
struct Param {
  std::string name;  ///< "X", "X.shape[0]", "X.strides[1]"
  Type type;
  ParamSlot::Part part = ParamSlot::Part::scalar;
  uint32_t argument = 0;
  uint32_t axis = 0;
  uint32_t align_bytes = 0;  ///< pointers: what the address is a multiple of; 0 for that of its elements
};

/// What code needs to say which line of the text it is from.
struct SourceLines {
  std::string file;
  source::LineTable lines;
};

/// One launchable kernel. Immutable between passes.
struct KernelProgram {
  std::string name;       ///< in the source
  std::string symbol;     ///< mangled entry name: letters, digits, underscores
  std::string signature;  ///< canonical
  std::vector<ArgumentInfo> arguments;
  std::vector<Param> params;
  base::Store<Expr, ExprId> exprs;
  base::Store<Stmt, StmtId> stmts;
  base::Store<Local, LocalId> locals;
  std::vector<std::string> labels;  ///< names for printing, by LabelId
  std::vector<MemoryObject> memory;
  Block body;
  std::vector<FailSite> fail_sites;
  uint32_t max_threads_per_block = 1024;
  uint32_t min_blocks_per_sm = 0;  ///< 0: not asked
  uint32_t max_registers = 0;      ///< 0: not asked
  bool streams = false;            ///< on a host the results go past the caches: ElementwiseForm::streams
  uint32_t line_count = 0;
  std::optional<SourceLines> lines;  ///< nothing: the code has no line table
};

}  // namespace jitc::kernel
