// Every math function has the same bits wherever it is computed: in vectors and one by one, with and without the
// processor's fma, in whatever lane, and as PTX. Any nan is as good as another: x86 and PTX differ in those that
// arithmetic makes.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/unit/math_bits/arguments.hpp"

namespace jitc::math_bits {
namespace {

struct Row {
  kernel::MathFn fn;
  const char* name;
  int arity;
};
constexpr Row kRows[] = {
#define JITC_MATH(id, name, arity) {kernel::MathFn::id, name, arity},
#include "src/math/math.def"
#undef JITC_MATH
};

constexpr size_t kRandom = 20000, kWithoutFma = 6000, kEmulated = 600;

template <class T>
bool is_same(const std::byte* a, const std::byte* b) {
  T x, y;
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  return std::memcmp(a, b, sizeof(T)) == 0 || (std::isnan(x) && std::isnan(y));
}

bool is_same_elem(DType type, const std::byte* a, const std::byte* b) {
  if (type == DType::f4) return is_same<float>(a, b);
  if (type == DType::f8) return is_same<double>(a, b);
  return std::memcmp(a, b, size_bytes(type)) == 0;
}

std::string elem_text(DType type, const std::byte* elem) {
  char text[64];
  float f;
  double d;
  int64_t i = 0;
  if (type == DType::f4) {
    std::memcpy(&f, elem, sizeof(f));
    std::snprintf(text, sizeof(text), "%a", static_cast<double>(f));
  } else if (type == DType::f8) {
    std::memcpy(&d, elem, sizeof(d));
    std::snprintf(text, sizeof(text), "%a", d);
  } else {
    std::memcpy(&i, elem, size_bytes(type));
    std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(i));
  }
  return text;
}

/// The first call whose results differ: "sin_f4(0x1p+3) = 0x1p+0 and 0x1.000002p+0"; empty where there is none.
std::string difference(const Calls& calls, const Bytes& a, const Bytes& b) {
  const DType type = calls.result_type();
  const size_t bytes = size_bytes(type);
  if (a.size() != b.size() || a.size() != calls.count * bytes) return "another number of results";
  for (size_t i = 0; i < calls.count; ++i) {
    if (is_same_elem(type, a.data() + i * bytes, b.data() + i * bytes)) continue;
    std::string text = calls.name + "_" + std::string(name(calls.type)) + "(";
    for (size_t k = 0; k < calls.arguments.size(); ++k) {
      const DType of = calls.argument_type(k);
      text += (k > 0 ? ", " : "") + elem_text(of, calls.arguments[k].data() + i * size_bytes(of));
    }
    return text + ") = " + elem_text(type, a.data() + i * bytes) + " and " + elem_text(type, b.data() + i * bytes);
  }
  return "";
}

/// Co-prime to the count, and further than a vector.
size_t step_for(size_t count) {
  size_t step = count / 3 + 40;
  while (std::gcd(step, count) != 1) ++step;
  return step;
}

template <class Check>
void for_each_function(const Check& check) {
  for (const Row& row : kRows) {
    for (const DType type : {DType::f4, DType::f8}) check(calls_of(row.fn, row.name, row.arity, type, kRandom));
  }
}

TEST_CASE("in vectors as one by one, and in any lane") {
  size_t points = 0;
  for_each_function([&](const Calls& calls) {
    const CpuCode code(calls);
    const Bytes vectors = code.run(calls);
    CHECK(difference(calls, vectors, run_one_by_one(calls)) == "");
    const size_t step = step_for(calls.count);
    const Calls others = reordered(calls, step);
    CHECK(difference(others, code.run(others), reordered(vectors, size_bytes(calls.result_type()), step)) == "");
    points += calls.count;
  });
  CHECK(points > 3'000'000);
}

constexpr const char* kWeaker = "-fma,-avx512f";

TEST_CASE("code for a processor without fma and wide vectors has neither") {
  const Calls calls = calls_of(kernel::MathFn::kExp, "exp", 1, DType::f4, 1);
  const std::string text = assembly_on_cpu(calls, kWeaker);
  CHECK(text.find("vfmadd") == std::string::npos);
  CHECK(text.find("zmm") == std::string::npos);
  CHECK(text.find("fmaf") != std::string::npos);
}

TEST_CASE("compiled for a processor without fma and wide vectors") {
  for_each_function([&](const Calls& all) {
    const Calls calls = thinned(all, kWithoutFma);
    CHECK(difference(calls, CpuCode(calls, kWeaker).run(calls), CpuCode(calls).run(calls)) == "");
  });
}

#ifdef JITC_CUDAEMU
TEST_CASE("as PTX on the emulated GPU") {
  for_each_function([&](const Calls& all) {
    // These have approximate instructions there.
    if (all.name.starts_with("fast_")) return;
    const Calls calls = thinned(all, kEmulated);
    CHECK(difference(calls, run_as_ptx(calls), run_one_by_one(calls)) == "");
  });
}
#endif

TEST_CASE("a difference of one bit, of a zero's sign or in kind is seen, and another nan is not") {
  Calls calls{kernel::MathFn::kSin, "sin", DType::f4, 1, {Bytes(4)}};
  const auto differ = [&](float a, float b) {
    Bytes x(4), y(4);
    std::memcpy(x.data(), &a, 4);
    std::memcpy(y.data(), &b, 4);
    return difference(calls, x, y);
  };
  CHECK(differ(1, std::nextafter(1.0F, 2.0F)) == "sin_f4(0x0p+0) = 0x1p+0 and 0x1.000002p+0");
  CHECK(differ(0.0F, -0.0F) != "");
  CHECK(differ(NAN, 1) != "");
  CHECK(differ(NAN, -NAN) == "");
}

}  // namespace
}  // namespace jitc::math_bits
