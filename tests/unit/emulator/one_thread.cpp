#include "tests/unit/emulator/one_thread.hpp"

#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {

using namespace jitc::emulator;

namespace {

constexpr size_t kLocalBytes = 4096;

std::byte* within(std::byte* begin, size_t size, uint64_t offset, uint64_t length) {
  return offset <= size && length <= size - offset ? begin + offset : nullptr;
}

std::byte* within(std::vector<std::byte>& bytes, uint64_t offset, uint64_t length) {
  return within(bytes.data(), bytes.size(), offset, length);
}

}  // namespace

std::string kernel_text(std::string_view body, std::string_view declarations) {
  const std::string entry = entry_text(fmt::format("ld.param.u64 %rd1, [k_param_0];\n{}", body));
  const size_t head = entry.find(".entry");
  return entry.substr(0, head) + std::string(declarations) + entry.substr(head);
}

OneThread::OneThread(const std::string& text) : loaded_(load_module(text)) {
  const Program& program = loaded_.programs.at(0);
  module_global_.resize(loaded_.image.global_bytes);
  module_constant_.resize(loaded_.image.constant_bytes);
  initialise(loaded_.image, module_global_, module_constant_);
  params_.resize(std::max(program.functions[0].param_bytes, 8u));
  shared_.resize(program.static_shared_bytes + 64);
  local_.resize(kLocalBytes);
  linked_ = link(program, loaded_.image, reinterpret_cast<uint64_t>(module_global_.data()),
                 reinterpret_cast<uint64_t>(module_constant_.data()));
}

Stop OneThread::run(uint64_t budget_steps) {
  set_param(0, reinterpret_cast<uint64_t>(global_.data()));
  warp_ = {};
  warp_.program = &linked_;
  warp_.memory = this;
  warp_.local_limit_bytes = kLocalBytes;
  return run_thread(warp_, budget_steps);
}

std::byte* OneThread::find(const MemoryRequest& request) {
  const auto relative_to = [&](const std::byte* begin) { return request.address - reinterpret_cast<uint64_t>(begin); };
  switch (request.area) {
    case Area::shared: return within(shared_, request.address, request.size_bytes);
    case Area::local: return within(local_, request.address, request.size_bytes);
    case Area::kernel_param: return within(params_, request.address, request.size_bytes);
    case Area::constant: return within(module_constant_, relative_to(module_constant_.data()), request.size_bytes);
    default: break;
  }
  if (auto* found = within(global_.data(), kGlobalBytes, relative_to(global_.data()), request.size_bytes)) return found;
  if (auto* found = within(module_global_, relative_to(module_global_.data()), request.size_bytes)) return found;
  return request.is_write ? nullptr
                          : within(module_constant_, relative_to(module_constant_.data()), request.size_bytes);
}

}  // namespace jitc::emulator_test
