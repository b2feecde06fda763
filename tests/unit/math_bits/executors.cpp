#include "tests/unit/math_bits/executors.hpp"

#include <cstring>
#include <stdexcept>

#include "tests/unit/codegen/kernels.hpp"
#include "tests/unit/math/native_math.hpp"

namespace jitc::math_bits {

namespace {

using codegen::tests::launch_for;

kernel::KernelProgram program_of(const Calls& calls) {
  std::vector<DType> operands;
  for (size_t i = 0; i < calls.arguments.size(); ++i) operands.push_back(calls.argument_type(i));
  return codegen::tests::elementwise(
      calls.name, calls.result_type(), operands,
      [&](kernel::Builder& k, const std::vector<kernel::ExprId>& values) { return k.math(calls.fn, values); });
}

Bytes room_for_results(const Calls& calls) { return Bytes(calls.count * size_bytes(calls.result_type())); }

/// Element i of the arguments, of T, or of an integer type of the second.
template <class T>
T element(const Calls& calls, size_t argument, size_t i) {
  T value;
  std::memcpy(&value, calls.arguments.at(argument).data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class T, class Result, class Second>
void call_each(const Calls& calls, Bytes& out) {
  const std::string& name = calls.name;
  const auto one = math_test::function<T, Result, T>(name);
  const auto two = math_test::function<T, Result, T, Second>(name);
  const auto three = math_test::function<T, Result, T, T, T>(name);
  const auto four = math_test::function<T, Result, T, T, T, T>(name);
  const size_t arity = calls.arguments.size();
  for (size_t i = 0; i < calls.count; ++i) {
    const T x = element<T>(calls, 0, i);
    Result result{};
    if (arity == 1) result = one(x);
    if (arity == 2) result = two(x, element<Second>(calls, 1, i));
    if (arity == 3) result = three(x, element<T>(calls, 1, i), element<T>(calls, 2, i));
    if (arity == 4) result = four(x, element<T>(calls, 1, i), element<T>(calls, 2, i), element<T>(calls, 3, i));
    std::memcpy(out.data() + i * sizeof(Result), &result, sizeof(Result));
  }
}

template <class T>
void call_each(const Calls& calls, Bytes& out) {
  if (calls.result_type() == DType::i4) return call_each<T, int32_t, T>(calls, out);
  const DType second = calls.arguments.size() == 2 ? calls.argument_type(1) : calls.type;
  if (second == DType::i4) return call_each<T, T, int32_t>(calls, out);
  if (second == DType::i8) return call_each<T, T, int64_t>(calls, out);
  call_each<T, T, T>(calls, out);
}

}  // namespace

CpuCode::CpuCode(const Calls& calls, const std::string& features)
    : program_(program_of(calls), {.features = features}) {}

Bytes CpuCode::run(const Calls& calls) const {
  Bytes out = room_for_results(calls);
  const auto run = [&](auto... index) {
    program_.run(launch_for(calls.count), static_cast<int64_t>(calls.count), out.data(),
                 calls.arguments[static_cast<size_t>(index)].data()...);
  };
  if (calls.arguments.size() == 1) run(0);
  if (calls.arguments.size() == 2) run(0, 1);
  if (calls.arguments.size() == 3) run(0, 1, 2);
  if (calls.arguments.size() == 4) run(0, 1, 2, 3);
  return out;
}

std::string assembly_on_cpu(const Calls& calls, const std::string& features) {
  return codegen::assembly(program_of(calls), {}, {.features = features});
}

Bytes run_one_by_one(const Calls& calls) {
  Bytes out = room_for_results(calls);
  calls.type == DType::f4 ? call_each<float>(calls, out) : call_each<double>(calls, out);
  return out;
}

Bytes run_as_ptx(const Calls& calls, const codegen::EmitOptions& options) {
  contract::KernelCall call;
  contract::CallArgument n;
  n.bits[0] = calls.count;
  call.arguments.push_back(n);
  call.buffers.push_back(room_for_results(calls));
  call.buffers.insert(call.buffers.end(), calls.arguments.begin(), calls.arguments.end());
  for (size_t i = 0; i < call.buffers.size(); ++i) call.arguments.push_back({.buffer = static_cast<int>(i)});
  call.grid = {static_cast<uint32_t>(calls.count / 256 + 1), 1, 1};
  call.block = {256, 1, 1};
  return contract::run_emulated_with(options, program_of(calls), std::move(call)).at(0);
}

}  // namespace jitc::math_bits
