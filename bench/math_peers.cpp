#include "bench/math_peers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "bench/vector_loops.hpp"

namespace jitc::bench {
namespace {

enum class Width { kNone, kAvx2, kAvx512 };

Width best_width() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return Width::kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Width::kAvx2;
#endif
  return Width::kNone;
}

void* library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
void* libm() {
  static void* const kHandle = library("libm.so.6");
  return kHandle;
}
void* libmvec() {
  static void* const kHandle = library("libmvec.so.1");
  return kHandle;
}
void* sleef() {
  static void* const kHandle = library("libsleef.so.3");
  return kHandle;
}

VectorSymbol find(void* handle, const std::string& name) {
  return handle == nullptr ? nullptr : reinterpret_cast<VectorSymbol>(dlsym(handle, name.c_str()));
}

/// The vector function ABI's name of a function of `lanes` elements: _ZGVeN16v_sinf.
std::string libmvec_name(const std::string& c_name, int arity, bool is_f4, bool is_512) {
  const int lanes = (is_512 ? 64 : 32) / (is_f4 ? 4 : 8);
  return fmt::format("_ZGV{}N{}{}_{}{}", is_512 ? 'e' : 'd', lanes, arity == 2 ? "vv" : "v", c_name, is_f4 ? "f" : "");
}

/// Those within 1 ulp (sinf16_u10avx512f) or, where that is how it is called, 1.5 (erfcf16_u15…).
VectorSymbol find_sleef(const std::string& c_name, bool is_f4, bool is_512, std::string& accuracy) {
  const int lanes = (is_512 ? 64 : 32) / (is_f4 ? 4 : 8);
  for (const char* class_name : {"u10", "u15", "u05"}) {
    const std::string name =
        fmt::format("Sleef_{}{}{}_{}{}", c_name, is_f4 ? "f" : "d", lanes, class_name, is_512 ? "avx512f" : "avx2");
    accuracy = class_name;
    if (const VectorSymbol symbol = find(sleef(), name)) return symbol;
  }
  return nullptr;
}

template <class T>
void one_by_one(VectorSymbol symbol, int arity, const T* x, const T* y, T* out, size_t count) {
  const auto unary = reinterpret_cast<T (*)(T)>(symbol);
  const auto binary = reinterpret_cast<T (*)(T, T)>(symbol);
  for (size_t i = 0; i < count; ++i) out[i] = arity == 1 ? unary(x[i]) : binary(x[i], y[i]);
}

template <class T>
using Loop = void (*)(VectorSymbol, int, const T*, const T*, T*, size_t);

template <class T>
MathPeer peer(std::string name, bool is_accurate, Loop<T> loop, VectorSymbol symbol, int arity) {
  return {std::move(name), is_accurate, [=](const void* x, const void* y, void* out, size_t count) {
            loop(symbol, arity, static_cast<const T*>(x), static_cast<const T*>(y), static_cast<T*>(out), count);
          }};
}

template <class T>
std::vector<MathPeer> peers_of(const std::string& c_name, int arity) {
  constexpr bool kIsF4 = sizeof(T) == 4;
  std::vector<MathPeer> peers;
  if (const VectorSymbol symbol = find(libm(), c_name + (kIsF4 ? "f" : ""))) {
    peers.push_back(peer<T>("libm", true, one_by_one<T>, symbol, arity));
  }
  const Width width = best_width();
  if (width == Width::kNone) return peers;
  const bool is_512 = width == Width::kAvx512;
  const Loop<T> loop = is_512 ? static_cast<Loop<T>>(vector_loop_avx512) : static_cast<Loop<T>>(vector_loop_avx2);
  if (const VectorSymbol symbol = find(libmvec(), libmvec_name(c_name, arity, kIsF4, is_512))) {
    peers.push_back(peer<T>("libmvec (4 ulp)", false, loop, symbol, arity));
  }
  std::string accuracy;
  if (const VectorSymbol symbol = find_sleef(c_name, kIsF4, is_512, accuracy)) {
    peers.push_back(peer<T>("SLEEF " + accuracy, true, loop, symbol, arity));
  }
  return peers;
}

}  // namespace

std::vector<MathPeer> math_peers(const std::string& c_name, int arity, bool is_f4) {
  return is_f4 ? peers_of<float>(c_name, arity) : peers_of<double>(c_name, arity);
}

std::vector<std::string> missing_math_peers() {
  std::vector<std::string> lines;
  if (best_width() == Width::kNone) lines.emplace_back("no AVX2 here: without libmvec and SLEEF");
  if (libmvec() == nullptr) lines.emplace_back("no libmvec.so.1 here");
  if (sleef() == nullptr) lines.emplace_back("no libsleef.so.3 here (Debian: libsleef3)");
  return lines;
}

}  // namespace jitc::bench
