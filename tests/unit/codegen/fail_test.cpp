// The record that a checked kernel leaves behind.
#include <catch2/catch.hpp>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

/// Fails at site 1 with (i, n) for i >= n, after it has written out[i] = 1 for the others.
KernelProgram checked() {
  Builder k("checked");
  const uint32_t n = k.scalar_param("n", DType::i8);
  const uint32_t out = k.data_param(k.array_argument("out", DType::i4, 1));
  k.add_fail_site({FailKind::assertion, "never", 1, 1, 0});
  const uint32_t site = k.add_fail_site({FailKind::index, "out", 3, 9, 0});
  const ExprId i = k.thread(ThreadValue::kGlobalIdx);
  k.if_then(k.compare(CompareOp::kGe, i, k.param(n)), [&] { k.fail(site, {i, k.param(n)}); });
  k.store(k.element(k.param(out), i), k.constant(DType::i4, 1));
  return k.take();
}

TEST_CASE("the first thread to fail fills the record, and failing threads do nothing more") {
  const CpuProgram program(checked());
  FailRecord record;
  CpuLaunch launch{{3, 1, 1}, {4, 1, 1}, &record};
  std::vector<int32_t> out(12, 0);
  program.run(launch, int64_t{6}, out.data());
  CHECK(out == std::vector<int32_t>{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0});
  CHECK(record.state == 2);
  CHECK(record.site == 1);
  CHECK(record.values[0] == 6);
  CHECK(record.values[1] == 6);
  CHECK(record.thread[0] == 2);
  CHECK(record.block[0] == 1);
  CHECK(program.artifact().fail_sites.size() == 2);
}

TEST_CASE("without a failure the record stays empty") {
  FailRecord record;
  CpuLaunch launch{{3, 1, 1}, {4, 1, 1}, &record};
  std::vector<int32_t> out(12, 0);
  CpuProgram(checked()).run(launch, int64_t{12}, out.data());
  CHECK(out == std::vector<int32_t>(12, 1));
  CHECK(record.state == 0);
}

TEST_CASE("a record that is claimed already is left alone") {
  FailRecord record;
  record.state = 1;
  CpuLaunch launch{{3, 1, 1}, {4, 1, 1}, &record};
  std::vector<int32_t> out(12, 0);
  CpuProgram(checked()).run(launch, int64_t{0}, out.data());
  CHECK(out == std::vector<int32_t>(12, 0));
  CHECK(record.state == 1);
  CHECK(record.values[0] == 0);
}

}  // namespace
