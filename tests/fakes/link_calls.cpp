// Linking: PTX texts, one behind the other, are a PTX text for this driver.
#include "runtime/emulator/driver/jit_log.hpp"
#include "tests/fakes/ptx_text.hpp"
#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

using emulator::driver::JitLog;

namespace {

bool is_link(CUlinkState link) { return world().links.holds(link) && link->context == current_context(); }

}  // namespace

CUresult do_cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* link) {
  *link = world().links.add();
  (*link)->context = current_context();
  return CUDA_SUCCESS;
}

CUresult do_cuLinkAddData(CUlinkState link, CUjitInputType type, void* data, size_t size_bytes, const char*,
                          unsigned count, CUjit_option* options, void** values) {
  if (!is_link(link)) return CUDA_ERROR_INVALID_HANDLE;
  if (type != CU_JIT_INPUT_PTX) return CUDA_ERROR_INVALID_IMAGE;
  const JitLog jit(count, options, values);
  if (const auto answer = take_scripted_log()) {
    jit.write_errors(answer->log);
    return answer->code;
  }
  std::string text(static_cast<const char*>(data), size_bytes), log;
  text.erase(text.find_last_not_of('\0') + 1);
  parse_ptx(text, log);
  jit.write_errors(log);
  if (!log.empty()) return CUDA_ERROR_INVALID_PTX;
  link->text += text + "\n";
  return CUDA_SUCCESS;
}

/// The image belongs to the link.
CUresult do_cuLinkComplete(CUlinkState link, void** image, size_t* size_bytes) {
  if (!is_link(link)) return CUDA_ERROR_INVALID_HANDLE;
  if (link->text.empty()) return CUDA_ERROR_INVALID_VALUE;
  *image = link->text.data();
  if (size_bytes != nullptr) *size_bytes = link->text.size() + 1;
  return CUDA_SUCCESS;
}

CUresult do_cuLinkDestroy(CUlinkState link) {
  if (!is_link(link)) {
    misuse(Function::cuLinkDestroy, "no link of this context");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  world().links.remove(link);
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
