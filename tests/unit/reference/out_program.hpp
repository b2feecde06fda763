// A program for the interpreter's tests, with the memory that it writes to.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <vector>

#include "src/kernel/kernel.hpp"
#include "tests/support/reference_interpreter.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::reference {

/// Writes i8 values to `out`.
class OutProgram {
 public:
  using Extent = std::array<uint32_t, 3>;

  explicit OutProgram(size_t count_elems = 8)
      : b("k"), memory(count_elems), out_(b.data_param(b.array_argument("out", DType::i8, 1, Layout::c))) {}

  void write(kernel::ExprId index, kernel::ExprId value) { b.store(at(index), value); }
  void write(int64_t index, kernel::ExprId value) { write(value_of(index), value); }
  kernel::ExprId value_of(int64_t number) { return b.constant(DType::i8, number); }
  kernel::ExprId read(int64_t index) { return b.load(at(value_of(index))); }
  kernel::MemRef at(kernel::ExprId index) { return b.element(b.param(out_), index); }
  kernel::ExprId thread() { return b.thread(kernel::ThreadValue::kThreadIdx); }
  kernel::ExprId add(kernel::ExprId x, kernel::ExprId y) { return b.binary(kernel::BinaryOp::kAdd, x, y); }
  kernel::ExprId equals(kernel::ExprId x, int64_t y) { return b.compare(kernel::CompareOp::kEq, x, value_of(y)); }
  kernel::ExprId less(kernel::ExprId x, int64_t y) { return b.compare(kernel::CompareOp::kLt, x, value_of(y)); }

  ReferenceResult result(Extent grid = {1, 1, 1}, Extent block = {1, 1, 1}) {
    const kernel::KernelProgram program = b.take();
    REQUIRE(verify(program) == std::vector<std::string>{});
    launch.grid = grid;
    launch.block = block;
    launch.params = {reinterpret_cast<uint64_t>(memory.data())};
    launch.memory = {{reinterpret_cast<const std::byte*>(memory.data()), memory.size() * sizeof(int64_t)}};
    return reference::run(program, launch);
  }
  std::optional<FailRecord> run(Extent grid = {1, 1, 1}, Extent block = {1, 1, 1}) {
    return result(grid, block).failure;
  }

  kernel::Builder b;
  std::vector<int64_t> memory;
  ReferenceLaunch launch{.max_steps = 100'000};

 private:
  uint32_t out_;
};

}  // namespace jitc::reference
