#include "src/codegen/param_layout.hpp"

namespace jitc::codegen {

namespace {

uint32_t size_of(const kernel::Param& param) {
  return param.type.is_pointer ? 8 : static_cast<uint32_t>(size_bytes(param.type.dtype));
}

uint32_t align_up(uint32_t offset, uint32_t align) { return (offset + align - 1) / align * align; }

}  // namespace

ParamLayout lay_out_params(const kernel::KernelProgram& program) {
  ParamLayout layout;
  for (const kernel::Param& param : program.params) {
    const uint32_t size = size_of(param);
    const uint32_t offset = align_up(layout.size_bytes, size);
    layout.slots.push_back({param.part, param.argument, param.axis, offset, size});
    layout.size_bytes = offset + size;
  }
  return layout;
}

}  // namespace jitc::codegen
