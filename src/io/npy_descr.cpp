#include "src/io/npy_descr.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>

namespace jitc::io {

namespace {

static_assert(std::endian::native == std::endian::little,
              "HostArray and .npy data are swapped for big-endian files only");

/// A kind of NumPy types that jitc has not, and what its owner can do.
struct ForeignKind {
  char kind;
  std::string_view what;
  std::string_view help;
};
constexpr ForeignKind kForeignKinds[] = {
    {'O', "Python objects (a pickle)", "convert it first: a.astype('f8')"},
    {'S', "byte strings", "convert it first: a.view('u1')"},
    {'a', "byte strings", "convert it first: a.view('u1')"},
    {'U', "text", "convert it first: a.view('u4')"},
    {'V', "raw records", "save each field as an array of its own, or convert it: a.view('u1')"},
    {'M', "dates", "convert it first: a.astype('i8')"},
    {'m', "time spans", "convert it first: a.astype('i8')"},
};

DescrResult refuse(std::string_view descr, std::string_view why, std::string_view help) {
  DescrResult out;
  out.problem = fmt::format("its dtype '{}' is {}", printable(descr), why);
  out.help = help;
  return out;
}

DescrResult refuse_size(std::string_view descr, char kind) {
  constexpr std::string_view kHelp = "jitc has b1, i1 i2 i4 i8, u1 u2 u4 u8, f2, f4, f8, c8 and c16";
  if (kind == 'f') return refuse(descr, "a float that jitc does not have", "convert it first: a.astype('f8')");
  if (kind == 'c')
    return refuse(descr, "complex numbers of a precision that jitc does not have", "convert it first: a.astype('c16')");
  return refuse(descr, "none that jitc knows", kHelp);
}

}  // namespace

DescrResult parse_descr(std::string_view descr) {
  std::string_view base = descr;
  DescrResult out;
  if (!base.empty() && (base[0] == '<' || base[0] == '>' || base[0] == '=' || base[0] == '|')) {
    out.big_endian = base[0] == '>';
    base.remove_prefix(1);
  }
  if (base.empty()) return refuse(descr, "empty", "");
  for (const ForeignKind& foreign : kForeignKinds) {
    if (base[0] == foreign.kind) return refuse(descr, foreign.what, foreign.help);
  }
  const std::optional<DType> dtype = base == "?" ? DType::b1 : dtype_from_name(base);
  if (!dtype || *dtype == DType::bf16) return refuse_size(descr, base[0]);
  out.dtype = *dtype;
  return out;
}

std::string descr_text(DType dtype) {
  // NumPy has no such type: its files hold the 16 bits, and are read as u2.
  if (dtype == DType::bf16) dtype = DType::u2;
  return fmt::format("{}{}", size_bytes(dtype) == 1 ? '|' : '<', name(dtype));
}

std::string printable(std::string_view text) {
  constexpr size_t kMaxChars = 40;
  std::string out;
  for (const char c : text.substr(0, kMaxChars)) out.push_back(c >= ' ' && c <= '~' ? c : '?');
  return text.size() > kMaxChars ? out + "..." : out;
}

}  // namespace jitc::io
