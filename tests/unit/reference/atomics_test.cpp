// What atomic operations leave in memory, and what they return.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/shared_ops.hpp"
#include "tests/unit/reference/out_program.hpp"

namespace jitc::reference {
namespace {

using namespace jitc::kernel;

template <class T>
Bits bits_of(T value) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}

/// What memory holds after the operation on `old`.
template <class T>
T after(AtomicOp op, T old, T value, T expected = {}) {
  const auto stored = atomic_stores(op, dtype_of<T>(), bits_of(old), bits_of(value), bits_of(expected));
  const Bits bits = stored.value_or(bits_of(old));
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<T>(bits);
}

TEST_CASE("Atomic arithmetic wraps, and rounds once") {
  CHECK(after<int32_t>(AtomicOp::kAdd, INT32_MAX, 2) == INT32_MIN + 1);
  CHECK(after<uint64_t>(AtomicOp::kSub, 1, 3) == UINT64_MAX - 1);
  CHECK(after<float>(AtomicOp::kAdd, 16777216.0F, 1.0F) == 16777216.0F);
  CHECK(after<double>(AtomicOp::kSub, 2.5, 4.0) == -1.5);
  CHECK(after<uint32_t>(AtomicOp::kAnd, 12, 10) == 8);
  CHECK(after<uint32_t>(AtomicOp::kOr, 12, 10) == 14);
  CHECK(after<uint32_t>(AtomicOp::kXor, 12, 10) == 6);
  CHECK(after<int64_t>(AtomicOp::kExch, 12, -10) == -10);
}

TEST_CASE("inc and dec count round, as unsigned numbers") {
  CHECK(after<uint32_t>(AtomicOp::kInc, 4, 5) == 5);
  CHECK(after<uint32_t>(AtomicOp::kInc, 5, 5) == 0);
  CHECK(after<uint32_t>(AtomicOp::kInc, 9, 5) == 0);
  CHECK(after<int32_t>(AtomicOp::kInc, 9, -1) == 10);
  CHECK(after<int32_t>(AtomicOp::kInc, -1, -1) == 0);
  CHECK(after<uint64_t>(AtomicOp::kDec, 4, 5) == 3);
  CHECK(after<uint64_t>(AtomicOp::kDec, 0, 5) == 5);
  CHECK(after<uint64_t>(AtomicOp::kDec, 6, 5) == 5);
  CHECK(after<int32_t>(AtomicOp::kDec, -1, 5) == 5);
}

TEST_CASE("max and min compare by the type; a NaN on either side stores nothing") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(after<int32_t>(AtomicOp::kMax, -3, 2) == 2);
  CHECK(after<uint32_t>(AtomicOp::kMax, UINT32_MAX, 2) == UINT32_MAX);
  CHECK(after<int64_t>(AtomicOp::kMin, -3, 2) == -3);
  CHECK(after<double>(AtomicOp::kMin, 1.0, -2.0) == -2.0);
  CHECK(after<float>(AtomicOp::kMax, 1.0F, nan) == 1.0F);
  CHECK(std::isnan(after<float>(AtomicOp::kMax, nan, 1.0F)));
  CHECK(std::isnan(after<float>(AtomicOp::kMin, nan, 1.0F)));
}

TEST_CASE("nanmax and nanmin replace a NaN in memory and ignore a NaN value") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(after<double>(AtomicOp::kNanMax, nan, 1.0) == 1.0);
  CHECK(after<double>(AtomicOp::kNanMin, 1.0, nan) == 1.0);
  CHECK(after<double>(AtomicOp::kNanMax, 1.0, 3.0) == 3.0);
  CHECK(after<double>(AtomicOp::kNanMin, 1.0, 3.0) == 1.0);
  CHECK(std::isnan(after<double>(AtomicOp::kNanMin, nan, nan)));
  CHECK(after<int32_t>(AtomicOp::kNanMax, -1, 4) == 4);
}

TEST_CASE("cas stores where memory holds the expected bits") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(after<int32_t>(AtomicOp::kCas, 7, 9, 7) == 9);
  CHECK(after<int32_t>(AtomicOp::kCas, 7, 9, 8) == 7);
  CHECK(after<float>(AtomicOp::kCas, nan, 9.0F, nan) == 9.0F);
  CHECK(std::signbit(after<float>(AtomicOp::kCas, -0.0F, 9.0F, 0.0F)));
}

TEST_CASE("An atomic operation returns the old element") {
  OutProgram p;
  const LocalId old = p.b.add_local("old", scalar(DType::i8));
  p.b.atomic(AtomicOp::kAdd, p.at(p.value_of(0)), p.value_of(10), old);
  p.write(p.add(p.thread(), p.value_of(1)), p.b.local(old));
  p.b.atomic(AtomicOp::kMax, p.at(p.value_of(7)), p.thread(), {});
  p.run({1, 1, 1}, {4, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{40, 0, 10, 20, 30, 0, 0, 3});
}

TEST_CASE("The value of an atomic operation is that before it") {
  OutProgram p;
  p.write(0, p.value_of(5));
  p.b.atomic(AtomicOp::kAdd, p.at(p.value_of(0)), p.read(0), {});
  p.run();
  CHECK(p.memory[0] == 10);
}

TEST_CASE("A lock by cas lets one thread in") {
  OutProgram p;
  const LocalId old = p.b.add_local("old", scalar(DType::i8));
  p.b.atomic(AtomicOp::kCas, p.at(p.value_of(0)), p.value_of(1), old, p.value_of(0));
  p.b.if_then(p.equals(p.b.local(old), 0), [&] { p.b.atomic(AtomicOp::kAdd, p.at(p.value_of(1)), p.value_of(1), {}); });
  p.run({3, 1, 1}, {4, 1, 1});
  CHECK(p.memory[0] == 1);
  CHECK(p.memory[1] == 1);
}

}  // namespace
}  // namespace jitc::reference
