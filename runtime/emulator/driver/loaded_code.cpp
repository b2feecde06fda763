#include "runtime/emulator/driver/loaded_code.hpp"

#include <bit>
#include <cstring>

#include "runtime/emulator/driver/device_memory.hpp"

namespace jitc::emulator::driver {
namespace {

/// A segment of zeros; false where the device is full.
bool add_segment(Context& context, MemoryKind kind, uint64_t size_bytes, AllocationPtr& out) {
  if (size_bytes == 0) return true;
  out = allocate(context, kind, size_bytes);
  if (out == nullptr) return false;
  std::memset(out->bytes, 0, size_bytes);
  return true;
}

std::span<std::byte> bytes_of(const AllocationPtr& segment) {
  return segment == nullptr ? std::span<std::byte>() : std::span(segment->bytes, segment->size_bytes);
}

uint64_t base_of(const AllocationPtr& segment) { return segment == nullptr ? 0 : segment->base; }

/// An initial value that is the address of a variable: the device's, which is not where the host has its bytes.
void relocate(const LoadedCode& code, const Relocation& relocation) {
  if (relocation.is_function || relocation.mask == 0) return;
  const Symbol& symbol = code.module.image.symbols[relocation.target];
  const uint64_t address = address_of(code, symbol) + static_cast<uint64_t>(relocation.addend_bytes);
  const uint64_t bits = (address & relocation.mask) >> std::countr_zero(relocation.mask);
  const auto segment = bytes_of(relocation.space == Space::constant ? code.constant : code.global);
  std::memcpy(segment.data() + relocation.at_bytes, &bits, relocation.width_bytes);
}

}  // namespace

uint64_t address_of(const LoadedCode& code, const Symbol& symbol) {
  return base_of(symbol.space == Space::constant ? code.constant : code.global) + symbol.offset_bytes;
}

std::shared_ptr<LoadedCode> place(LoadedModule module, Context& context) {
  auto code = std::make_shared<LoadedCode>();
  code->context = &context;
  code->module = std::move(module);
  const Image& image = code->module.image;
  if (!add_segment(context, MemoryKind::module_global, image.global_bytes, code->global)) return nullptr;
  if (!add_segment(context, MemoryKind::module_constant, image.constant_bytes, code->constant)) {
    if (code->global != nullptr) release(code->global);
    return nullptr;
  }
  initialise(image, bytes_of(code->global), bytes_of(code->constant));
  for (const Relocation& relocation : image.relocations) relocate(*code, relocation);
  return code;
}

std::shared_ptr<Kernel> make_kernel(const std::shared_ptr<LoadedCode>& code, const Program& program) {
  auto kernel = std::make_shared<Kernel>();
  kernel->code = code;
  kernel->program = &program;
  kernel->linked = link(program, code->module.image, base_of(code->global), base_of(code->constant));
  return kernel;
}

}  // namespace jitc::emulator::driver
