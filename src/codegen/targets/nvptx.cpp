// NVIDIA GPUs: one function call is one thread.
#include "jitc/cpu_abi.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/param_layout.hpp"
#include "src/codegen/print_format.hpp"
#include "src/codegen/targets/nvptx_memory.hpp"
#include "src/codegen/targets/nvptx_sync.hpp"

namespace jitc::codegen {

using kernel::MemorySpace;
using kernel::ThreadValue;

namespace {

/// Kernel parameters are pointers to global memory and scalars of 8 to 64 bits: nothing else has a fixed layout in
/// the launch's parameter buffer.
llvm::Type* param_type(llvm::LLVMContext& context, const kernel::Type& type, unsigned address_space) {
  if (type.is_pointer) return llvm::PointerType::get(context, address_space);
  return memory_type(context, type.dtype);
}

struct SpecialRegister {
  llvm::Intrinsic::ID id;
  uint64_t begin, end;  ///< range of its values
};

/// PTX ISA, "Special Registers"; ranges from the launch limits of the CUDA C++ Programming Guide, "Compute
/// Capabilities".
SpecialRegister special_register(ThreadValue value, unsigned axis) {
  using namespace llvm;
  constexpr Intrinsic::ID kTid[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                    Intrinsic::nvvm_read_ptx_sreg_tid_z};
  constexpr Intrinsic::ID kNtid[] = {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                     Intrinsic::nvvm_read_ptx_sreg_ntid_z};
  constexpr Intrinsic::ID kCtaid[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                      Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  constexpr Intrinsic::ID kNctaid[] = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                       Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  if (value == ThreadValue::kThreadIdx) return {kTid[axis], 0, block_dim_end(axis) - 1};
  if (value == ThreadValue::kBlockDim) return {kNtid[axis], 1, block_dim_end(axis)};
  if (value == ThreadValue::kBlockIdx) return {kCtaid[axis], 0, grid_dim_end(axis) - 1};
  if (value == ThreadValue::kGridDim) return {kNctaid[axis], 1, grid_dim_end(axis)};
  return {Intrinsic::nvvm_read_ptx_sreg_laneid, 0, 32};
}

void declare_alignments(llvm::Function& function, const kernel::KernelProgram& program) {
  for (unsigned i = 0; i < function.arg_size(); ++i) {
    const uint32_t align_bytes = program.params[i].align_bytes;
    if (align_bytes == 0) continue;
    const llvm::Align align(align_bytes);
    function.addParamAttr(i, llvm::Attribute::getWithAlignment(function.getContext(), align));
  }
}

class NvptxHooks : public TargetHooks {
 public:
  /// NVPTXAddrSpace: 1 global, 3 shared, 4 constant. Local arrays are allocas, whose pointers are generic until the
  /// back end finds that all of them are local.
  unsigned address_space(MemorySpace space) const override {
    switch (space) {
      case MemorySpace::kGlobal: return 1;
      case MemorySpace::kShared: return 3;
      case MemorySpace::kConst: return 4;
      case MemorySpace::kLocal: return 0;
    }
    return 0;
  }

  ///   define ptx_kernel void @axpy(i64 %n, float %a, ptr addrspace(1) %x, …)
  void emit_entry(FunctionEmitter& emitter) override {
    const kernel::KernelProgram& program = emitter.program();
    const ParamLayout layout = lay_out_params(program);
    const std::vector<llvm::Type*> param_types = types_of(emitter);
    const bool in_memory = layout.size_bytes > kMaxParamSpaceBytes;
    const std::vector<llvm::Type*> types =
        in_memory ? std::vector<llvm::Type*>{emitter.builder().getPtrTy(address_space(MemorySpace::kGlobal))}
                  : param_types;
    auto* function_type = llvm::FunctionType::get(llvm::Type::getVoidTy(emitter.context()), types, false);
    auto* function =
        llvm::Function::Create(function_type, llvm::GlobalValue::ExternalLinkage, program.symbol, emitter.module());
    function->setCallingConv(llvm::CallingConv::PTX_Kernel);
    annotate(*function, program);
    emitter.builder().SetInsertPoint(llvm::BasicBlock::Create(emitter.context(), "entry", function));
    emitter.use_lines();
    std::vector<llvm::Value*> params;
    for (llvm::Argument& arg : function->args()) params.push_back(&arg);
    if (!in_memory) declare_alignments(*function, program);
    emitter.set_params(in_memory ? load_params(emitter, function->getArg(0), param_types, layout) : params);
    emitter.create_locals();
    emitter.emit_thread();
    emitter.builder().CreateRetVoid();
  }

  ///   %tid = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ///   %t = zext nneg i32 %tid to i64
  llvm::Value* memory_base(FunctionEmitter& emitter, uint32_t object) override {
    return nvptx_memory_base(emitter, *this, object);
  }

  llvm::Value* thread_value(FunctionEmitter& emitter, ThreadValue value, unsigned axis) override {
    if (value == ThreadValue::kDynamicSharedBytes) return emit_dynamic_shared_bytes(emitter);
    const SpecialRegister reg = special_register(value, axis);
    Builder& b = emitter.builder();
    llvm::CallInst* read = b.CreateIntrinsic(reg.id, {}, {});
    read->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, reg.begin), llvm::APInt(32, reg.end)));
    return b.CreateZExt(read, b.getInt64Ty(), "", true);
  }

  void mark_access(llvm::Instruction&, MemorySpace) override {}
  bool is_shared_between_threads(MemorySpace) const override { return true; }

  llvm::Value* emit_barrier(FunctionEmitter& emitter, const kernel::Barrier& stmt) override {
    return emit_nvptx_barrier(emitter, stmt);
  }
  llvm::Value* emit_warp(FunctionEmitter& emitter, const kernel::Warp& stmt) override {
    return emit_nvptx_warp(emitter, stmt);
  }
  void emit_fence(FunctionEmitter& emitter, kernel::FenceScope scope) override { emit_nvptx_fence(emitter, scope); }

  ///   call i32 @vprintf(ptr @format, ptr %args)
  void emit_print(FunctionEmitter& emitter, const kernel::Print& stmt) override {
    Builder& b = emitter.builder();
    const PrintCall call = emit_print_call(emitter, stmt, address_space(MemorySpace::kGlobal));
    llvm::Value* args[] = {call.format, emit_print_buffer(emitter, call)};
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy()}, false);
    b.CreateCall(emitter.module().getOrInsertFunction("vprintf", type), args);
  }

  void end_thread(FunctionEmitter& emitter) override { emitter.branch_to(emitter.thread_end()); }
  void leave_region(FunctionEmitter&, kernel::LabelId, bool) override { JITC_CHECK(false, "a label without blocks"); }

  ///   @axpy__fail = addrspace(1) global [48 x i8] zeroinitializer, align 8
  llvm::Value* fail_record(FunctionEmitter& emitter) override {
    llvm::Module& module = emitter.module();
    const std::string name = fail_symbol(emitter.program());
    if (llvm::GlobalVariable* made = module.getGlobalVariable(name)) return made;
    auto* type = llvm::ArrayType::get(emitter.builder().getInt8Ty(), sizeof(FailRecord));
    auto* record = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                            llvm::Constant::getNullValue(type), name, nullptr,
                                            llvm::GlobalValue::NotThreadLocal, address_space(MemorySpace::kGlobal));
    record->setAlignment(llvm::Align(alignof(FailRecord)));
    return record;
  }

  /// LLVM 19 cannot select a release store for NVPTX: a fence and a volatile store say the same.
  void publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) override {
    emitter.builder().CreateIntrinsic(llvm::Intrinsic::nvvm_membar_gl, {}, {});
    emitter.builder().CreateAlignedStore(state, state_ptr, llvm::Align(4), /*isVolatile=*/true);
  }

 private:
  std::vector<llvm::Type*> types_of(FunctionEmitter& emitter) const {
    std::vector<llvm::Type*> types;
    for (const kernel::Param& param : emitter.program().params) {
      types.push_back(param_type(emitter.context(), param.type, address_space(param.type.space)));
    }
    return types;
  }

  ///   define ptx_kernel void @wide(ptr addrspace(1) %params)
  ///   %a = load float, ptr addrspace(1) %params, align 4, !invariant.load !0
  static std::vector<llvm::Value*> load_params(FunctionEmitter& emitter, llvm::Value* block,
                                               const std::vector<llvm::Type*>& types, const ParamLayout& layout) {
    Builder& b = emitter.builder();
    std::vector<llvm::Value*> values;
    for (size_t i = 0; i < types.size(); ++i) {
      const ParamSlot& slot = layout.slots[i];
      llvm::Value* field = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, slot.offset_bytes);
      llvm::LoadInst* load = b.CreateAlignedLoad(types[i], field, llvm::Align(slot.size_bytes));
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(emitter.context(), {}));
      values.push_back(load);
    }
    return values;
  }

  /// LLVM 19 has no intrinsic for it.
  ///   %n = call i32 asm "mov.u32 $0, %dynamic_smem_size;", "=r"()
  static llvm::Value* emit_dynamic_shared_bytes(FunctionEmitter& emitter) {
    Builder& b = emitter.builder();
    auto* type = llvm::FunctionType::get(b.getInt32Ty(), false);
    llvm::CallInst* read =
        b.CreateCall(type, llvm::InlineAsm::get(type, "mov.u32 $0, %dynamic_smem_size;", "=r", false));
    read->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, 1U << 31)));
    return b.CreateZExt(read, b.getInt64Ty(), "", true);
  }

  ///   !nvvm.annotations = !{!0, …}   !0 = !{ptr @axpy, !"maxntidx", i32 256}
  /// The product of the maxntid values bounds a block's threads, so x alone serves blocks of any shape.
  static void annotate(llvm::Function& function, const kernel::KernelProgram& program) {
    constexpr uint32_t kNotAsked = 1024;
    if (program.max_threads_per_block != kNotAsked || program.min_blocks_per_sm != 0) {
      add_annotation(function, "maxntidx", program.max_threads_per_block);
    }
    if (program.min_blocks_per_sm != 0) add_annotation(function, "minctasm", program.min_blocks_per_sm);
    if (program.max_registers != 0) add_annotation(function, "maxnreg", program.max_registers);
  }

  static void add_annotation(llvm::Function& function, const char* what, uint32_t value) {
    llvm::LLVMContext& context = function.getContext();
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
    llvm::Metadata* operands[] = {llvm::ValueAsMetadata::get(&function), llvm::MDString::get(context, what),
                                  llvm::ValueAsMetadata::get(number)};
    function.getParent()
        ->getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(context, operands));
  }
};

}  // namespace

std::unique_ptr<TargetHooks> make_nvptx_hooks() { return std::make_unique<NvptxHooks>(); }

}  // namespace jitc::codegen
