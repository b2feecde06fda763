#include "tests/accuracy/exhaustive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "jitc/half.hpp"
#include "tests/accuracy/product_function.hpp"
#include "tests/accuracy/quick_reference.hpp"
#include "tests/unit/math/sample_points.hpp"
#include "tests/unit/math/ulp.hpp"

namespace jitc::accuracy {

namespace {

using math_test::Format;
using math_test::Mpfr;
using math_test::Reference;
using math_test::Worst;

/// Arguments of one run of the kernel.
constexpr uint64_t kChunk = 1 << 16;

struct Type {
  Format format;
  uint64_t patterns;  ///< 0: too many
  double (*value)(const void* elems, size_t i);
  void (*fill)(void* elems, uint64_t first, uint32_t step);
};

template <class T>
double value_of(const void* elems, size_t i) {
  return static_cast<double>(static_cast<const T*>(elems)[i]);
}

template <class Bits>
void fill_with_patterns(void* elems, uint64_t first, uint32_t step) {
  auto* out = static_cast<Bits*>(elems);
  for (uint64_t i = 0; i < kChunk; ++i) out[i] = static_cast<Bits>(first + i * step);
}

Type type_of(DType dtype) {
  switch (dtype) {
    case DType::f2: return {math_test::kF2, kChunk, value_of<float16>, fill_with_patterns<uint16_t>};
    case DType::bf16: return {math_test::kBf16, kChunk, value_of<bfloat16>, fill_with_patterns<uint16_t>};
    case DType::f4:
      return {math_test::format_of<float>(), uint64_t{1} << 32, value_of<float>, fill_with_patterns<uint32_t>};
    case DType::f8: return {math_test::format_of<double>(), 0, value_of<double>, nullptr};
    default: throw std::logic_error("a type without functions");
  }
}

bool takes_random_points(const Reference& reference, const Type& type) {
  return type.patterns == 0 || reference.arity == 2;
}

uint64_t chunks_of(const Reference& reference, const Type& type, const SearchOptions& options) {
  const bool random = takes_random_points(reference, type);
  return ((random ? options.random_points : type.patterns / options.step) + kChunk - 1) / kChunk;
}

template <class T>
void fill_with_random_points(ProductFunction& product, const Reference& reference, uint64_t seed) {
  math_test::Random random(seed);
  const auto fill = [&](T* elems) {
    const std::vector<T> points = math_test::random_points<T>(random, static_cast<int>(kChunk), reference.dense);
    std::copy(points.begin(), points.end(), elems);
  };
  fill(product.arguments<T>());
  fill(product.second_arguments<T>());
}

double exact_error(const Reference& reference, const Format& format, double x, double y, double got, double floor) {
  Mpfr first(53), second(53), exact(format.digits + 50);
  mpfr_set_d(first.get(), x, MPFR_RNDN);
  mpfr_set_d(second.get(), y, MPFR_RNDN);
  reference.compute(exact.get(), first.get(), second.get());
  return math_test::ulp_error(got, exact.get(), format, floor);
}

double floor_at(const Reference& reference, double x, double y) { return reference.floor ? reference.floor(x, y) : 0; }

/// Whether an estimate is near the truth; beside a power of two the last place may be half of what it was taken for.
bool agree(double about, double ulps, double margin) {
  margin *= std::max(1.0, ulps);
  return std::fabs(about - ulps) <= margin || std::fabs(about / 2 - ulps) <= margin;
}

/// One thread's part.
class Search {
 public:
  Search(const Reference& reference, DType dtype, const SearchOptions& options)
      : reference_(reference),
        type_(type_of(dtype)),
        margin_(quick_margin(type_.format)),
        quick_(options.quick ? quick_function(reference.name) : QuickFunction{}),
        product_(reference.name, reference.arity, dtype, static_cast<int64_t>(kChunk)),
        least_(options.least),
        options_(options) {}

  void chunk(uint64_t number) {
    fill(number);
    product_.run();
    const bool two = reference_.arity == 2;
    for (size_t i = 0; i < kChunk; ++i) {
      look_at(type_.value(product_.arguments<void>(), i), two ? type_.value(product_.second_arguments<void>(), i) : 0,
              type_.value(product_.results<void>(), i));
    }
    worst_.points += kChunk;
  }

  const Worst& worst() const { return worst_; }

 private:
  void fill(uint64_t number) {
    if (!takes_random_points(reference_, type_)) {
      return type_.fill(product_.arguments<void>(), number * kChunk * options_.step, options_.step);
    }
    const uint64_t seed = options_.seed + number;
    type_.patterns == 0 ? fill_with_random_points<double>(product_, reference_, seed)
                        : fill_with_random_points<float>(product_, reference_, seed);
  }

  double about(double x, double y, double got, double floor) const {
    const auto near = [&](auto libm) { return quick_ulps(got, libm, type_.format, floor); };
    const bool is_f8 = type_.patterns == 0;
    if (is_f8 && quick_.of_wide != nullptr) return near(quick_.of_wide(x));
    if (is_f8 && quick_.of_two_wide != nullptr) return near(quick_.of_two_wide(x, y));
    if (!is_f8 && quick_.of_f8 != nullptr) return near(quick_.of_f8(x));
    if (!is_f8 && quick_.of_two_f8 != nullptr) return near(quick_.of_two_f8(x, y));
    return HUGE_VAL;
  }

  void look_at(double x, double y, double got) {
    const double floor = floor_at(reference_, x, y), estimate = about(x, y, got, floor);
    if (estimate + margin_ < least_) return;
    const double ulps = exact_error(reference_, type_.format, x, y, got, floor);
    // What is trusted where MPFR is not asked is tested where it is.
    if (std::isfinite(estimate) && !agree(estimate, ulps, margin_)) {
      throw std::runtime_error(fmt::format("libm's {} is far from MPFR's at {:a}, {:a}", reference_.name, x, y));
    }
    if (!(ulps > worst_.ulps)) return;
    worst_ = {ulps, x, y, got, worst_.points};
    least_ = std::max(least_, ulps);
  }

  const Reference& reference_;
  Type type_;
  double margin_;
  QuickFunction quick_;
  ProductFunction product_;
  double least_;
  const SearchOptions& options_;
  Worst worst_;
};

}  // namespace

Worst measure_all(const Reference& reference, DType dtype, const SearchOptions& options) {
  const uint64_t chunks = chunks_of(reference, type_of(dtype), options);
  std::atomic<uint64_t> next = 0;
  std::mutex mutex;
  Worst worst;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      Search search(reference, dtype, options);
      for (uint64_t chunk = next++; chunk < chunks; chunk = next++) {
        search.chunk(chunk);
        if (options.on_points) options.on_points(kChunk);
      }
      const std::lock_guard lock(mutex);
      worst.merge(search.worst());
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    mpfr_free_cache();
  };
  std::vector<std::thread> others;
  for (uint64_t i = 1; i < std::min<uint64_t>(options.threads, chunks); ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
  return worst;
}

double product_error_at(const Reference& reference, DType dtype, double x) {
  const Type type = type_of(dtype);
  ProductFunction product(reference.name, 1, dtype, 1);
  if (dtype == DType::f2) *product.arguments<float16>() = float16(x);
  if (dtype == DType::bf16) *product.arguments<bfloat16>() = bfloat16(x);
  if (dtype == DType::f4) *product.arguments<float>() = static_cast<float>(x);
  product.run();
  return exact_error(reference, type.format, x, 0, type.value(product.results<void>(), 0), floor_at(reference, x, 0));
}

double bound_of_half(DType dtype, double f4_ulp) {
  return 0.5 + std::ldexp(f4_ulp, type_of(dtype).format.digits - math_test::format_of<float>().digits);
}

}  // namespace jitc::accuracy
