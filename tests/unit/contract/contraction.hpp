// A contraction to try: its kernel, sizes, how the arrays lie in memory; and what a plain loop makes of it.
#pragma once

#include <complex>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "src/kernel/lower.hpp"
#include "tests/unit/contract/kernel_call.hpp"

namespace jitc::contract {

/// How an array of (batch, rows, columns) lies in memory.
enum class Lie : uint8_t {
  c,          ///< columns are neighbours
  fortran,    ///< rows are neighbours
  gaps,       ///< nothing is
  backwards,  ///< as c, from the other end along both
  row,        ///< all rows are one
  column,     ///< all columns are one
  shared,     ///< as c, all batches are one
};

struct Sizes {
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

struct Contraction {
  kernel::ContractKernel kernel;
  Sizes sizes;
  std::vector<Lie> a, b, epilogue, outputs;  ///< by operand; empty: all as c
  /// Small ones, so that small arrays have edges of all kinds.
  kernel::ContractTile host = {12, 32, 256, 6, 16};
  kernel::ContractTile device = {32, 32, 8, 2, 2};
};

/// An array of the call, filled with numbers that its name decides.
struct TestArray {
  DType dtype = DType::f4;
  CallArgument place;
  const std::byte* data = nullptr;

  template <class T>
  T at(int64_t batch, int64_t row, int64_t column) const {
    T value;
    std::memcpy(
        &value,
        data + place.first_bytes + batch * place.strides[0] + row * place.strides[1] + column * place.strides[2],
        sizeof value);
    return value;
  }
};

/// The arrays of one contraction, and the launches of its kernels.
class Trial {
 public:
  explicit Trial(const Contraction& contraction);

  /// By factor or epilogue, by operand.
  const TestArray& a(size_t i = 0) const { return a_[i]; }
  const TestArray& b(size_t i = 0) const { return b_[i]; }
  const TestArray& epilogue(size_t i = 0) const { return epilogue_[i]; }

  /// The kernel of the host's shape or the device's, and its launch.
  kernel::KernelProgram program(kernel::ContractForm::Machine machine) const;
  KernelCall call(kernel::ContractForm::Machine machine) const;

  /// Empty where all ways to run it have the same bits as `expected(output, batch, m, n)`, an element's bytes; else
  /// which one does not, and where.
  std::string difference(const std::function<Bytes(size_t, int64_t, int64_t, int64_t)>& expected) const;
  /// The same of what the CPU makes of it, where there is no other way to know it.
  std::string difference_from_cpu() const;

 private:
  kernel::ContractForm form(kernel::ContractForm::Machine machine) const;
  TestArray add_array(DType dtype, Lie lie, int64_t rows, int64_t columns, unsigned seed);
  std::vector<TestArray> add_operands(const std::vector<kernel::KernelOperand>& operands, const std::vector<Lie>& lies,
                                      int64_t rows, int64_t columns, unsigned seed);
  std::string first_difference(const std::string& way, const std::vector<Bytes>& expected,
                               const std::vector<Bytes>& actual) const;
  std::string compare_all(const std::vector<Bytes>& expected) const;

  Contraction contraction_;
  std::vector<Bytes> buffers_;
  std::vector<TestArray> a_, b_, epilogue_, outputs_;
};

template <class T>
Bytes bytes_of(T value) {
  Bytes out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

// --- the documented order of the sum, with nothing of the implementation

inline float fused(float sum, float a, float b) { return std::fma(a, b, sum); }
inline double fused(double sum, double a, double b) { return std::fma(a, b, sum); }
inline int32_t fused(int32_t sum, int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
inline int64_t fused(int64_t sum, int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
inline bool fused(bool sum, bool a, bool b) { return sum || (a && b); }
template <class T>
std::complex<T> fused(std::complex<T> sum, std::complex<T> a, std::complex<T> b) {
  T real = std::fma(a.real(), b.real(), sum.real());
  real = std::fma(-a.imag(), b.imag(), real);
  T imag = std::fma(a.real(), b.imag(), sum.imag());
  imag = std::fma(a.imag(), b.real(), imag);
  return {real, imag};
}
inline bool plus(bool a, bool b) { return a || b; }
template <class T>
T plus(T a, T b) {
  return fused(a, T(1), b);
}

/// `a(k)` and `b(k)` are the factors of the k-th product.
template <class T, class A, class B>
T ordered_sum(int64_t count, const A& a, const B& b) {
  T total{};
  for (int64_t first = 0; first < count; first += 256) {
    T sum{};
    for (int64_t k = first; k < std::min(first + 256, count); ++k) sum = fused(sum, T(a(k)), T(b(k)));
    total = first == 0 ? sum : plus(total, sum);
  }
  return total;
}

/// The check of a plain product of arrays of A and B, summed as T, stored as Out.
template <class A, class B, class T, class Out = T>
std::string plain_difference(const Trial& trial, int64_t count_k) {
  return trial.difference([&](size_t, int64_t batch, int64_t m, int64_t n) {
    return bytes_of(static_cast<Out>(ordered_sum<T>(
        count_k, [&](int64_t k) { return trial.a().at<A>(batch, m, k); },
        [&](int64_t k) { return trial.b().at<B>(batch, k, n); })));
  });
}

/// out = a @ b of one array each.
Contraction product_of(DType a, DType b, DType sum, DType out, Sizes sizes);

}  // namespace jitc::contract
