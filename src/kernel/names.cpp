// Tables of names and operator facts, in the order of the enumerations of ir.hpp.
#include <iterator>

#include "src/kernel/ops.hpp"

namespace jitc::kernel {

namespace {

struct MathInfo {
  const char* name;
  int arity;
};
constexpr MathInfo kMath[] = {
#define JITC_MATH(id, name, arity) {name, arity},
#include "src/math/math.def"
#undef JITC_MATH
};

constexpr UnaryInfo kUnary[] = {
    {"-", kNumbers, false, Level::kUnary},    {"not ", kBools, false, Level::kNot},
    {"~", kInts, false, Level::kUnary},       {"abs", kNumbers, false, Level::kAtom},
    {"sqrt", kFloats, false, Level::kAtom},   {"floor", kFloats, false, Level::kAtom},
    {"ceil", kFloats, false, Level::kAtom},   {"trunc", kFloats, false, Level::kAtom},
    {"rint", kFloats, false, Level::kAtom},   {"isnan", kFloats, true, Level::kAtom},
    {"isinf", kFloats, true, Level::kAtom},   {"isfinite", kFloats, true, Level::kAtom},
    {"signbit", kFloats, true, Level::kAtom}, {"popc", kInts, false, Level::kAtom},
    {"brev", kInts, false, Level::kAtom},     {"clz", kInts, false, Level::kAtom},
    {"ffs", kInts, false, Level::kAtom},
};
static_assert(std::size(kUnary) == static_cast<size_t>(UnaryOp::kFindFirstSet) + 1);

constexpr BinaryInfo kBinary[] = {
    {"+", kNumbers, Level::kSum},        {"-", kNumbers, Level::kSum},     {"*", kNumbers, Level::kProduct},
    {"/", kFloats, Level::kProduct},     {"//", kInts, Level::kProduct},   {"%", kInts, Level::kProduct},
    {"**", kInts, Level::kPower},        {"<<", kInts, Level::kShift},     {">>", kInts, Level::kShift},
    {"&", kBits, Level::kAnd},           {"|", kBits, Level::kOr},         {"^", kBits, Level::kXor},
    {"min", kNumbers, Level::kAtom},     {"max", kNumbers, Level::kAtom},  {"minimum", kNumbers, Level::kAtom},
    {"maximum", kNumbers, Level::kAtom}, {"fmin", kNumbers, Level::kAtom}, {"fmax", kNumbers, Level::kAtom},
    {"copysign", kFloats, Level::kAtom},
};
static_assert(std::size(kBinary) == static_cast<size_t>(BinaryOp::kCopySign) + 1);

constexpr const char* kCompare[] = {"==", "!=", "<", "<=", ">", ">="};
static_assert(std::size(kCompare) == static_cast<size_t>(CompareOp::kGe) + 1);

constexpr const char* kThread[] = {"thread_idx", "block_idx",  "block_dim",
                                   "grid_dim",   "global_idx", "global_dim",
                                   "lane_id",    "warp_size",  "dynamic_shared_bytes"};
static_assert(std::size(kThread) == static_cast<size_t>(ThreadValue::kDynamicSharedBytes) + 1);

constexpr AtomicInfo kAtomics[] = {
    {"add", kNumbers},    {"sub", kNumbers},    {"and", kInts},    {"or", kInts},     {"xor", kInts},
    {"exch", kNumbers},   {"inc", kInts},       {"dec", kInts},    {"max", kNumbers}, {"min", kNumbers},
    {"nanmax", kNumbers}, {"nanmin", kNumbers}, {"cas", kNumbers},
};
static_assert(std::size(kAtomics) == static_cast<size_t>(AtomicOp::kCas) + 1);

constexpr const char* kBarriers[] = {"barrier", "barrier_count", "barrier_and", "barrier_or", "grid_barrier"};
static_assert(std::size(kBarriers) == static_cast<size_t>(BarrierOp::kGrid) + 1);

constexpr const char* kFences[] = {"fence_block", "fence_device", "fence_system"};
static_assert(std::size(kFences) == static_cast<size_t>(FenceScope::kSystem) + 1);

constexpr const char* kWarpOps[] = {"warp_sync",   "shfl",      "shfl_up",   "shfl_down",
                                    "shfl_xor",    "warp_all",  "warp_any",  "warp_uniform",
                                    "warp_ballot", "match_any", "match_all", "active_mask"};
static_assert(std::size(kWarpOps) == static_cast<size_t>(WarpOp::kActive) + 1);

constexpr const char* kSpaces[] = {"global", "shared", "local", "const"};
static_assert(std::size(kSpaces) == static_cast<size_t>(MemorySpace::kConst) + 1);

}  // namespace

static_assert(std::size(kMath) == detail::kFirstTyped);
const char* name(MathFn fn) { return is_typed(fn) ? detail::typed(fn).name : kMath[static_cast<size_t>(fn)].name; }
int arity(MathFn fn) { return is_typed(fn) ? detail::typed(fn).arity : kMath[static_cast<size_t>(fn)].arity; }
const UnaryInfo& info(UnaryOp op) { return kUnary[static_cast<size_t>(op)]; }
const BinaryInfo& info(BinaryOp op) { return kBinary[static_cast<size_t>(op)]; }
const char* spelling(CompareOp op) { return kCompare[static_cast<size_t>(op)]; }
const AtomicInfo& info(AtomicOp op) { return kAtomics[static_cast<size_t>(op)]; }
const char* spelling(BarrierOp op) { return kBarriers[static_cast<size_t>(op)]; }
const char* spelling(FenceScope scope) { return kFences[static_cast<size_t>(scope)]; }
const char* spelling(WarpOp op) { return kWarpOps[static_cast<size_t>(op)]; }
const char* spelling(ThreadValue value) { return kThread[static_cast<size_t>(value)]; }
const char* spelling(MemorySpace space) { return kSpaces[static_cast<size_t>(space)]; }

std::string to_string(Type type) {
  const std::string elem(jitc::name(type.dtype));
  return type.is_pointer ? std::string("ptr<") + spelling(type.space) + " " + elem + ">" : elem;
}

}  // namespace jitc::kernel
