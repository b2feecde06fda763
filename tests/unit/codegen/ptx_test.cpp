// PTX text: what it must and must not contain, for every SM; accepted by ptxas where that is installed.
#include <catch2/catch.hpp>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"
#include "tests/unit/codegen/ptx_text.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;
using codegen::Target;
using codegen::TargetError;

Target sm(int number) { return {Target::Kind::nvptx, number}; }
std::string ptx(const KernelProgram& program, int number = 80) { return codegen::emit(program, sm(number)).code; }

/// Each operation of the type, chained: out = op(out', a, b) …
/// The types of kernel programs: complex numbers are two of them.
std::vector<DType> scalar_types() {
  std::vector<DType> all;
  for (size_t i = 0; i < kDTypeCount; ++i) {
    if (!is_complex(static_cast<DType>(i))) all.push_back(static_cast<DType>(i));
  }
  return all;
}

KernelProgram every_operation(DType type) {
  return elementwise("every_" + std::string(name(type)), type, {type, type}, [&](Builder& k, const auto& v) {
    ExprId value = v[0];
    for (size_t i = 0; i <= static_cast<size_t>(BinaryOp::kCopySign); ++i) {
      const auto op = static_cast<BinaryOp>(i);
      if ((info(op).operands & kind_of(type)) != 0) value = k.binary(op, value, v[1]);
    }
    for (size_t i = 0; i <= static_cast<size_t>(UnaryOp::kSignBit); ++i) {
      const auto op = static_cast<UnaryOp>(i);
      if ((info(op).operands & kind_of(type)) == 0) continue;
      const ExprId result = k.unary(op, value);
      value = info(op).gives_bool ? k.select(result, value, v[1]) : result;
    }
    for (const DType to : scalar_types()) {
      const ExprId there = k.convert(to, value);
      value = k.select(k.compare(CompareOp::kLt, k.convert(type, there), v[1]), value, v[0]);
    }
    return is_float(type) ? k.fma(value, v[0], v[1]) : value;
  });
}

KernelProgram every_thread_value() {
  Builder k("thread_values");
  const uint32_t out = k.data_param(k.array_argument("out", DType::i8, 1));
  int64_t place = 0;
  for (const auto value :
       {ThreadValue::kThreadIdx, ThreadValue::kBlockIdx, ThreadValue::kBlockDim, ThreadValue::kGridDim,
        ThreadValue::kGlobalIdx, ThreadValue::kGlobalDim, ThreadValue::kLaneId, ThreadValue::kWarpSize}) {
    for (uint8_t axis = 0; axis < (value < ThreadValue::kLaneId ? 3 : 1); ++axis) {
      k.store(k.element(k.param(out), k.constant(DType::i8, place++)), k.thread(value, axis));
    }
  }
  return k.take();
}

KernelProgram failing() {
  Builder k("failing");
  const uint32_t n = k.scalar_param("n", DType::i8);
  const uint32_t site = k.add_fail_site({FailKind::index, "a", 1, 2, 0});
  const ExprId i = k.thread(ThreadValue::kGlobalIdx);
  k.if_then(k.compare(CompareOp::kGe, i, k.param(n)), [&] { k.fail(site, {i, k.param(n)}); });
  return k.take();
}

std::vector<KernelProgram> programs() {
  std::vector<KernelProgram> all = {axpy(), pairwise(), every_thread_value(), failing()};
  for (const DType type : scalar_types()) {
    if (!is_bool(type)) all.push_back(every_operation(type));
  }
  return all;
}

TEST_CASE("no PTX holds an instruction that ptxas may contract, flush or approximate") {
  for (const KernelProgram& program : programs()) {
    for (const int opt_level : {0, 3}) {
      const std::string text = codegen::emit(program, sm(80), {.opt_level = opt_level}).code;
      INFO(program.symbol);
      CHECK(loose_arithmetic(text) == 0);
    }
  }
}

TEST_CASE("axpy multiplies and adds in f4, each rounded, and touches no f8") {
  const std::string text = ptx(axpy());
  CHECK(count(text, R"(mul\.rn\.f32)") == 1);
  CHECK(count(text, R"(add\.rn\.f32)") == 1);
  CHECK(count(text, R"(ld\.global\.f32)") == 2);
  CHECK(count(text, R"(st\.global\.f32)") == 1);
  CHECK(!contains(text, ".f64"));
}

TEST_CASE("f4 operations of all kinds touch no f8") {
  const auto program = elementwise("f4_only", DType::f4, {DType::f4, DType::i4}, [](Builder& k, const auto& v) {
    const ExprId quotient = k.binary(BinaryOp::kDiv, v[0], k.convert(DType::f4, v[1]));
    return k.unary(UnaryOp::kSqrt, k.convert(DType::f4, k.convert(DType::i8, quotient)));
  });
  const std::string text = ptx(program);
  CHECK(!contains(text, ".f64"));
  CHECK(count(text, R"(div\.rn\.f32)") == 1);
  CHECK(count(text, R"(sqrt\.rn\.f32)") == 1);
}

TEST_CASE("every known SM gets its name and the lowest PTX ISA that has it") {
  for (const int number : codegen::known_sms()) {
    for (const KernelProgram& program : programs()) {
      const Artifact artifact = codegen::emit(program, sm(number));
      const std::string isa = std::to_string(artifact.ptx_isa / 10) + "." + std::to_string(artifact.ptx_isa % 10);
      INFO(program.symbol << " for sm_" << number);
      CHECK(artifact.target == "sm_" + std::to_string(number));
      CHECK(count(artifact.code, "\\.target sm_" + std::to_string(number) + "\n") == 1);
      CHECK(count(artifact.code, "\\.version " + isa + "\n") == 1);
      CHECK(contains(artifact.code, ".visible .entry " + program.symbol + "("));
      CHECK(artifact.kind == Artifact::Kind::ptx);
    }
  }
  CHECK(codegen::emit(axpy(), sm(50)).ptx_isa == 40);
  CHECK(codegen::emit(axpy(), sm(80)).ptx_isa == 70);
}

TEST_CASE("a driver whose PTX ISA is too old is told what it lacks") {
  CHECK_THROWS_WITH(codegen::emit(axpy(), {Target::Kind::nvptx, 90, 77}),
                    "sm_90 needs PTX ISA 7.8, and the driver takes 7.7 at most");
  CHECK_NOTHROW(codegen::emit(axpy(), {Target::Kind::nvptx, 90, 78}));
}

TEST_CASE("parameters beyond 4096 bytes are read from global memory, on every SM") {
  const auto wide = [](int count) {
    Builder k("wide");
    for (int i = 0; i < count; ++i) k.scalar_param("p" + std::to_string(i), DType::i8);
    return k.take();
  };
  const Artifact narrow = codegen::emit(wide(512), sm(61));
  CHECK_FALSE(narrow.params_in_memory);
  CHECK(count(narrow.code, R"(\.param \.u64 wide_param_\d+)") == 512);
  const Artifact in_memory = codegen::emit(wide(513), sm(61));
  CHECK(in_memory.params_in_memory);
  CHECK(in_memory.params_size_bytes == 4104);
  CHECK(in_memory.params.size() == 513);
  CHECK(in_memory.ptx_isa == 50);
  CHECK(count(in_memory.code, R"(\.param \.u64 .*wide_param_\d+)") == 1);
  CHECK_FALSE(codegen::emit(wide(513), {Target::Kind::cpu}).params_in_memory);
}

TEST_CASE("launch bounds become directives, and only those that were asked for") {
  KernelProgram program = axpy();
  CHECK(count(ptx(program), R"(\.maxntid|\.minnctapersm|\.maxnreg)") == 0);
  program.max_threads_per_block = 256;
  program.min_blocks_per_sm = 2;
  program.max_registers = 64;
  const std::string text = ptx(program);
  CHECK(contains(text, ".maxntid 256"));
  CHECK(contains(text, ".minnctapersm 2"));
  CHECK(contains(text, ".maxnreg 64"));
  CHECK(codegen::emit(program, sm(80)).max_threads_per_block == 256);
}

TEST_CASE("a checked kernel has a record of 48 bytes under its name, an unchecked one has none") {
  CHECK(contains(ptx(failing()), ".visible .global .align 8 .b8 failing__fail[48]"));
  CHECK(!contains(ptx(axpy()), "__fail"));
}

TEST_CASE("parameters are pointers and plain scalars, in slot order at their natural alignment") {
  Builder k("kernel");
  k.scalar_param("flag", DType::b1);
  k.scalar_param("small", DType::i2);
  k.scalar_param("real", DType::f8);
  k.scalar_param("byte", DType::u1);
  const uint32_t x = k.array_argument("x", DType::f4, 1, Layout::c);
  k.data_param(x);
  k.extent_param(x, 0);
  const Artifact artifact = codegen::emit(k.take(), sm(80));
  CHECK(count(artifact.code, R"(\.param \.(u8|u16|f64|u8|u64|u64) kernel_param_\d)") == 6);
  std::vector<uint32_t> offsets, sizes;
  for (const ParamSlot& slot : artifact.params) offsets.push_back(slot.offset_bytes), sizes.push_back(slot.size_bytes);
  CHECK(offsets == std::vector<uint32_t>{0, 2, 8, 16, 24, 32});
  CHECK(sizes == std::vector<uint32_t>{1, 2, 8, 1, 8, 8});
  CHECK(artifact.params_size_bytes == 40);
  CHECK(artifact.params[5].part == ParamSlot::Part::extent);
  CHECK(artifact.params[5].argument == 4);
  CHECK(artifact.arguments.size() == 5);
}

TEST_CASE("equal programs give equal bytes, without paths") {
  for (const KernelProgram& program : programs()) {
    CHECK(ptx(program) == ptx(program));
    CHECK(codegen::emit(program, {}).code == codegen::emit(program, {}).code);
    CHECK(!contains(ptx(program),
                    "/"
                    "work"));
  }
}

TEST_CASE("a text is printed whole: percent signs are doubled, a zero byte is an argument") {
  Builder k("prints");
  k.print({{std::string("a\0%", 3), {}}, {"", k.constant(DType::i4, 7)}});
  const KernelProgram program = k.take();
  // "a%c%%%lld\n"
  CHECK(ptx(program).find("{97, 37, 99, 37, 37, 37, 108, 108, 100, 10}") != std::string::npos);
}

TEST_CASE("ptxas accepts what is emitted") {
  if (!have_ptxas()) return;
  const int number = GENERATE(75, 80, 90);
  for (const KernelProgram& program : programs()) {
    const PtxasRun run = run_ptxas(ptx(program, number), number);
    INFO(program.symbol << " for sm_" << number << ": " << run.output);
    CHECK(run.status == 0);
  }
}

}  // namespace
