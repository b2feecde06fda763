#include "tests/random_arrays/check_program.hpp"

#include <fmt/format.h>

#include <chrono>

#include "jitc/error.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "runtime/cuda/driver.hpp"
#include "src/engine/engine.hpp"
#include "tests/random_arrays/device_arguments.hpp"
#include "tests/random_arrays/reference_backend.hpp"

namespace jitc::random_arrays {

namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double& sum_ms) : sum_ms_(sum_ms) {}
  ~Stopwatch() {
    sum_ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  double& sum_ms_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c < '0' || c > '9') out += c;
  }
  return out;
}

std::optional<Difference> run(const Program& program, const std::vector<Memory>& memories, const Expected& expected,
                              const jitc::Program& compiled, const std::shared_ptr<runtime::Backend>& backend,
                              const char* where) {
  const DeviceArguments arguments(program, memories, backend);
  const auto found = [&](const std::string& kind, const std::string& text) {
    return Difference{fmt::format("{}: {}", where, kind), fmt::format("{}: {}", where, text)};
  };
  try {
    const engine::CallReport report = engine::call(compiled["f"], arguments.args(), {.stream = arguments.stream()});
    arguments.stream().synchronize();
    if (expected.fails) return found("no failure", "the call must fail: " + expected.failure);
    if (const auto different = arguments.compare_with(expected, report.results)) return found("values", *different);
    return std::nullopt;
  } catch (const Error& error) {
    if (expected.fails && (error.code() == ErrorCode::argument || error.code() == ErrorCode::kernel))
      return std::nullopt;
    return found(without_numbers(error.what()), error.what());
  } catch (const std::exception& error) { return found(without_numbers(error.what()), error.what()); }
}

}  // namespace

const char* name_of(Where where) {
  switch (where) {
    case Where::reference: return "reference";
    case Where::reference_gpu: return "reference_gpu";
    case Where::cpu: return "cpu";
    case Where::emulator: return "emulator";
  }
  return "";
}

const std::shared_ptr<runtime::Backend>& Checker::backend(Where where) {
  auto& out = backends_[where];
  if (out) return out;
  switch (where) {
    case Where::reference: out = std::make_shared<ReferenceBackend>(ReferenceOptions{false, false}); break;
    case Where::reference_gpu: out = std::make_shared<ReferenceBackend>(ReferenceOptions{true, true}); break;
    case Where::cpu: out = runtime::cpu::make_cpu_backend(2); break;
    case Where::emulator:
#ifdef JITC_CUDAEMU
      out = runtime::cuda::make_cuda_backend(runtime::cuda::Driver::load(JITC_CUDAEMU), 0);
#else
      throw std::runtime_error("there is no emulated GPU in this build");
#endif
      break;
  }
  return out;
}

std::optional<Difference> Checker::check(const Program& program, const std::vector<Where>& wheres) {
  const std::string text = text_of(program);
  std::vector<Memory> memories;
  for (const Parameter& p : program.params) memories.push_back(memory_of(p));
  std::shared_ptr<const pipeline::Module> module;
  Expected expected;
  try {
    const Stopwatch watch(counts_.milliseconds["compile"]);
    module = pipeline::check(text, {});
  } catch (const std::exception& error) { return Difference{without_numbers(error.what()), error.what()}; }
  if (!module->ok) {
    const std::string messages = source::render_all(module->file, module->diagnostics);
    return Difference{without_numbers(messages.substr(messages.find('['))), messages};
  }
  try {
    const Stopwatch watch(counts_.milliseconds["evaluate"]);
    expected = evaluate(text, program, memories, mistake_);
  } catch (const std::exception& error) { return Difference{without_numbers(error.what()), error.what()}; }
  counts_.failures += expected.fails ? 1 : 0;
  for (const Where where : wheres) {
    const bool interpreted = where == Where::reference || where == Where::reference_gpu;
    const Stopwatch watch(counts_.milliseconds[name_of(where)]);
    const jitc::Program compiled =
        interpreted ? engine::make_program(module, ReferenceBackend::emit) : engine::make_program(module);
    ++counts_.programs[where];
    if (auto different = run(program, memories, expected, compiled, backend(where), name_of(where))) return different;
  }
  return std::nullopt;
}

}  // namespace jitc::random_arrays
