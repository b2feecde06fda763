#include "runtime/cuda/device_facts.hpp"

#include "runtime/common/size_text.hpp"
#include "runtime/cuda/driver_error.hpp"

namespace jitc::runtime::cuda {

namespace {

// The oldest that LLVM's and the drivers' PTX still serve alike.
constexpr int kOldestSm = 50;

std::string product_name(const Driver& driver, const DeviceFacts& facts) {
  char text[256] = {};
  check(driver.cuDeviceGetName, driver.cuDeviceGetName(text, sizeof text - 1, facts.device),
        "asking for the name of {}", facts.name);
  return text;
}

int attribute(const Driver& driver, const DeviceFacts& facts, CUdevice_attribute which) {
  int value = 0;
  check(driver.cuDeviceGetAttribute, driver.cuDeviceGetAttribute(&value, which, facts.device),
        "asking for attribute {} of {}", static_cast<int>(which), facts.name);
  return value;
}

bool driver_has_pools(const Driver& driver) {
  return driver.cuMemPoolCreate.available() && driver.cuMemPoolDestroy.available() &&
         driver.cuMemPoolTrimTo.available() && driver.cuMemPoolSetAttribute.available() &&
         driver.cuMemPoolGetAttribute.available() && driver.cuMemAllocFromPoolAsync.available() &&
         driver.cuMemFreeAsync.available();
}

void read_numbers(const Driver& driver, DeviceFacts& facts) {
  const struct {
    int& value;
    CUdevice_attribute which;
  } rows[] = {
      {facts.major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {facts.minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {facts.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {facts.max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {facts.max_block[0], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
      {facts.max_block[1], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
      {facts.max_block[2], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
      {facts.max_grid[0], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {facts.max_grid[1], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
      {facts.max_grid[2], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
      {facts.registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
      {facts.shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
      {facts.shared_optin_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
      {facts.max_pitch_bytes, CU_DEVICE_ATTRIBUTE_MAX_PITCH},
  };
  for (const auto& row : rows) row.value = attribute(driver, facts, row.which);
}

}  // namespace

std::string DeviceFacts::target() const { return fmt::format("sm_{}", sm()); }

std::string DeviceFacts::description() const {
  return fmt::format("{}, {}, {} multiprocessors, {}", product, target(), multiprocessors, size_text(memory_bytes));
}

std::string DeviceFacts::problem() const {
  if (sm() >= kOldestSm) return {};
  return fmt::format("{} ({}) is an {} device, and jitc needs sm_{} or newer", name, product, target(), kOldestSm);
}

DeviceFacts read_device_facts(const Driver& driver, int ordinal) {
  DeviceFacts facts;
  facts.name = fmt::format("cuda:{}", ordinal);
  check(driver.cuDeviceGet, driver.cuDeviceGet(&facts.device, ordinal), "looking for {}", facts.name);
  facts.product = product_name(driver, facts);
  size_t memory_bytes = 0;
  check(driver.cuDeviceTotalMem, driver.cuDeviceTotalMem(&memory_bytes, facts.device), "asking for the memory of {}",
        facts.name);
  facts.memory_bytes = memory_bytes;
  read_numbers(driver, facts);
  facts.has_cooperative_launch = attribute(driver, facts, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
  facts.has_managed_memory = attribute(driver, facts, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) != 0;
  // Drivers without the functions do not know the attribute either.
  facts.has_pools =
      driver_has_pools(driver) && attribute(driver, facts, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0;
  return facts;
}

}  // namespace jitc::runtime::cuda
