#include "tests/unit/emulator/one_block.hpp"

#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {

using namespace jitc::emulator;

namespace {

constexpr size_t kLocalBytes = 512 << 10;

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

/// Local memory for 32 threads; all else is the block's.
class OneBlock::WarpMemory : public Memory {
 public:
  explicit WarpMemory(OneBlock& block) : block_(block), local_(kLanes * kLocalBytes) {}

  std::byte* find(const MemoryRequest& request) override {
    if (request.area != Area::local) return block_.find_shared_by_all(request);
    return within(local_.data() + request.lane * kLocalBytes, kLocalBytes, request.address, request.size_bytes);
  }

 private:
  OneBlock& block_;
  std::vector<std::byte> local_;
};

OneBlock::OneBlock(const std::string& text, Extent block) : loaded_(load_module(text)), extent_(block) {
  const Program& program = loaded_.programs.at(0);
  module_global_.resize(loaded_.image.global_bytes);
  module_constant_.resize(loaded_.image.constant_bytes);
  initialise(loaded_.image, module_global_, module_constant_);
  params_.resize(std::max(program.functions[0].param_bytes, 8u));
  const auto address = reinterpret_cast<uint64_t>(global_.data());
  std::memcpy(params_.data(), &address, sizeof address);
  shared_.resize(program.static_shared_bytes + 64);
  linked_ = link(program, loaded_.image, reinterpret_cast<uint64_t>(module_global_.data()),
                 reinterpret_cast<uint64_t>(module_constant_.data()));
}

BlockState OneBlock::run(uint64_t budget_steps) {
  std::vector<Memory*> pointers;
  for (uint32_t i = 0; i < Block::count_warps(extent_); ++i) {
    memories_.push_back(std::make_unique<WarpMemory>(*this));
    pointers.push_back(memories_.back().get());
  }
  BlockPlace place;
  place.block = extent_;
  block_ = std::make_unique<Block>(linked_, place, pointers, observer_);
  return block_->run(budget_steps);
}

std::byte* OneBlock::find_shared_by_all(const MemoryRequest& request) {
  const auto relative_to = [&](const std::byte* begin) { return request.address - reinterpret_cast<uint64_t>(begin); };
  switch (request.area) {
    case Area::shared: return within(shared_, request.address, request.size_bytes);
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
