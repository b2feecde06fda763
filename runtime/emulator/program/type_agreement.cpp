#include "runtime/emulator/program/type_agreement.hpp"

namespace jitc::emulator {
namespace {

bool is_integer(TypeKind kind) { return kind == TypeKind::unsigned_integer || kind == TypeKind::signed_integer; }

/// By kind alone, the widths being right.
bool kinds_agree(Type wanted, Type have) {
  const TypeKind want = kind_of(wanted), got = kind_of(have);
  if (want == TypeKind::predicate || got == TypeKind::predicate) return want == got;
  if (want == TypeKind::bits) return true;
  if (is_integer(want)) return is_integer(got) || got == TypeKind::bits;
  return got == TypeKind::bits || wanted == have;
}

}  // namespace

bool agrees(Type wanted, Type have, bool may_be_wider) {
  const uint32_t want = width_bits(wanted), got = width_bits(have);
  const bool has_width = may_be_wider ? got >= want : got == want;
  return has_width && kinds_agree(wanted, have);
}

}  // namespace jitc::emulator
