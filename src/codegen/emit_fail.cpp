// A checked kernel's failure: the first thread of the launch to fail fills the FailRecord, every failing thread ends.
#include <cstddef>

#include "jitc/cpu_abi.hpp"
#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

enum State : uint32_t { kNone = 0, kClaimed = 1, kComplete = 2 };

llvm::Value* field(Builder& b, llvm::Value* record, size_t offset_bytes) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), record, offset_bytes);
}

}  // namespace

///   %old = cmpxchg ptr %record, i32 0, i32 1 monotonic monotonic
///   br i1 (extractvalue %old, 1), label %fail.first, label %fail.end
void FunctionEmitter::emit_fail(const Fail& stmt) {
  for (const ExprId failed : stmt.values) value(failed);
  llvm::Value* record = hooks_.fail_record(*this);
  llvm::Value* claim = builder_.CreateAtomicCmpXchg(
      field(builder_, record, offsetof(FailRecord, state)), builder_.getInt32(kNone), builder_.getInt32(kClaimed),
      llvm::Align(4), llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  llvm::BasicBlock *first = new_block("fail.first"), *end = new_block("fail.end");
  builder_.CreateCondBr(builder_.CreateExtractValue(claim, 1), first, end);
  enter(first);
  emit_record(stmt, record);
  hooks_.publish_failure(*this, field(builder_, record, offsetof(FailRecord, state)), builder_.getInt32(kComplete));
  branch_to(end);
  enter(end);
  hooks_.end_thread(*this);
}

void FunctionEmitter::emit_record(const Fail& stmt, llvm::Value* record) {
  const auto store = [&](llvm::Value* stored, size_t offset_bytes) {
    builder_.CreateStore(stored, field(builder_, record, offset_bytes));
  };
  store(builder_.getInt32(stmt.site), offsetof(FailRecord, site));
  for (size_t i = 0; i < stmt.values.size(); ++i) {
    store(operand(stmt.values[i]), offsetof(FailRecord, values) + i * sizeof(int64_t));
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto store_axis = [&](ThreadValue value, size_t offset_bytes) {
      llvm::Value* coordinate = builder_.CreateTrunc(thread_value(value, axis), builder_.getInt32Ty());
      store(coordinate, offset_bytes + axis * sizeof(uint32_t));
    };
    store_axis(ThreadValue::kThreadIdx, offsetof(FailRecord, thread));
    store_axis(ThreadValue::kBlockIdx, offsetof(FailRecord, block));
  }
}

}  // namespace jitc::codegen
