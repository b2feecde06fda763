// Results of array functions in memory of the caller, and the memory that a call takes.
#include <catch2/catch.hpp>
#include <vector>

#include "runtime/common/allocation_meter.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/engine/array_calls.hpp"

using namespace jitc;

namespace {

const char* const kTwo =
    "@jit('(f4[:], f4[:,:])(f4[:,:], f4[:])')\ndef f(x, seen):\n    seen[:] = 1\n    return x.sum(axis=0), x + 1\n";

/// A call of kTwo for 2 × 3 elements with these results is refused, and stores nothing.
void check_refused(const Argument& first, const Argument& second, const std::string& text) {
  const Program p = compile_text(kTwo);
  const Array x = array_of(counted(6), {2, 3}), seen = array_of<float>({7}, {1});
  CHECK_ERROR(p["f"].call_list({x, seen}, {.out = {first, second}}), ErrorCode::argument,
              "array function 'f': " + text);
  CHECK(seen.to_vector<float>() == std::vector<float>{7});
}

uint64_t peak_of_call(const Function& f, const std::vector<Argument>& args, uint64_t& allocations) {
  const runtime::MeterScope scope;
  const std::vector<Array> results = f.call_list(args);
  allocations = scope.meter().allocations();
  return scope.meter().peak_bytes();
}

}  // namespace

TEST_CASE("results in the caller's memory") {
  const Program p = compile_text(kTwo);
  const Array x = array_of(counted(6), {2, 3}), seen = array_of<float>({7}, {1});
  const Array sums = array_of<float>({9, 9, 9}, {3});
  std::vector<float> more(6);
  p["f"].call_list({x, seen}, {.out = {sums, HostView(more.data(), f4, {2, 3})}});
  CHECK(sums.to_vector<float>() == std::vector<float>{-13, -11, -9});
  CHECK(more == std::vector<float>{-7, -6, -5, -4, -3, -2});
}

TEST_CASE("a result that does not fit leaves the one before it, and the arguments, as they were") {
  const Array sums = array_of<float>({9, 9, 9}, {3});
  check_refused(sums, array_of(counted(4), {2, 2}), "out1 has shape (2, 2), the result has (2, 3)");
  check_refused(sums, array_of(counted(6), {6}), "out1 has shape (6,), the result has 2 axes");
  check_refused(sums, device().empty({2, 3}, f8), "out1 is f8, but the result is f4");
  check_refused(sums, 1.0F, "out1 is a number, and must be an array");
  check_refused(sums, Array(), "out1 is an array that was never allocated");
  const std::vector<float> constant(6);
  check_refused(sums, HostView(static_cast<const void*>(constant.data()), f4, {2, 3}),
                "out1 is host memory that is lent for reading alone (const, or jitc::in)");
  const Array row = array_of<float>({1, 2, 3}, {1, 3});
  check_refused(
      sums, Array(row.buffer(), f4, {2, 3}, {0, 4}, 0),
      "out1 lies over itself: of shape (2, 3) and strides (0, 4), it has several elements at one place; store "
      "to a copy");
  CHECK(sums.to_vector<float>() == std::vector<float>{9, 9, 9});
}

TEST_CASE("results that share memory are refused, on the device and on the host") {
  const Array both = array_of<float>({9, 9, 9, 9, 9, 9}, {2, 3});
  check_refused(both.index(0, 1), both, "out0 and out1 share memory; each result needs its own");
  CHECK(both.to_vector<float>() == std::vector<float>(6, 9.0F));
  std::vector<float> memory(8, 9.0F);
  check_refused(HostView(memory.data() + 5, f4, {3}), HostView(memory.data(), f4, {2, 3}),
                "out0 and out1 share memory; each result needs its own");
  CHECK(memory == std::vector<float>(8, 9.0F));
}

TEST_CASE("a shape that a loop decides is looked at before the first result is stored") {
  const Program p = compile_text(
      "@jit('(f4[:], f4[:])(f4[:])')\ndef f(x):\n    y = x + 0\n    while y[0] < 0:\n        y = y[1:]\n"
      "    return x * 2, y\n");
  const Array x = array_of(counted(17), {17}), first = array_of(counted(17), {17});
  CHECK_ERROR(p["f"].call_list({x}, {.out = {first, array_of(counted(17), {17})}}), ErrorCode::argument,
              "array function 'f': out1 has shape (17,), the result has (9,)");
  CHECK(first.to_vector<float>() == counted(17));
}

TEST_CASE("a result that is a view of what another result is stored to is what it was") {
  const Program p = compile_text("@jit('(f4[:], f4[:])(f4[:])')\ndef f(x):\n    return x * 10, x[::-1]\n");
  const Array x = array_of<float>({1, 2, 3}, {3}), y = array_of<float>({0, 0, 0}, {3});
  p["f"].call_list({x}, {.out = {x, y}});
  CHECK(x.to_vector<float>() == std::vector<float>{10, 20, 30});
  CHECK(y.to_vector<float>() == std::vector<float>{3, 2, 1});

  std::vector<float> host{1, 2, 3}, reversed(3);
  p["f"].call_list({host}, {.out = {host, reversed}});
  CHECK(host == std::vector<float>{10, 20, 30});
  CHECK(reversed == std::vector<float>{3, 2, 1});
}

TEST_CASE("a view of an argument is stored over the argument") {
  const Program p = compile_text("@jit('f4[:,:](f4[:,:])')\ndef f(x):\n    return x.T\n");
  const Array x = array_of<float>({1, 2, 3, 4}, {2, 2});
  p["f"].call_into(x, x);
  CHECK(x.to_vector<float>() == std::vector<float>{1, 3, 2, 4});
}

TEST_CASE("elementwise steps allocate their results and nothing else") {
  std::string text = "@jit('(f4[:], f4[:])(f4[:], f4[:])')\ndef f(x, y):\n    z = x\n";
  for (int step = 0; step < 20; ++step) text += "    z = (z + y) * 0.5 - x\n";
  const Program p = compile_text(text + "    return z, z * 2\n");
  const Array x = array_of(counted(1000), {1000}), y = array_of(counted(1000), {1000});
  uint64_t allocations = 0;
  CHECK(peak_of_call(p["f"], {x, y}, allocations) == 2 * 4000);
  CHECK(allocations == 2);
  const uint64_t before = device().statistics().allocations;
  p["f"].call_list({x, y});
  CHECK(device().statistics().allocations - before == 2);
}

TEST_CASE("what is used last is freed before the next is allocated") {
  // Products are stored: of three, never more than two are there at once.
  const Program p = compile_text("@jit('f4[:,:](f4[:,:])')\ndef f(x):\n    return x @ x @ x @ x\n");
  uint64_t allocations = 0;
  const uint64_t peak = peak_of_call(p["f"], {array_of(counted(1024), {32, 32})}, allocations);
  CHECK(allocations == 3);
  CHECK(peak == 2 * 4096);
}

TEST_CASE("the memory of a call is counted by itself, and scopes nest") {
  const runtime::MeterScope outer;
  const Array kept = array_of(counted(10), {10});
  {
    const runtime::MeterScope inner;
    const Array one = array_of(counted(100), {100});
    CHECK(inner.meter().peak_bytes() == 400);
  }
  { const Array another = array_of(counted(20), {20}); }
  CHECK(outer.meter().allocations() == 2);
  CHECK(outer.meter().peak_bytes() == 40 + 80);
}
