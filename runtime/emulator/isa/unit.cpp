#include "runtime/emulator/isa/unit.hpp"

#include <algorithm>
#include <array>

namespace jitc::emulator {
namespace {

using namespace std::literals;

constexpr std::array kMoves = {"selp"sv, "slct"sv, "prmt"sv};
constexpr std::array kSpecials = {"rcp"sv, "rsqrt"sv, "sqrt"sv, "sin"sv, "cos"sv, "lg2"sv, "ex2"sv, "tanh"sv};

/// By the type of the operands: the last of the form's types.
Unit unit_of_type(Type type) {
  switch (type) {
    case Type::f64: return Unit::f64;
    case Type::f32:
    case Type::tf32: return Unit::f32;
    case Type::f16:
    case Type::bf16:
    case Type::f16x2:
    case Type::bf16x2: return Unit::half;
    default: return Unit::integer;
  }
}

Unit unit_of_alu(const Form& form) {
  const std::string_view opcode = form.row->opcode;
  if (opcode == "cvt") return Unit::conversion;
  if (std::ranges::find(kMoves, opcode) != kMoves.end()) return Unit::move;
  const Unit unit = form.types.empty() ? Unit::integer : unit_of_type(form.types.back());
  const bool is_division = opcode == "div" && unit != Unit::integer;
  return is_division || std::ranges::find(kSpecials, opcode) != kSpecials.end() ? Unit::special : unit;
}

}  // namespace

Unit unit_of(const Form& form) {
  switch (form.row->action) {
    case Action::alu: return unit_of_alu(form);
    case Action::move:
    case Action::to_generic:
    case Action::from_generic:
    case Action::is_in_space:
    case Action::frame_address:
    case Action::read_clock: return Unit::move;
    case Action::load: return Unit::load;
    case Action::store: return Unit::store;
    case Action::atomic:
    case Action::reduce: return Unit::atomic;
    case Action::branch:
    case Action::branch_indexed:
    case Action::call:
    case Action::ret:
    case Action::exit:
    case Action::trap: return Unit::control;
    case Action::barrier_sync:
    case Action::barrier_arrive:
    case Action::barrier_reduce:
    case Action::fence: return Unit::barrier;
    case Action::warp_sync:
    case Action::shuffle:
    case Action::vote:
    case Action::match_any:
    case Action::match_all:
    case Action::redux:
    case Action::active_mask:
    case Action::elect: return Unit::warp;
    default: return Unit::other;
  }
}

}  // namespace jitc::emulator
