#include "src/codegen/memory_objects.hpp"

#include "src/codegen/llvm_types.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::codegen {

using namespace kernel;

llvm::ArrayType* memory_object_type(llvm::LLVMContext& context, const MemoryObject& object) {
  return llvm::ArrayType::get(memory_type(context, object.dtype), object.count_elems);
}

llvm::Constant* memory_object_init(llvm::LLVMContext& context, const MemoryObject& object) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.init.data()), object.init.size());
  return llvm::ConstantDataArray::getRaw(bytes, object.count_elems, memory_type(context, object.dtype));
}

std::string memory_object_name(const KernelProgram& program, uint32_t object) {
  return program.symbol + "__" + spelling(program.memory[object].space) + std::to_string(object);
}

}  // namespace jitc::codegen
