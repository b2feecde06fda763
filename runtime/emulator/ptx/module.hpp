// A parsed PTX text: what it says, in the order in which it says it, with nothing resolved.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/emulator/ptx/operand.hpp"
#include "runtime/emulator/ptx/types.hpp"

namespace jitc::emulator {

enum class Linkage { internal, visible, weak, external, common };
enum class Space { reg, param, shared, local, constant, global };

/// One element of an initialiser: a number, or the address of a symbol.
struct InitialValue {
  Position at;
  std::variant<IntegerOperand, RealOperand, NameOperand> value;
  bool is_generic = false;       ///< generic(symbol)
  uint64_t mask = ~uint64_t{0};  ///< of 0xFF00(symbol), which takes one byte of the address
};

/// A declaration in memory, a parameter, or a register: .global .align 4 .b8 table[28] = {1, 0, 0, 0};
struct Variable {
  Position at;
  Linkage linkage = Linkage::internal;
  Space space = Space::global;
  Type type = Type::b32;
  uint32_t vector_width = 1;
  std::string_view name;
  uint32_t align_bytes = 0;  ///< as it takes effect: the type's own where none is written
  uint64_t count_elems = 1;  ///< the product of its dimensions; 0 for an array without a size
  bool is_array = false;
  std::vector<InitialValue> initial;

  uint64_t total_bytes() const { return uint64_t{size_bytes(type)} * vector_width * count_elems; }
};

/// .reg .b32 %r<4>; declares %r0 to %r3, .reg .pred p; declares p.
struct RegisterDeclaration {
  Position at;
  Type type = Type::b32;
  uint32_t vector_width = 1;
  std::string_view name;
  std::optional<uint32_t> count;
};

struct Guard {
  std::string_view name;
  bool is_negated = false;
};

struct Instruction {
  Position at;
  std::string_view opcode;
  std::vector<std::string_view> modifiers;  ///< without their dots
  std::vector<Operand> operands;
  std::optional<Guard> guard;
};

struct Label {
  Position at;
  std::string_view name;
};

/// { and } around declarations that are seen nowhere else.
struct BlockBegin {};
struct BlockEnd {};

/// targets: .branchtargets L0, L1;
struct BranchTargets {
  Position at;
  std::string_view name;
  std::vector<std::string_view> labels;
};

/// prototype: .callprototype (.param .b32 _) _ (.param .b64 _);
struct CallPrototype {
  Position at;
  std::string_view name;
  std::vector<Variable> results;
  std::vector<Variable> params;
};

/// .loc 1 20 5: what follows comes from there.
struct SourceLine {
  uint32_t file_id;
  uint32_t line;
  uint32_t column;
};

using Statement = std::variant<Instruction, Label, RegisterDeclaration, Variable, BlockBegin, BlockEnd, BranchTargets,
                               CallPrototype, SourceLine>;

/// .maxntid 128, 1, 1
struct TuningDirective {
  Position at;
  std::string_view name;  ///< without its dot
  std::vector<uint32_t> values;
};

/// An entry or a device function; a declaration has no body.
struct Function {
  Position at;
  Linkage linkage = Linkage::internal;
  bool is_entry = false;
  std::string_view name;
  std::string_view comment;  ///< the lines that begin with // right above it
  std::vector<Variable> results;
  std::vector<Variable> params;
  std::vector<TuningDirective> tuning;
  bool has_body = false;
  std::vector<Statement> body;  ///< blocks are balanced
};

/// .alias name, function; a function without a body is another one.
struct Alias {
  Position at;
  std::string_view name;
  std::string_view function;
};

/// The names are views into `text`, which every copy shares.
struct Module {
  std::shared_ptr<const std::string> text;
  uint32_t version = 0;     ///< 10 * major + minor
  uint32_t sm = 0;          ///< 80 of sm_80
  std::string_view target;  ///< sm_80, sm_90a
  uint32_t address_size_bits = 64;
  bool has_debug = false;  ///< .target sm_80, debug
  std::map<uint32_t, std::string_view> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
};

}  // namespace jitc::emulator
