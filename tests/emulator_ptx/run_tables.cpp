// Runs the kernels of PTX texts on a CUDA driver library and compares what they write with the texts' own tables.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "runtime/cuda/driver.hpp"
#include "tests/emulator_ptx/table.hpp"

namespace jitc::emulator_ptx {
namespace {

namespace cuda = runtime::cuda;

constexpr unsigned kMostBlockThreads = 1024;
constexpr size_t kMostShown = 20;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The device's primary context, which a fault ends: each launch that may fail has one of its own.
class Device {
 public:
  explicit Device(const std::string& library) : driver_(cuda::Driver::load(library)) { enter(); }
  ~Device() { leave(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const cuda::Driver* operator->() const { return driver_.get(); }

  void check(cuda::CUresult code, const char* what) const {
    if (code != cuda::CUDA_SUCCESS) throw std::runtime_error(std::string(what) + " gives " + std::to_string(code));
  }
  void renew() {
    leave();
    enter();
  }
  cuda::CUmodule load(const std::string& text) const;
  cuda::CUdeviceptr upload(const std::vector<uint64_t>& words) const;

 private:
  void enter() {
    check(driver_->cuDevicePrimaryCtxRetain(&context_, 0), "cuDevicePrimaryCtxRetain");
    check(driver_->cuCtxPushCurrent(context_), "cuCtxPushCurrent");
  }
  void leave() {
    driver_->cuCtxPopCurrent(nullptr);
    driver_->cuDevicePrimaryCtxReset(0);
    driver_->cuDevicePrimaryCtxRelease(0);
  }

  std::shared_ptr<const cuda::Driver> driver_;
  cuda::CUcontext context_ = nullptr;
};

cuda::CUmodule Device::load(const std::string& text) const {
  std::string log(4096, '\0');
  cuda::CUjit_option options[] = {cuda::CU_JIT_ERROR_LOG_BUFFER, cuda::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  cuda::CUmodule module = nullptr;
  if (driver_->cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) != cuda::CUDA_SUCCESS) {
    throw std::runtime_error(log.c_str());
  }
  return module;
}

/// At least one word: a table may have no inputs.
cuda::CUdeviceptr Device::upload(const std::vector<uint64_t>& words) const {
  cuda::CUdeviceptr data = 0;
  check(driver_->cuMemAlloc(&data, 8 * words.size() + 8), "cuMemAlloc");
  check(driver_->cuMemcpyHtoD(data, words.data(), 8 * words.size()), "cuMemcpyHtoD");
  return data;
}

/// Launches the table's kernel; what it wrote, or nothing where the launch was to fail and did.
std::vector<uint64_t> launch(Device& device, cuda::CUmodule module, const Table& table) {
  std::vector<uint64_t> inputs, outputs(table.rows.size() * table.outputs.size(), 0xeeeeeeeeeeeeeeee);
  for (const Row& row : table.rows) inputs.insert(inputs.end(), row.inputs.begin(), row.inputs.end());
  cuda::CUdeviceptr in = device.upload(inputs), out = device.upload(outputs);
  cuda::CUfunction kernel = nullptr;
  device.check(device->cuModuleGetFunction(&kernel, module, table.kernel.c_str()), "cuModuleGetFunction");
  const auto threads = static_cast<unsigned>(table.rows.size());
  const unsigned block = table.block_threads != 0 ? table.block_threads : threads;
  if (block == 0 || block > kMostBlockThreads || threads % block != 0) throw std::runtime_error("rows are no blocks");
  void* params[] = {&in, &out};
  device.check(
      device->cuLaunchKernel(kernel, threads / block, 1, 1, block, 1, 1, table.shared_bytes, nullptr, params, nullptr),
      "cuLaunchKernel");
  const cuda::CUresult result = device->cuCtxSynchronize();
  if (result != table.result) throw std::runtime_error("the kernel ends with " + std::to_string(result));
  if (result != cuda::CUDA_SUCCESS) return {};
  device.check(device->cuMemcpyDtoH(outputs.data(), out, 8 * outputs.size()), "cuMemcpyDtoH");
  device->cuMemFree(in);
  device->cuMemFree(out);
  return outputs;
}

struct Count {
  size_t checked = 0;
  size_t wrong = 0;
};

void compare(const std::string& path, const Table& table, const std::vector<uint64_t>& outputs, Count& count) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const size_t column = i % table.outputs.size();
    const Row& row = table.rows[i / table.outputs.size()];
    const Expected& expected = row.outputs[column];
    ++count.checked;
    if (is_as_expected(outputs[i], expected, table.outputs[column]) || ++count.wrong > kMostShown) continue;
    std::printf("%s:%u: %s, column %zu: 0x%llx, expected 0x%llx%s\n", path.c_str(), row.line, table.kernel.c_str(),
                column + 1, static_cast<unsigned long long>(outputs[i]), static_cast<unsigned long long>(expected.low),
                expected.is_nan ? " (a NaN)" : "");
  }
}

void run_file(Device& device, const std::string& path, Count& count) {
  const std::string text = text_of(path);
  const std::vector<Table> tables = read_tables(text);
  cuda::CUmodule module = device.load(text);
  for (const Table& table : tables) {
    try {
      compare(path, table, launch(device, module, table), count);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("line " + std::to_string(table.line) + ": " + table.kernel + ": " + error.what());
    }
    if (table.result == 0) continue;
    ++count.checked;
    device.renew();
    module = device.load(text);
  }
}

/// run_tables driver.so text.ptx…
int run(int count_args, char** args) {
  if (count_args < 3) return std::fprintf(stderr, "usage: run_tables LIBRARY TEXT...\n"), 2;
  Device device(args[1]);
  Count count;
  bool has_failed = false;
  for (int i = 2; i < count_args; ++i) {
    try {
      run_file(device, args[i], count);
    } catch (const std::runtime_error& error) {
      std::printf("%s: %s\n", args[i], error.what());
      has_failed = true;
    }
  }
  std::printf("%zu values checked, %zu wrong\n", count.checked, count.wrong);
  return has_failed || count.wrong != 0 ? 1 : 0;
}

}  // namespace
}  // namespace jitc::emulator_ptx

int main(int count_args, char** args) {
  try {
    return jitc::emulator_ptx::run(count_args, args);
  } catch (const std::exception& error) { return std::fprintf(stderr, "run_ptx_tables: %s\n", error.what()), 2; }
}
