// Array functions of more elements than 31 bits count, and of elements further apart than 32 bits can say. What would
// take memory is broadcast, an index, or memory that nobody touches.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

constexpr int64_t kMany = (int64_t{1} << 31) + 5;

/// One element seen as an array of this shape.
template <class T>
Array seen_as(T value, std::vector<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 0);
  return Array(array_of<T>({value}, {1}).buffer(), dtype_of<T>(), std::move(shape), std::move(strides), 0);
}

int64_t only(const Array& array) { return array.to_vector<int64_t>()[0]; }

/// The emulated GPU would take minutes.
bool takes_too_long() {
  if (!device().is_host()) WARN("skipped: this takes the CPU");
  return !device().is_host();
}

}  // namespace

TEST_CASE("folds of more elements than 31 bits count") {
  if (takes_too_long()) return;
  const Program p = compile_text(
      "@jit('i8(i1[:])')\ndef total(x):\n    return x.sum()\n"
      "@jit('i8(i1[:])')\ndef differs(x):\n    return np.sum(x != 3)\n"
      "@jit('(i8, i8)(i8)')\ndef of_index(n):\n    i = np.arange(n)\n    return np.max(i), np.sum(i & 1)\n");
  CHECK(only(p["total"](seen_as<int8_t>(3, {kMany}))) == 3 * kMany);
  CHECK(only(p["differs"](seen_as<int8_t>(3, {kMany}))) == 0);
  const auto [last, odd] = p["of_index"].call<2>(kMany);
  CHECK(only(last) == kMany - 1);
  CHECK(only(odd) == kMany / 2);
}

TEST_CASE("rows and columns longer than 30 bits, of more elements together than 31 bits count") {
  if (takes_too_long()) return;
  constexpr int64_t kLong = (int64_t{1} << 30) + 3;
  const Program p = compile_text(
      "@jit('i8[:](i1[:,:])')\ndef rows(x):\n    return x.sum(axis=1)\n"
      "@jit('i8[:](i1[:,:])')\ndef columns(x):\n    return x.sum(axis=0)\n"
      "@jit('i8[:](i8[:], i8)')\ndef indexed(x, n):\n    return (x[:, None] + np.arange(n)[None, :]).sum(axis=1)\n"
      "@jit('i8[:](i8[:], i8)')\ndef turned(x, n):\n    return (x[None, :] + np.arange(n)[:, None]).sum(axis=0)\n");
  const std::vector<int64_t> sums(2, -5 * kLong);
  CHECK(p["rows"](seen_as<int8_t>(-5, {2, kLong})).to_vector<int64_t>() == sums);
  CHECK(p["columns"](seen_as<int8_t>(-5, {kLong, 2})).to_vector<int64_t>() == sums);
  const Array x = array_of<int64_t>({1, 5}, {2});
  constexpr int64_t kIndices = kLong / 2 * (kLong - 1) + (kLong - 1) / 2;
  const std::vector<int64_t> indexed{kIndices + kLong, kIndices + 5 * kLong};
  CHECK(p["indexed"](x, kLong).to_vector<int64_t>() == indexed);
  CHECK(p["turned"](x, kLong).to_vector<int64_t>() == indexed);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a map of more elements than 31 bits count, and views of it") {
  if (takes_too_long()) return;
  const auto free_bytes = static_cast<int64_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (free_bytes < kMany + kMany / 4) {
    WARN("skipped: this takes " << kMany << " bytes of memory, " << free_bytes << " are free");
    return;
  }
  const Program p = compile_text(
      "@jit('void(u1[:])')\ndef next(x):\n    x += 1\n"
      "@jit('(u8, u1[:])(u1[:])')\ndef last(x):\n    return x.sum(), x[-6:] * 2\n");
  const Array x = device().zeros({kMany}, u1);
  const uint8_t mark = 41;
  x.slice(0, kMany - 1, kMany).copy_from_host(&mark, 1);
  p["next"].call_list({x});
  const auto at = [&](int64_t i) { return x.slice(0, i, i + 1).to_vector<uint8_t>()[0]; };
  CHECK(at(0) == 1);
  CHECK(at(int64_t{1} << 31) == 1);
  CHECK(at(kMany - 1) == 42);
  const auto [sum, last] = p["last"].call<2>(x);
  CHECK(sum.to_vector<uint64_t>()[0] == static_cast<uint64_t>(kMany) + 41);
  CHECK(last.to_vector<uint8_t>() == std::vector<uint8_t>{2, 2, 2, 2, 2, 84});
}

TEST_CASE("elements further apart than 32 bits can say, forwards and backwards") {
  const Program p = compile_text(
      "@jit('(f4[:,:], f4[:], f4[:], f4, i8[:], f4[:,:])(f4[:,:], f4[:,:])')\n"
      "def of_both(a, b):\n    c = a * 2 - b\n"
      "    return c, c.sum(axis=0), a.max(axis=1), np.sum(a * b), np.argmin(b, axis=0), a @ b.T\n"
      "@jit('void(f4[:,:], f4[:,:])')\ndef store(a, b):\n    a[:, 1:] = a[:, 1:] + b[:, :-1]\n");
  // Nobody touches most of it, so that it takes a few pages.
  constexpr int64_t kBytes = int64_t{6} << 30, kStride = int64_t{5} << 29, kFar = 2 * kStride;
  const Array memory = device().empty({kBytes / 4}, f4);
  const Array a(memory.buffer(), f4, {3, 40}, {kStride, 4}, 0);
  const Array b(memory.buffer(), f4, {3, 40}, {-kStride, 4}, kFar + 4096);
  const Array near_a = array_of(counted(120), {3, 40}),
              near_b = array_of(counted(137), {137}).slice(0, 17, 137).reshape({3, 40});
  a.copy_from(near_a);
  b.copy_from(near_b);
  const std::vector<Array> far = p["of_both"].call_list({a, b}), near = p["of_both"].call_list({near_a, near_b});
  for (const size_t k : {0, 1, 2, 3, 5}) {
    CAPTURE(k);
    CHECK(far[k].to_vector<float>() == near[k].to_vector<float>());
  }
  CHECK(far[4].to_vector<int64_t>() == near[4].to_vector<int64_t>());
  p["store"].call_list({a, b});
  p["store"].call_list({near_a, near_b});
  CHECK(a.copy().to_vector<float>() == near_a.to_vector<float>());
  CHECK(near_a.to_vector<float>() != counted(120));
}
#endif
