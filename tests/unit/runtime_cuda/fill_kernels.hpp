// A kernel in the forms that a launch takes: PTX, and for the fake driver, which executes none, what stands for it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "jitc/array.hpp"
#include "jitc/artifact.hpp"
#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests {

/// What all forms do once the parameters are in %n, %data and %value: any grid's threads fill all n elements.
inline constexpr const char* kFillBody = R"(
  cvta.to.global.u64 %data, %data;
  mov.u32 %i, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %i, %threads, %thread;
  mov.u32 %blocks, %nctaid.x;
  mul.lo.u32 %threads, %threads, %blocks;
NEXT:
  setp.ge.u32 %ends, %i, %n;
  @%ends bra DONE;
  mad.wide.u32 %elem, %i, 4, %data;
  st.global.u32 [%elem], %value;
  add.u32 %i, %i, %threads;
  bra NEXT;
DONE:
  ret;
}
)";

inline constexpr const char* kFillRegisters = R"(
{
  .reg .pred %ends;
  .reg .b32 %n, %value, %i, %thread, %threads, %blocks;
  .reg .b64 %data, %elem, %block, %index, %extent;
)";

/// fill(n: i4 at 0, data: i4* at 8, value: i4 at 16) as PTX of the oldest ISA and SM.
inline Artifact fill_artifact() {
  Artifact artifact;
  artifact.target = "sm_50";
  artifact.ptx_isa = 60;
  artifact.name = "fill";
  artifact.symbol = "fill";
  artifact.file = "case.dsl";
  artifact.code = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry fill(
  .param .u32 fill_param_0,
  .param .u64 fill_param_1,
  .param .u32 fill_param_2
))" + std::string(kFillRegisters) +
                  R"(
  ld.param.u32 %n, [fill_param_0];
  ld.param.u64 %data, [fill_param_1];
  ld.param.u32 %value, [fill_param_2];
)" + kFillBody;
  artifact.params = {{ParamSlot::Part::scalar, 0, 0, 0, 4},
                     {ParamSlot::Part::data, 1, 0, 8, 8},
                     {ParamSlot::Part::scalar, 2, 0, 16, 4}};
  artifact.params_size_bytes = 20;
  return artifact;
}

/// Its parameter block.
inline std::vector<std::byte> fill_params(int32_t n, const Array& array, int32_t value) {
  std::vector<std::byte> block(20);
  const std::byte* data = array.data();
  std::memcpy(block.data(), &n, 4);
  std::memcpy(block.data() + 8, &data, 8);
  std::memcpy(block.data() + 16, &value, 4);
  return block;
}

/// What the kernel does, for FakeControl::set_kernel; its block may be in memory.
inline int run_fill(const FakeLaunch& launch) {
  const std::byte* block = launch.params.data();
  if (launch.params.size() == sizeof block) std::memcpy(&block, block, sizeof block);
  int32_t n = 0;
  int32_t* data = nullptr;
  int32_t value = 0;
  std::memcpy(&n, block, 4);
  std::memcpy(&data, block + 8, 8);
  std::memcpy(&value, block + 16, 4);
  std::fill(data, data + n, value);
  return 0;
}

/// fill() that waits for its grid.
inline Artifact cooperative_artifact() {
  Artifact artifact = fill_artifact();
  artifact.cooperative = true;
  return artifact;
}

/// fill() that fails when the value is negative: "index <n> is outside … <-value>". On the fake its record is set by
/// what stands for the kernel.
inline Artifact checked_artifact() {
  Artifact artifact = fill_artifact();
  artifact.fail_sites = {{.kind = FailKind::index, .subject = "data", .line = 7, .column = 5, .axis = 0}};
  std::string& code = artifact.code;
  const std::string head = ".address_size 64\n";
  code.insert(code.find(head) + head.size(), ".visible .global .align 8 .b8 fill__fail[48];\n");
  code.insert(code.find(kFillBody), R"(
  setp.ge.s32 %ends, %value, 0;
  @%ends bra GOOD;
  cvt.u64.u32 %index, %n;
  neg.s32 %value, %value;
  cvt.u64.u32 %extent, %value;
  st.global.u64 [fill__fail+8], %index;
  st.global.u64 [fill__fail+16], %extent;
  atom.global.exch.b32 %value, [fill__fail], 2;
  ret;
GOOD:
)");
  return artifact;
}

/// fill() with its block in memory.
inline Artifact memory_artifact() {
  Artifact artifact = fill_artifact();
  artifact.params_in_memory = true;
  artifact.code = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry fill(.param .u64 fill_param_0)
)" + std::string(kFillRegisters) +
                  R"(
  ld.param.u64 %block, [fill_param_0];
  cvta.to.global.u64 %block, %block;
  ld.global.u32 %n, [%block];
  ld.global.u64 %data, [%block+8];
  ld.global.u32 %value, [%block+16];
)" + kFillBody;
  return artifact;
}

}  // namespace jitc::tests
