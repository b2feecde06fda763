// One function's statements to steps. The class is in several files, one group of instructions in each.
#pragma once

#include "runtime/emulator/isa/form.hpp"
#include "runtime/emulator/program/names.hpp"
#include "runtime/emulator/program/program_maker.hpp"

namespace jitc::emulator {

class FunctionDecoder {
 public:
  FunctionDecoder(ProgramMaker& maker, uint32_t module_index);
  /// Throws LoadError at the first fault.
  DecodedFunction decode();

 private:
  /// An instruction with the row that it is.
  struct Decoding {
    const Instruction& instruction;
    Form form;
  };

  /// Which operand of which instruction, for checks and messages.
  struct Place {
    const Decoding& decoding;
    size_t number;  ///< from 0
    Position at;
  };

  /// Whom a call calls, and what goes over.
  struct Callee {
    CallSite site;
    Signature signature;
  };

  // function_decoder.cpp
  void declare_params();
  void declare_entry_params();
  void declare_frame(const std::vector<Variable>& variables, bool is_input);
  void declare_variable(const Variable& variable);
  void decode_statement(const Statement& statement);
  void decode_instruction(const Instruction& instruction);
  void decode_alu(const Decoding& decoding);
  void load_register_params();
  void store_register_results(const Decoding& decoding);
  void resolve_branches();

  // decode_operand.cpp
  Slot read(const Place& place, const Operand& operand, const OperandSlot& slot);
  Slot read_element(const Place& place, const ElementOperand& element, Type type, const OperandSlot& slot);
  Slot read_name(const Place& place, const NameOperand& name, Type type, const OperandSlot& slot);
  Slot read_special(const Place& place, const NameOperand& name, Type type);
  Slot read_address_of(const Place& place, const NameOperand& name, Type type);
  Access find_address_of(const Place& place, const NameOperand& name);
  Slot read_integer(const Place& place, uint64_t bits, Type type);
  Slot read_real(const Place& place, const RealOperand& real, Type type);
  Slot write(const Place& place, const Operand& operand, const OperandSlot& slot, Slot& second);
  Slot write_name(const Place& place, std::string_view name, std::string_view component, Type type, bool may_be_wider);
  Slot component_slot(const Place& place, const RegisterName& found, std::string_view name, std::string_view component);
  void check_register(const Place& place, const RegisterName& found, Type type, bool may_be_wider);
  Slot negated(const Decoding& decoding, Slot slot);

  // decode_move.cpp
  void decode_move(const Decoding& decoding);
  void decode_pack(const Decoding& decoding, const VectorOperand& elements);
  void decode_unpack(const Decoding& decoding, const VectorOperand& elements);
  void decode_to_generic(const Decoding& decoding);
  void decode_from_generic(const Decoding& decoding);
  void decode_is_in_space(const Decoding& decoding);
  void decode_give_zero(const Decoding& decoding);
  void decode_move_wide(const Decoding& decoding);

  // decode_stack.cpp
  Slot begin_stack();
  void decode_allocate_local(const Decoding& decoding);
  void decode_save_stack(const Decoding& decoding);
  void decode_restore_stack(const Decoding& decoding);

  // decode_access.cpp
  void decode_load(const Decoding& decoding);
  void decode_store(const Decoding& decoding);
  void decode_atomic(const Decoding& decoding);
  void decode_vector_atomic(const Decoding& decoding);
  void check_cache_hint(const Decoding& decoding);
  Access make_access(const Decoding& decoding, size_t number_of_address);
  void set_address(const Place& place, const AddressOperand& address, Access& access);
  void set_variable_address(const VariableName& variable, Access& access);
  bool set_module_address(std::string_view name, Access& access);
  void set_values(const Place& place, const Operand& operand, const OperandSlot& slot, Access& access);
  uint32_t add_access(const Access& access);

  // decode_control.cpp
  void decode_branch(const Decoding& decoding);
  void decode_branch_indexed(const Decoding& decoding);
  void decode_call(const Decoding& decoding);
  Callee find_callee_by_address(const Decoding& decoding, const RegisterName& address, const Operand* prototype);
  Callee find_callee_by_name(Position at, std::string_view name);
  void decode_meeting(const Decoding& decoding);
  void decode_cluster_wait(const Decoding& decoding);
  std::vector<Transfer> transfers(const Decoding& decoding, const Operand* list, const std::vector<Variable>& formals,
                                  const std::vector<uint32_t>& offsets, bool is_result);
  Transfer transfer(const Place& place, const ElementOperand& element, const Variable& formal, bool is_result);

  // steps and constants
  Step make_step(const Decoding& decoding, Action action) const;
  Step make_alu_step(const Decoding& decoding, const Alu& alu) const;
  void emit(const Step& step) { decoded_.steps.push_back(step); }
  Slot constant(Bits bits);
  /// A constant of its own, which is filled in later.
  Slot open_constant();
  Slot scratch();

  struct Branch {
    uint32_t step;
    std::string_view label;
    Names::BlockId block;
    Position at;
    bool is_indexed;
  };

  ProgramMaker& maker_;
  const ModuleContext& context_;
  const Function& function_;
  Names names_;
  FrameLayout frame_;
  DecodedFunction decoded_;
  std::unordered_map<Bits, Slot> constants_;
  std::unordered_map<uint8_t, Slot> specials_;
  std::vector<Branch> branches_;
  Slot scratch_ = kNoSlot;
  Slot guard_ = kNoSlot;  ///< of the instruction being decoded
};

}  // namespace jitc::emulator
