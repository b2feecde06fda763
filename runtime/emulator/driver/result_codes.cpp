// What is known of the driver's result codes: names, texts, and whether a context survives them.
#include <algorithm>
#include <iterator>

#include "runtime/emulator/driver/calls.hpp"

namespace jitc::emulator::driver {
namespace {

enum class Afterwards : uint8_t { usable, poisoned, gone };

struct CodeRow {
  CUresult code;
  Afterwards afterwards;
  const char* name;
  const char* text;
};

constexpr CodeRow kCodes[] = {
#define JITC_CUDA_CODE(number, kind, afterwards, name, text) {name, Afterwards::afterwards, #name, text},
#include "runtime/cuda/driver_codes.def"
#undef JITC_CUDA_CODE
};

const CodeRow* find_row(CUresult code) {
  const auto* row =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](const CodeRow& r) { return r.code == code; });
  return row == std::end(kCodes) ? nullptr : row;
}

CUresult give_text(CUresult code, const char* CodeRow::*member, const char** out) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CodeRow* row = find_row(code);
  *out = row == nullptr ? nullptr : row->*member;
  return row == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

}  // namespace

bool breaks_context(CUresult code) {
  const CodeRow* row = find_row(code);
  return row != nullptr && row->afterwards != Afterwards::usable;
}

CUresult do_cuGetErrorName(CUresult code, const char** name) { return give_text(code, &CodeRow::name, name); }

CUresult do_cuGetErrorString(CUresult code, const char** text) { return give_text(code, &CodeRow::text, text); }

}  // namespace jitc::emulator::driver
