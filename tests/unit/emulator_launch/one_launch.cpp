#include "tests/unit/emulator_launch/one_launch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jitc::emulator_test {

using namespace jitc::emulator;

namespace {

std::byte* bytes_of(auto& elems) { return reinterpret_cast<std::byte*>(elems.data()); }

uint64_t address_of(const auto& elems) { return reinterpret_cast<uint64_t>(elems.data()); }

std::vector<uint64_t> room_for(size_t size_bytes) { return std::vector<uint64_t>(size_bytes / 8 + 1); }

}  // namespace

std::string grid_text(std::string_view body, std::string_view declarations) {
  return fmt::format(
      ".version 7.0\n.target sm_80\n.address_size 64\n{}\n.visible .entry k(.param .u64 p) {{\n"
      ".reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
      "mad.lo.u32 %r3, %r2, %r3, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n{}\nret; }}\n",
      declarations, body);
}

AllocationPtr OneLaunch::add(std::byte* bytes, size_t size_bytes, MemoryKind kind) {
  auto allocation = std::make_shared<Allocation>();
  allocation->base = reinterpret_cast<uint64_t>(bytes);
  allocation->size_bytes = size_bytes;
  allocation->owner.kind = kind;
  allocation->bytes = bytes;
  return allocation;
}

OneLaunch::OneLaunch(const std::string& text) : loaded_(load_module(text)) {
  const Image& image = loaded_.image;
  module_global_ = room_for(image.global_bytes);
  module_constant_ = room_for(image.constant_bytes);
  initialise(image, {bytes_of(module_global_), image.global_bytes}, {bytes_of(module_constant_), image.constant_bytes});
  linked_ = link(loaded_.programs.at(0), image, address_of(module_global_), address_of(module_constant_));
  std::vector<AllocationPtr> allocations = {add(bytes_of(words_), kWords * 4, MemoryKind::device)};
  if (image.global_bytes != 0)
    allocations.push_back(add(bytes_of(module_global_), image.global_bytes, MemoryKind::module_global));
  std::sort(allocations.begin(), allocations.end(), [](const auto& a, const auto& b) { return a->base < b->base; });
  memory_ = std::make_unique<AddressMap>(std::move(allocations), 0);
  params_.resize(8);
  const uint64_t address = address_of(words_);
  std::memcpy(params_.data(), &address, sizeof address);
  launch.program = &linked_;
  launch.params = params_;
  launch.memory = memory_.get();
  launch.stack_bytes = 1024;
  launch.host_threads = 4;
  launch.print = [this](std::string_view printed) { printed_ += printed; };
}

std::string OneLaunch::run() {
  printed_.clear();
  const auto fault = driver::execute(launch);
  fault_ = fault ? fault->fault : Fault{};
  return fault ? fault->report : "";
}

}  // namespace jitc::emulator_test
