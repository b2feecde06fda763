// With a user's libdevice the functions of a GPU are within the bounds that NVIDIA states.
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/support/libdevice_path.hpp"
#include "tests/unit/math/mpfr_reference.hpp"
#include "tests/unit/math/ulp.hpp"
#include "tests/unit/math_bits/arguments.hpp"

namespace jitc::math_bits {
namespace {

struct Bounds {
  const char* name;
  double f4_ulp, f8_ulp;
};
constexpr Bounds kBounds[] = {
#define JITC_CUDA(name, f4, f8) {name, f4, f8},
#include "tests/accuracy/cuda_bounds.def"
#undef JITC_CUDA
};

kernel::MathFn function_of(std::string_view name) {
#define JITC_MATH(id, spelling, arity) \
  if (name == spelling) return kernel::MathFn::id;
#include "src/math/math.def"
#undef JITC_MATH
  throw std::logic_error("no such function");
}

/// Where CUDA's lgamma states no bound: near the zeros between the poles.
bool is_promised(std::string_view name, double x) { return name != "lgamma" || x > -2.2 || x < -24; }

template <class T>
T element(const Bytes& bytes, size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// NVIDIA counts from the correctly rounded result.
template <class T>
void round_to(mpfr_ptr number) {
  if (sizeof(T) == 4) {
    mpfr_set_flt(number, mpfr_get_flt(number, MPFR_RNDN), MPFR_RNDN);
  } else {
    mpfr_set_d(number, mpfr_get_d(number, MPFR_RNDN), MPFR_RNDN);
  }
}

/// The first call that is wrong by more than `bound_ulp`; empty where there is none.
template <class T>
std::string worse_call(const Calls& calls, const Bytes& results, const math_test::Reference& reference,
                       double bound_ulp) {
  constexpr mpfr_prec_t kPrecision = std::numeric_limits<T>::digits + 50;
  math_test::Mpfr x(kPrecision), y(kPrecision), exact(kPrecision);
  for (size_t i = 0; i < calls.count; ++i) {
    const double first = element<T>(calls.arguments[0], i);
    const double second = reference.arity == 2 ? element<T>(calls.arguments[1], i) : 0;
    if (!is_promised(calls.name, first)) continue;
    mpfr_set_d(x.get(), first, MPFR_RNDN);
    mpfr_set_d(y.get(), second, MPFR_RNDN);
    reference.compute(exact.get(), x.get(), y.get());
    round_to<T>(exact.get());
    const T got = element<T>(results, i);
    const double error_ulp = math_test::ulp_error(got, exact.get());
    if (error_ulp <= bound_ulp) continue;
    char text[200];
    std::snprintf(text, sizeof(text), "(%a, %a) = %a, wrong by %g ulp", first, second, static_cast<double>(got),
                  error_ulp);
    return calls.name + text;
  }
  return "";
}

TEST_CASE("with libdevice the emulated GPU is within CUDA's bounds") {
  constexpr size_t kCount = 6000;
  const std::string path = tests::libdevice_path();
  if (path.empty()) return;
  const codegen::EmitOptions options{.libdevice = codegen::read_libdevice(path)};
  size_t functions = 0;
  for (const Bounds& row : kBounds) {
    const math_test::Reference* reference = math_test::find_reference(row.name);
    if (reference == nullptr) continue;
    ++functions;
    const auto calls = [&](DType type) {
      return thinned(calls_of(function_of(row.name), row.name, reference->arity, type, 20000), kCount);
    };
    const Calls f4 = calls(DType::f4), f8 = calls(DType::f8);
    CHECK(worse_call<float>(f4, run_as_ptx(f4, options), *reference, row.f4_ulp) == "");
    CHECK(worse_call<double>(f8, run_as_ptx(f8, options), *reference, row.f8_ulp) == "");
  }
  CHECK(functions > 25);
}

}  // namespace
}  // namespace jitc::math_bits
