// Linking: PTX texts behind one another are a PTX text. Only the first one keeps its head.
#include <regex>

#include "runtime/emulator/driver/jit_log.hpp"
#include "runtime/emulator/driver/state.hpp"
#include "runtime/emulator/ptx/parse.hpp"

namespace jitc::emulator::driver {
namespace {

/// A link of the current context, or null.
std::shared_ptr<LinkJob> find_link(CUlinkState handle) {
  auto link = state().links.find(handle);
  return link != nullptr && link->context == current_context() ? link : nullptr;
}

/// The lines stay, so that positions in the text are right.
std::string without_head(std::string text) {
  static const std::regex kHead(R"(\.(version|target|address_size)[^\n]*)");
  return std::regex_replace(text, kHead, "");
}

}  // namespace

CUresult do_cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto link = std::make_shared<LinkJob>();
  link->context = current_context();
  *handle = state().links.add(link);
  return CUDA_SUCCESS;
}

/// What a text needs of others is only found missing when the image is loaded.
CUresult do_cuLinkAddData(CUlinkState handle, CUjitInputType type, void* data, size_t size_bytes, const char*,
                          unsigned count, CUjit_option* options, void** values) {
  const auto link = find_link(handle);
  if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX) return CUDA_ERROR_INVALID_IMAGE;
  std::string text(static_cast<const char*>(data), size_bytes);
  text.erase(text.find_last_not_of('\0') + 1);
  try {
    parse(text);
  } catch (const LoadError& error) {
    JitLog(count, options, values).write_errors(std::string("ptx ") + error.what());
    return report(CUDA_ERROR_INVALID_PTX, error.what());
  }
  link->text += (link->text.empty() ? text : without_head(std::move(text))) + "\n";
  return CUDA_SUCCESS;
}

/// The image belongs to the link.
CUresult do_cuLinkComplete(CUlinkState handle, void** image, size_t* size_bytes) {
  const auto link = find_link(handle);
  if (link == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (image == nullptr || link->text.empty()) return CUDA_ERROR_INVALID_VALUE;
  *image = link->text.data();
  if (size_bytes != nullptr) *size_bytes = link->text.size() + 1;
  return CUDA_SUCCESS;
}

CUresult do_cuLinkDestroy(CUlinkState handle) {
  if (find_link(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  state().links.remove(handle);
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
