// A kernel, decoded: flat steps whose registers, targets and addresses are numbers. Nothing is looked up while it runs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/emulator/alu/alu.hpp"
#include "runtime/emulator/isa/special_registers.hpp"
#include "runtime/emulator/isa/unit.hpp"

namespace jitc::emulator {

/// A register's row in the frame (from 0), or a constant's (below 0).
struct Slot {
  int32_t index;

  bool is_none() const { return index == INT32_MIN; }
  bool is_constant() const { return index < 0 && !is_none(); }
  /// Of a register of 128 bits, which is two rows.
  Slot upper_half() const { return {index + 1}; }
  size_t constant_index() const { return static_cast<size_t>(-1 - index); }
  bool operator==(const Slot&) const = default;
};
constexpr Slot kNoSlot = {INT32_MIN};

/// Where an access goes. constant and global are host addresses once the program is linked.
enum class Area : uint8_t { generic, global, shared, local, constant, kernel_param };

enum class AtomicOp : uint8_t { none, bit_and, bit_or, bit_xor, exchange, compare_exchange, add, inc, dec, min, max };

/// What an access orders. Source: PTX ISA, "Memory Consistency Model". volatile is relaxed, and so are atomic
/// operations that say nothing.
enum class Ordering : uint8_t { weak, relaxed, acquire, release, acquire_release };

/// What a vote, reduction, shuffle or barrier does with the values of its threads: rows of meeting_ops.def.
enum class MeetingOp : uint8_t {
#define MEETING_OP(id, modifier) id,
#include "runtime/emulator/program/meeting_ops.def"
#undef MEETING_OP
};

/// A load, store or atomic operation: the address is base + offset, plus the frame's own where it is relative to it.
struct Access {
  Area area = Area::generic;
  Type type = Type::b32;
  AtomicOp op = AtomicOp::none;
  uint8_t count = 1;  ///< values of the vector form
  Ordering ordering = Ordering::weak;
  bool is_read_only = false;  ///< ld.global.nc
  bool is_frame_relative = false;
  Slot base = kNoSlot;
  int64_t offset_bytes = 0;
  std::array<Slot, 4> values = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};  ///< kNoSlot for a value that goes nowhere
};

/// A value that a call hands over: from or to a register, or bytes of the caller's frame.
struct Transfer {
  Slot slot = kNoSlot;
  uint32_t caller_offset_bytes = 0;
  uint32_t callee_offset_bytes = 0;
  uint32_t size_bytes = 0;
};

/// Functions that the driver brings: rows of builtin_functions.def.
enum class Builtin : uint8_t {
  none,
#define BUILTIN(name) name,
#include "runtime/emulator/program/builtin_functions.def"
#undef BUILTIN
};

/// The barrier at which a cluster's threads wait: it has no number in a text.
constexpr uint32_t kClusterBarrier = 16;

struct CallSite {
  uint32_t callee = 0;     ///< index among the program's functions
  Slot address = kNoSlot;  ///< of the function, where the callee is not known
  Builtin builtin = Builtin::none;
  std::vector<Transfer> arguments;
  std::vector<Transfer> results;
};

/// One instruction. `index` is a step (branch), or an element of the function's accesses, calls or tables.
struct Step {
  Action action = Action::nothing;
  bool is_guard_negated = false;
  bool is_uniform = false;  ///< bra.uni
  Unit unit = Unit::other;
  bool uses_carry = false;  ///< reads or writes the condition code
  bool moves_bits = false;  ///< the result is made of the sources' bits, not computed from their values
  uint8_t variant = 0;      ///< a MeetingOp, or the Special of read_clock
  Slot guard = kNoSlot;
  Slot dst = kNoSlot;
  Slot second = kNoSlot;
  std::array<Slot, 5> src = {kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  uint32_t index = 0;
  uint32_t line = 0;  ///< of the PTX text
  Alu alu;
};

struct SpecialUse {
  Special id;
  Slot slot;
};

/// From this step on the source is there.
struct SourceMark {
  uint32_t step;
  SourceLine source;
};

/// A parameter's place in its block.
struct ParamPlace {
  std::string name;
  uint32_t offset_bytes;
  uint32_t size_bytes;
  uint32_t align_bytes;
};

struct DecodedFunction {
  std::string name;
  uint32_t module_index = 0;  ///< in the text's order: what its address says
  std::vector<Step> steps;    ///< the last one leaves the function
  std::vector<Bits> constants;
  uint32_t count_slots = 0;
  Slot carry = kNoSlot;              ///< the condition code, where it is used
  Slot stack = kNoSlot;              ///< the end of what alloca has taken of local memory, where it is used
  std::vector<SpecialUse> specials;  ///< filled in before the first step
  std::vector<Access> accesses;
  std::vector<CallSite> calls;
  std::vector<std::vector<uint32_t>> branch_tables;
  std::vector<SourceMark> marks;
  std::vector<ParamPlace> params;  ///< of an entry, in its parameter block; of a function, in its frame
  uint32_t param_bytes = 0;        ///< of an entry
  uint32_t frame_bytes = 0;        ///< of local memory: results, parameters, variables
};

/// A constant that holds an address, known only when the module is in memory.
struct AddressUse {
  uint32_t function;
  uint32_t constant;
  uint32_t symbol;  ///< of the image
  int64_t offset_bytes;
};

/// What .maxntid and its like ask for; 0 where they are silent.
struct LaunchBounds {
  std::array<uint32_t, 3> max_threads = {0, 0, 0};
  bool is_exact = false;  ///< .reqntid
  uint32_t min_blocks = 0;
  uint32_t max_registers = 0;
};

/// An argument of the kernel as its author wrote it: offsets of its parts in the parameters, where the kernel gets
/// them.
struct ArgumentNote {
  std::string name;
  std::string type;  ///< "f4[:,::1]"
  uint32_t elem_bytes = 0;
  uint32_t rank = 0;
  bool is_fortran_order = false;
  std::optional<uint32_t> data;
  std::vector<std::optional<uint32_t>> extents, strides;  ///< by axis; no stride where it follows from the extents
};

struct LaunchNotes {
  std::vector<ArgumentNote> arguments;
  bool are_in_memory = false;  ///< the one parameter is the address of all
};

struct Program {
  std::string name;
  std::vector<DecodedFunction> functions;  ///< the entry first; the others are reached from it
  uint32_t static_shared_bytes = 0;
  bool has_dynamic_shared = false;
  LaunchBounds bounds;
  std::vector<AddressUse> addresses;
  LaunchNotes notes;  ///< empty where the text has none
};

}  // namespace jitc::emulator
