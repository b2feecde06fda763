// A kernel in the forms that a launch takes, as PTX that the fake driver reads.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "jitc/array.hpp"
#include "jitc/artifact.hpp"
#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests {

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
)
{
  ret;
}
)";
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

/// What the kernel does, for FakeControl::set_kernel.
inline int run_fill(const FakeLaunch& launch) {
  int32_t n = 0;
  int32_t* data = nullptr;
  int32_t value = 0;
  std::memcpy(&n, launch.params.data(), 4);
  std::memcpy(&data, launch.params.data() + 8, 8);
  std::memcpy(&value, launch.params.data() + 16, 4);
  std::fill(data, data + n, value);
  return 0;
}

/// fill() that waits for its grid.
inline Artifact cooperative_artifact() {
  Artifact artifact = fill_artifact();
  artifact.cooperative = true;
  return artifact;
}

/// fill() whose index is checked: its record is set by what stands for the kernel.
inline Artifact checked_artifact() {
  Artifact artifact = fill_artifact();
  artifact.fail_sites = {{.kind = FailKind::index, .subject = "data", .line = 7, .column = 5, .axis = 0}};
  const std::string head = ".address_size 64\n";
  artifact.code.insert(artifact.code.find(head) + head.size(), ".visible .global .align 8 .b8 fill__fail[48];\n");
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
{
  ret;
}
)";
  return artifact;
}

}  // namespace jitc::tests
