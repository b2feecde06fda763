// Math functions: linked by need, the same bits however they are compiled, strict on PTX.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"
#include "tests/unit/codegen/math_rows.hpp"
#include "tests/unit/codegen/ptx_text.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

TEST_CASE("every math function compiles for a GPU, strictly and in its own type") {
  const auto type = GENERATE(DType::f4, DType::f8);
  for (const MathRow& row : kMathRows) {
    const std::string ptx = codegen::emit(call_of(row, type), {codegen::Target::Kind::nvptx, 80}).code;
    INFO(row.name << " of " << name(type));
    const bool is_approximate = type == DType::f4 && std::string_view(row.name).starts_with("fast_");
    CHECK((loose_arithmetic(ptx) > 0) == is_approximate);
    CHECK(count(ptx, R"(\.ftz|\.extern)") == 0);
    if (type == DType::f4) CHECK(!contains(ptx, ".f64"));
  }
}

TEST_CASE("ptxas accepts every math function") {
  if (!have_ptxas()) return;
  const auto type = GENERATE(DType::f4, DType::f8);
  for (const MathRow& row : kMathRows) {
    const PtxasRun run = run_ptxas(codegen::emit(call_of(row, type), {codegen::Target::Kind::nvptx, 80}).code, 80);
    INFO(row.name << " of " << name(type) << ": " << run.output);
    CHECK(run.status == 0);
  }
}

/// Arguments all over the range of the type; as integers, small ones.
template <class T>
std::vector<std::byte> arguments(DType type, size_t count_elems, unsigned seed) {
  std::vector<std::byte> bytes(count_elems * size_bytes(type));
  uint64_t state = seed * 2654435769u + 1;
  for (size_t i = 0; i < count_elems; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double magnitude = std::ldexp(1.0 + static_cast<double>(state >> 12) * 0x1p-52,
                                        static_cast<int>(i % 3 == 0 ? (state >> 7) % 120 : (state >> 7) % 12) - 6);
    const T real = static_cast<T>((state >> 5) & 1 ? -magnitude : magnitude);
    const auto whole = static_cast<int64_t>((state >> 33) % 41) - 20;
    std::memcpy(bytes.data() + i * size_bytes(type), is_float(type) ? static_cast<const void*>(&real) : &whole,
                size_bytes(type));
  }
  return bytes;
}

template <class T>
std::vector<std::byte> values(const MathRow& row, const codegen::EmitOptions& options) {
  constexpr size_t kCount = 500;
  const DType type = dtype_of<T>();
  const CpuProgram program(call_of(row, type), options);
  std::vector<std::byte> out(kCount * size_bytes(result_type(row.fn, type)));
  std::vector<std::vector<std::byte>> args;
  for (size_t i = 0; i < static_cast<size_t>(row.arity); ++i) {
    args.push_back(arguments<T>(argument_type(row.fn, i, type), kCount, i + 1));
  }
  const auto run = [&](auto... index) {
    program.run(launch_for(kCount), int64_t{kCount}, out.data(), args[static_cast<size_t>(index)].data()...);
  };
  if (row.arity == 1) run(0);
  if (row.arity == 2) run(0, 1);
  if (row.arity == 3) run(0, 1, 2);
  if (row.arity == 4) run(0, 1, 2, 3);
  return out;
}

/// Bytes with every NaN replaced by one of them: the sign and payload of a NaN are nobody's promise.
template <class T>
std::vector<std::byte> with_one_nan(std::vector<std::byte> bytes) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
  return bytes;
}

TEMPLATE_TEST_CASE("optimised and unoptimised code give the same bits for every math function", "", float, double) {
  for (const MathRow& row : kMathRows) {
    auto plain = values<TestType>(row, {.opt_level = 0}), optimised = values<TestType>(row, {.opt_level = 3});
    if (result_type(row.fn, dtype_of<TestType>()) == dtype_of<TestType>()) {
      plain = with_one_nan<TestType>(plain);
      optimised = with_one_nan<TestType>(optimised);
    }
    INFO(row.name << " of " << name(dtype_of<TestType>()));
    CHECK((plain == optimised));
  }
}

TEST_CASE("a math function is linked by need, and cannot be seen from outside") {
  const auto program =
      elementwise("kernel", DType::f8, {DType::f8}, [](Builder& k, const auto& v) { return k.math(MathFn::kErf, v); });
  const std::string ir = codegen::llvm_ir(program, {}, {.opt_level = 0});
  CHECK(count(ir, "define internal [^\n]*@jitc_erf_f8") == 1);
  CHECK(count(ir, "\ndefine (?!internal)") == 1);
  CHECK(!contains(ir, "@jitc_sin"));
  CHECK(!contains(ir, "jitc_erf_f4"));
}

}  // namespace
