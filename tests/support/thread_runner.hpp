// One thread of the reference interpreter: its place in the program, its values, and the steps that it makes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/declared_memory.hpp"
#include "tests/support/reference_interpreter.hpp"

namespace jitc::reference {

/// A block of statements that a thread is in, and why.
struct Frame {
  enum class Part : uint8_t { kPlain, kScope, kHead, kBody, kStep };  ///< the last three: of a loop

  const kernel::Block* block = nullptr;
  Part part = Part::kPlain;
  kernel::LabelId label;               ///< but for kPlain
  const kernel::Loop* loop = nullptr;  ///< its parts only
  size_t next = 0;                     ///< statement of the block
};

/// A barrier or warp operation at which a thread waits for others, with what it brings there.
struct Meeting {
  kernel::StmtId stmt;
  uint32_t mask = 0;
  Bits value = 0;  ///< or the predicate
  uint32_t lane = 0;
};

struct ThreadState {
  ThreadState(const kernel::KernelProgram& program, std::array<uint32_t, 3> idx);
  bool ended() const { return frames.empty(); }
  bool waits() const { return meeting.has_value(); }
  /// Nothing more of the program is run.
  void end();

  std::array<uint32_t, 3> idx;
  std::vector<Bits> locals;
  DeclaredMemory memory;
  std::vector<Frame> frames;  ///< the innermost last
  std::optional<Meeting> meeting;
};

struct BlockState {
  BlockState(const kernel::KernelProgram& program, const ReferenceLaunch& launch, std::array<uint32_t, 3> idx);

  std::array<uint32_t, 3> idx;
  DeclaredMemory memory;
  std::vector<ThreadState> threads;  ///< x fastest
};

/// Calls visit({x, y, z}) with x fastest.
template <class Visit>
void for_each_index(const std::array<uint32_t, 3>& extent, Visit visit) {
  for (uint32_t z = 0; z < extent[2]; ++z) {
    for (uint32_t y = 0; y < extent[1]; ++y) {
      for (uint32_t x = 0; x < extent[0]; ++x) visit(std::array<uint32_t, 3>{x, y, z});
    }
  }
}

/// Makes the steps of one thread after the other, and collects what they all leave behind.
class ThreadRunner {
 public:
  ThreadRunner(const kernel::KernelProgram& program, const ReferenceLaunch& launch);

  /// Until the thread has ended or waits.
  void run(const BlockState& block, ThreadState& thread);
  /// Keeps the launch's first failure.
  void record_failure(const BlockState& block, const ThreadState& thread, uint32_t site,
                      std::array<int64_t, 2> values = {});
  ReferenceResult& result() { return result_; }

 private:
  void step();
  void end_of_frame();
  void leave(kernel::LabelId label);
  void push_loop_part(const kernel::Loop& loop, Frame::Part part, const kernel::Block& block);
  void count_step();

  void run_stmt(const kernel::Assign& s);
  void run_stmt(const kernel::Store& s);
  void run_stmt(const kernel::If& s);
  void run_stmt(const kernel::Loop& s);
  void run_stmt(const kernel::Scope& s);
  void run_stmt(const kernel::Exit& s);
  void run_stmt(const kernel::Continue& s);
  void run_stmt(const kernel::Return& s);
  void run_stmt(const kernel::Fail& s);
  void run_stmt(const kernel::Atomic& s);
  void run_stmt(const kernel::Barrier& s);
  void run_stmt(const kernel::Fence& s);
  void run_stmt(const kernel::Warp& s);
  void run_stmt(const kernel::Print& s);

  /// A new statement or test: loads are made anew. Within one, each expression is evaluated once.
  void begin_evaluation() { ++evaluation_; }
  Bits evaluate(kernel::ExprId id);
  Bits value_of(kernel::ExprId id);
  Bits value_or_zero(kernel::ExprId id) { return id.valid() ? value_of(id) : 0; }
  DType dtype_of_expr(kernel::ExprId id) const { return program_.exprs[id].type.dtype; }

  Bits compute(DType type, const kernel::Const& e);
  Bits compute(DType type, const kernel::ParamRef& e);
  Bits compute(DType type, const kernel::LocalRef& e);
  Bits compute(DType type, const kernel::MemoryBase& e);
  Bits compute(DType type, const kernel::ThreadIndex& e);
  Bits compute(DType type, const kernel::Unary& e);
  Bits compute(DType type, const kernel::Binary& e);
  Bits compute(DType type, const kernel::Compare& e);
  Bits compute(DType type, const kernel::Convert& e);
  Bits compute(DType type, const kernel::Select& e);
  Bits compute(DType type, const kernel::Fma& e);
  Bits compute(DType type, const kernel::MathCall& e);
  Bits compute(DType type, const kernel::Load& e);
  Bits compute(DType type, const kernel::Address& e);

  uint64_t address_of(const kernel::MemRef& ref);
  /// Reading and writing fail where the address is none of the thread's.
  Bits read(const kernel::MemRef& ref);
  void write(const kernel::MemRef& ref, Bits value);
  std::byte* checked(uint64_t address, size_t size, bool writes) const;
  std::string text_of(const kernel::PrintPart& part);

  struct Known {
    uint64_t evaluation = 0;
    Bits value = 0;
  };

  const kernel::KernelProgram& program_;
  const ReferenceLaunch& launch_;
  DeclaredMemory constants_;
  std::vector<Known> known_;
  uint64_t evaluation_ = 0;
  uint64_t steps_ = 0;
  ReferenceResult result_;
  const BlockState* block_ = nullptr;  ///< whose thread is running
  ThreadState* thread_ = nullptr;
};

}  // namespace jitc::reference
