// From a form to the function that computes it: one selector per family, named in instructions.def. Each may also set
// what it needs of the rules.
#pragma once

#include "runtime/emulator/alu/alu.hpp"

namespace jitc::emulator {

// alu_integer.cpp
AluFn select_add(const Form& form, AluRules& rules);
AluFn select_sub(const Form& form, AluRules& rules);
AluFn select_sad(const Form& form, AluRules& rules);
AluFn select_abs(const Form& form, AluRules& rules);
AluFn select_neg(const Form& form, AluRules& rules);
AluFn select_min(const Form& form, AluRules& rules);
AluFn select_max(const Form& form, AluRules& rules);

// alu_multiply.cpp
AluFn select_mul(const Form& form, AluRules& rules);
AluFn select_mul24(const Form& form, AluRules& rules);
AluFn select_mad(const Form& form, AluRules& rules);
AluFn select_mad24(const Form& form, AluRules& rules);
AluFn select_dp4a(const Form& form, AluRules& rules);
AluFn select_dp2a(const Form& form, AluRules& rules);

// alu_divide.cpp
AluFn select_div(const Form& form, AluRules& rules);
AluFn select_rem(const Form& form, AluRules& rules);

// alu_carry.cpp
AluFn select_add_carry(const Form& form, AluRules& rules);
AluFn select_sub_carry(const Form& form, AluRules& rules);
AluFn select_mad_carry(const Form& form, AluRules& rules);

// alu_bits.cpp
AluFn select_popc(const Form& form, AluRules& rules);
AluFn select_clz(const Form& form, AluRules& rules);
AluFn select_brev(const Form& form, AluRules& rules);
AluFn select_bfind(const Form& form, AluRules& rules);
AluFn select_fns(const Form& form, AluRules& rules);

// alu_fields.cpp
AluFn select_bfe(const Form& form, AluRules& rules);
AluFn select_bfi(const Form& form, AluRules& rules);
AluFn select_szext(const Form& form, AluRules& rules);
AluFn select_bmsk(const Form& form, AluRules& rules);

// alu_logic.cpp
AluFn select_and(const Form& form, AluRules& rules);
AluFn select_or(const Form& form, AluRules& rules);
AluFn select_xor(const Form& form, AluRules& rules);
AluFn select_not(const Form& form, AluRules& rules);
AluFn select_cnot(const Form& form, AluRules& rules);
AluFn select_lop3(const Form& form, AluRules& rules);

// alu_shift.cpp
AluFn select_shl(const Form& form, AluRules& rules);
AluFn select_shr(const Form& form, AluRules& rules);
AluFn select_shf(const Form& form, AluRules& rules);
AluFn select_prmt(const Form& form, AluRules& rules);

// alu_compare.cpp
AluFn select_set(const Form& form, AluRules& rules);
AluFn select_setp(const Form& form, AluRules& rules);
AluFn select_selp(const Form& form, AluRules& rules);
AluFn select_slct(const Form& form, AluRules& rules);

// alu_packed.cpp
AluFn select_vabsdiff4(const Form& form, AluRules& rules);
AluFn select_packed_add(const Form& form, AluRules& rules);
AluFn select_packed_min(const Form& form, AluRules& rules);
AluFn select_packed_max(const Form& form, AluRules& rules);
AluFn select_packed_set(const Form& form, AluRules& rules);
AluFn select_packed_setp(const Form& form, AluRules& rules);

// alu_float.cpp
AluFn select_float_add(const Form& form, AluRules& rules);
AluFn select_float_sub(const Form& form, AluRules& rules);
AluFn select_float_mul(const Form& form, AluRules& rules);
AluFn select_fma(const Form& form, AluRules& rules);
AluFn select_float_div(const Form& form, AluRules& rules);
AluFn select_rcp(const Form& form, AluRules& rules);
AluFn select_sqrt(const Form& form, AluRules& rules);

// alu_float_bits.cpp
AluFn select_testp(const Form& form, AluRules& rules);
AluFn select_copysign(const Form& form, AluRules& rules);
AluFn select_float_abs(const Form& form, AluRules& rules);
AluFn select_float_neg(const Form& form, AluRules& rules);
AluFn select_float_min(const Form& form, AluRules& rules);
AluFn select_float_max(const Form& form, AluRules& rules);

// alu_approximate.cpp
AluFn select_gross_rcp(const Form& form, AluRules& rules);
AluFn select_rsqrt(const Form& form, AluRules& rules);
AluFn select_gross_rsqrt(const Form& form, AluRules& rules);
AluFn select_sin(const Form& form, AluRules& rules);
AluFn select_cos(const Form& form, AluRules& rules);
AluFn select_lg2(const Form& form, AluRules& rules);
AluFn select_ex2(const Form& form, AluRules& rules);
AluFn select_tanh(const Form& form, AluRules& rules);

// alu_convert.cpp
AluFn select_cvt_int(const Form& form, AluRules& rules);
AluFn select_cvt_from_int(const Form& form, AluRules& rules);
AluFn select_cvt_to_int(const Form& form, AluRules& rules);
AluFn select_cvt_float(const Form& form, AluRules& rules);
AluFn select_cvt_pair(const Form& form, AluRules& rules);
AluFn select_cvt_pack(const Form& form, AluRules& rules);

// alu_bytes.cpp
AluFn select_cvt_to_bytes(const Form& form, AluRules& rules);
AluFn select_cvt_from_bytes(const Form& form, AluRules& rules);

}  // namespace jitc::emulator
