#include "tests/random_arrays/check_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "jitc/error.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "runtime/cuda/driver.hpp"
#include "src/engine/engine.hpp"
#include "src/sema/sema.hpp"
#include "src/syntax/parser.hpp"
#include "tests/random_arrays/memory.hpp"
#include "tests/random_arrays/reference_backend.hpp"

namespace jitc::random_arrays {

namespace {

/// What a program must do: its results, or nothing where the call fails.
struct Expected {
  bool fails = false;
  std::string failure;
  std::vector<Dense> results, args;
};

std::vector<Number> numbers_of(DType dtype, const std::vector<std::byte>& bytes) {
  const size_t size = size_bytes(dtype), part = size_bytes(part_type(dtype));
  std::vector<Number> out(bytes.size() / size);
  for (size_t k = 0; k < out.size(); ++k) {
    std::memcpy(&out[k].real, bytes.data() + k * size, part);
    if (is_complex(dtype)) std::memcpy(&out[k].imag, bytes.data() + k * size + part, part);
  }
  return out;
}

Dense dense_of(const Parameter& p, const Memory& memory) {
  const auto size = static_cast<int64_t>(size_bytes(p.dtype));
  Dense out{p.dtype, std::make_shared<std::vector<Number>>(numbers_of(p.dtype, memory.bytes)), p.shape, {}, 0};
  for (const int64_t stride : memory.strides_bytes) out.strides.push_back(stride / size);
  out.offset = memory.offset_bytes / size;
  return out;
}

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

Expected evaluate(const std::string& text, const Program& program, const std::vector<Memory>& memories,
                  Mistake mistake) {
  const source::SourceFile file("program.dsl", text);
  source::DiagnosticSink sink;
  syntax::Ast ast = syntax::parse(file, sink);
  const sema::TypedModule module = sema::analyze(file, ast, {}, sink);
  const sema::TypedFunction& function = *module.kernels.back().variants.at(0);
  Expected out;
  std::vector<Value> args;
  for (size_t k = 0; k < memories.size(); ++k) {
    Dense dense = dense_of(program.params[k], memories[k]);
    out.args.push_back(dense);
    args.push_back(program.params[k].is_array ? Value::of(dense) : Value{dense.at({}), nullptr, {}});
  }
  Evaluator evaluator(*module.types, mistake);
  try {
    const Value got = evaluator.call(function, args);
    std::vector<Value> values{got};
    std::vector<sema::TypeId> types{function.return_type};
    if (const types::TupleType* tuple = module.types->as_tuple(function.return_type)) {
      values = got.items;
      types = tuple->elements;
    }
    for (size_t k = 0; k < values.size(); ++k) {
      const types::Scalar* scalar = module.types->as_scalar(types[k]);
      if (scalar == nullptr && values.at(k).array == nullptr) throw std::logic_error("the evaluator has no array");
      Dense result = scalar != nullptr ? new_dense(scalar->dtype, {}) : *values[k].array;
      if (scalar != nullptr) result.numbers->at(0) = values[k].number;
      out.results.push_back(result);
    }
  } catch (const CallFailure& failure) {
    out.fails = true;
    out.failure = failure.what();
  }
  return out;
}

bool is_nan(DType dtype, Bits bits) {
  return is_float(dtype) && reference::compare(kernel::CompareOp::kNe, dtype, bits, bits);
}

bool same(DType dtype, const Number& a, const Number& b) {
  const DType part = part_type(dtype);
  const auto same_part = [&](Bits x, Bits y) { return x == y || (is_nan(part, x) && is_nan(part, y)); };
  return same_part(a.real, b.real) && (!is_complex(dtype) || same_part(a.imag, b.imag));
}

std::string text_of_number(DType dtype, const Number& n) {
  const DType part = part_type(dtype);
  const auto one = [&](Bits bits) -> std::string {
    if (!is_float(part)) return fmt::format("{}", static_cast<int64_t>(reference::convert(part, DType::i8, bits)));
    const Bits wide = reference::convert(part, DType::f8, bits);
    double value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return fmt::format("{}", value);
  };
  return is_complex(dtype) ? fmt::format("({}, {})", one(n.real), one(n.imag)) : one(n.real);
}

std::optional<std::string> first_difference(DType dtype, const std::vector<Number>& wants,
                                            const std::vector<Number>& gots) {
  size_t count = 0, first = 0;
  for (size_t k = 0; k < wants.size(); ++k) {
    if (same(dtype, wants[k], gots[k])) continue;
    if (count++ == 0) first = k;
  }
  if (count == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ; the first is number {}: {} instead of {}", count, wants.size(), first,
                     text_of_number(dtype, gots[first]), text_of_number(dtype, wants[first]));
}

/// The arguments of one call on one device.
class DeviceArguments {
 public:
  DeviceArguments(const Program& program, const std::vector<Memory>& memories,
                  const std::shared_ptr<runtime::Backend>& backend)
      : program_(program), queue_(backend->default_queue()) {
    for (size_t k = 0; k < memories.size(); ++k) {
      const Parameter& p = program.params[k];
      const auto count = static_cast<int64_t>(memories[k].bytes.size() / size_bytes(p.dtype));
      const Array whole = runtime::make_array(backend, {count}, p.dtype, queue_);
      wholes_.push_back(whole);
      if (p.is_array) {
        whole.copy_from_host(memories[k].bytes.data(), memories[k].bytes.size());
        args_.emplace_back(Array(whole.buffer(), p.dtype, p.shape, memories[k].strides_bytes, memories[k].offset_bytes));
      } else {
        const Number n = numbers_of(p.dtype, memories[k].bytes).at(0);
        args_.emplace_back(Scalar{p.dtype, n.real, n.imag});
      }
    }
  }

  std::optional<std::string> compare_with(const Expected& expected, const std::vector<Array>& results) const {
    if (results.size() != expected.results.size()) return "another number of results";
    for (size_t k = 0; k < results.size(); ++k) {
      const Dense& want = expected.results[k];
      if (results[k].dtype() != want.dtype || results[k].shape() != want.shape) {
        return fmt::format("result {} is {} ({}) instead of {} ({})", k, name(results[k].dtype()),
                           fmt::join(results[k].shape(), ", "), name(want.dtype), fmt::join(want.shape, ", "));
      }
      if (const auto found = first_difference(want.dtype, elements_of(want), downloaded(results[k])))
        return fmt::format("result {}: {}", k, *found);
    }
    for (size_t k = 0; k < wholes_.size(); ++k) {
      if (!program_.params[k].is_array) continue;
      const DType dtype = program_.params[k].dtype;
      if (const auto found = first_difference(dtype, *expected.args[k].numbers, downloaded(wholes_[k])))
        return fmt::format("memory of argument '{}': {}", program_.params[k].name, *found);
    }
    return std::nullopt;
  }
  const std::vector<Argument>& args() const { return args_; }
  Stream stream() const { return Stream::of_queue(queue_); }

 private:
  static std::vector<Number> downloaded(const Array& array) {
    std::vector<std::byte> bytes(static_cast<size_t>(array.size_bytes()));
    array.copy_to_host(bytes.data(), bytes.size());
    return numbers_of(array.dtype(), bytes);
  }

  const Program& program_;
  std::shared_ptr<runtime::Queue> queue_;
  std::vector<Array> wholes_;
  std::vector<Argument> args_;
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
