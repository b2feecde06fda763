#include "runtime/cpu/blas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <limits>
#include <optional>

namespace jitc::runtime::cpu {

namespace {

// cblas.h
constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112;

/// What only libraries have whose products are fast.
constexpr const char* kMarks[] = {"openblas_get_config", "bli_info_get_version_str", "MKL_Get_Version"};

struct Layout {
  int transposed = kNoTrans;
  int leading = 1;  ///< elements from one line to the next
};

/// A matrix of rows x columns whose columns are neighbours, or whose rows are. An axis with one place has no stride.
std::optional<Layout> layout_of(const MatrixPlace& matrix, int64_t rows, int64_t columns, int64_t elem_bytes) {
  const auto fits = [&](int64_t line_bytes, int64_t next_bytes, int64_t lines, int64_t length) -> std::optional<int> {
    if (length > 1 && next_bytes != elem_bytes) return std::nullopt;
    if (lines <= 1) return static_cast<int>(std::max<int64_t>(length, 1));
    const int64_t leading = line_bytes / elem_bytes;
    if (line_bytes % elem_bytes != 0 || leading < std::max<int64_t>(length, 1)) return std::nullopt;
    if (leading > std::numeric_limits<int>::max()) return std::nullopt;
    return static_cast<int>(leading);
  };
  if (const auto leading = fits(matrix.row_bytes, matrix.column_bytes, rows, columns))
    return Layout{kNoTrans, *leading};
  if (const auto leading = fits(matrix.column_bytes, matrix.row_bytes, columns, rows)) return Layout{kTrans, *leading};
  return std::nullopt;
}

MatrixPlace turned(const MatrixPlace& matrix) {
  return {matrix.data, matrix.batch_bytes, matrix.column_bytes, matrix.row_bytes};
}

/// outT = bT aT.
MatrixProduct turned(const MatrixProduct& p) {
  return {p.dtype, p.batch, p.n, p.m, p.k, turned(p.b), turned(p.a), turned(p.out)};
}

bool is_int(int64_t extent) { return extent >= 0 && extent <= std::numeric_limits<int>::max(); }

void* at(const MatrixPlace& matrix, int64_t batch) {
  return static_cast<std::byte*>(matrix.data) + batch * matrix.batch_bytes;
}

template <class Function, class Scalar>
void multiply(Function gemm, const MatrixProduct& p, const Layout& a, const Layout& b, const Layout& out, Scalar one,
              Scalar zero) {
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    gemm(kRowMajor, a.transposed, b.transposed, static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k),
         one, at(p.a, batch), a.leading, at(p.b, batch), b.leading, zero, at(p.out, batch), out.leading);
  }
}

bool has_mark(void* library) {
  return std::ranges::any_of(kMarks, [&](const char* mark) { return dlsym(library, mark) != nullptr; });
}

bool is_fast(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  const bool fast = has_mark(library);
  dlclose(library);
  return fast;
}

std::shared_ptr<const Blas> find() {
  if (const char* chosen = std::getenv("JITC_BLAS")) return *chosen == '\0' ? nullptr : Blas::load(chosen);
  for (const char* path : {"libopenblas.so.0", "libblas.so.3"}) {
    if (!is_fast(path)) continue;
    if (auto found = Blas::load(path)) return found;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const Blas> Blas::load(const std::string& path, std::string* why) {
  const auto refuse = [&](const std::string& text) {
    if (why != nullptr) *why = text;
    return nullptr;
  };
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return refuse("the BLAS library '" + path + "' does not load: " + dlerror());
  const std::shared_ptr<Blas> made(new Blas(path));
#define JITC_BLAS_FUNCTION(member, symbol, scalar)                           \
  made->member##_ = reinterpret_cast<Gemm<scalar>>(dlsym(library, #symbol)); \
  if (made->member##_ == nullptr) return refuse("the BLAS library '" + path + "' has no " #symbol);
#include "runtime/cpu/blas_functions.def"
#undef JITC_BLAS_FUNCTION
  return made;
}

const Blas* Blas::of_process() {
  static const std::shared_ptr<const Blas> found = find();
  return found.get();
}

namespace {

/// How BLAS sees a product; nothing where it cannot.
struct Seen {
  MatrixProduct product;  ///< whose output has its columns as neighbours
  Layout a, b, out;
};

std::optional<Seen> see(const MatrixProduct& p) {
  if (!libraries_multiply(p.dtype) || p.k == 0 || !is_int(p.m) || !is_int(p.n) || !is_int(p.k)) return std::nullopt;
  const auto size = static_cast<int64_t>(size_bytes(p.dtype));
  const auto out = layout_of(p.out, p.m, p.n, size);
  if (!out) return std::nullopt;
  if (out->transposed == kTrans) return see(turned(p));
  const auto a = layout_of(p.a, p.m, p.k, size), b = layout_of(p.b, p.k, p.n, size);
  if (!a || !b) return std::nullopt;
  return Seen{p, *a, *b, *out};
}

}  // namespace

bool Blas::takes(const MatrixProduct& product) { return see(product).has_value(); }

bool Blas::product(const MatrixProduct& product) const {
  const auto seen = see(product);
  if (!seen) return false;
  const auto& [p, a, b, out] = *seen;
  static const std::complex<float> kOne8 = 1, kZero8 = 0;
  static const std::complex<double> kOne16 = 1, kZero16 = 0;
  switch (p.dtype) {
    case DType::f4: multiply(sgemm_, p, a, b, out, 1.0F, 0.0F); break;
    case DType::f8: multiply(dgemm_, p, a, b, out, 1.0, 0.0); break;
    case DType::c8: multiply<Gemm<const void*>, const void*>(cgemm_, p, a, b, out, &kOne8, &kZero8); break;
    default: multiply<Gemm<const void*>, const void*>(zgemm_, p, a, b, out, &kOne16, &kZero16);
  }
  return true;
}

}  // namespace jitc::runtime::cpu
