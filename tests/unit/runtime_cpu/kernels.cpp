// Machine code as the compiler makes it, written by hand: compiled by clang to an object, never linked into the test.
#include <xmmintrin.h>

#include "jitc/cpu_abi.hpp"

namespace {

template <class T>
T param(const std::byte* params, size_t offset) {
  T value;
  __builtin_memcpy(&value, params + offset, sizeof value);
  return value;
}

const double kTable[4] = {1.5, 2.5, 3.5, 4.5};

}  // namespace

extern "C" {

/// (f4 a, i8 n, f4* x, f4* out): out[i] += a * x[i], one element per thread along x.
void axpy(const std::byte* params, const jitc::CpuLaunch* launch, uint64_t begin, uint64_t end) {
  const auto a = param<float>(params, 0);
  const auto n = param<uint64_t>(params, 8);
  const auto* x = param<const float*>(params, 16);
  auto* out = param<float*>(params, 24);
  for (uint64_t i = begin * launch->block[0]; i < end * launch->block[0]; ++i) {
    if (i < n) out[i] += a * x[i];
  }
}

/// (u4* counts): counts[block] += 1.
void count_blocks(const std::byte* params, const jitc::CpuLaunch*, uint64_t begin, uint64_t end) {
  auto* counts = param<uint32_t*>(params, 0);
  for (uint64_t i = begin; i < end; ++i) __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
}

/// The same, and writes all over its scratch memory of 4096 bytes first.
void count_blocks_in_scratch(const std::byte* params, const jitc::CpuLaunch*, uint64_t begin, uint64_t end,
                             std::byte* scratch) {
  auto* counts = param<uint32_t*>(params, 0);
  for (uint64_t i = begin; i < end; ++i) {
    for (int at = 0; at < 4096; ++at) static_cast<volatile std::byte*>(scratch)[at] = static_cast<std::byte>(i);
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_RELAXED);
  }
}

/// (u4* modes): modes[block] = the floating-point mode, with FTZ's effect beside it.
void record_mode(const std::byte* params, const jitc::CpuLaunch*, uint64_t begin, uint64_t end) {
  auto* modes = param<uint32_t*>(params, 0);
  for (uint64_t i = begin; i < end; ++i) modes[i] = _mm_getcsr();
}

/// (f8* out): out[i] = fma of a table entry; needs constants, fma and memset from outside.
void use_runtime(const std::byte* params, const jitc::CpuLaunch*, uint64_t begin, uint64_t end) {
  auto* out = param<double*>(params, 0);
  for (uint64_t i = begin; i < end; ++i) {
    unsigned char scratch[4096];
    unsigned char* volatile escaped = scratch;
    __builtin_memset(escaped, static_cast<int>(i), sizeof scratch);
    out[i] = __builtin_fma(kTable[i % 4], 2.0, escaped[17]);
  }
}

/// Fails at site 0 in block 5, thread (3,0,0), with index 12 of extent 10; other blocks claim nothing.
void fail_in_block_5(const std::byte*, const jitc::CpuLaunch* launch, uint64_t begin, uint64_t end) {
  if (begin > 5 || end <= 5) return;
  uint32_t none = 0;
  jitc::FailRecord* fail = launch->fail;
  if (!__atomic_compare_exchange_n(&fail->state, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  fail->site = 0;
  fail->values[0] = 12;
  fail->values[1] = 10;
  fail->thread[0] = 3;
  fail->block[0] = 5;
  __atomic_store_n(&fail->state, 2, __ATOMIC_RELEASE);
}

/// (u8* out): whether the launch has a fail record.
void has_record(const std::byte* params, const jitc::CpuLaunch* launch, uint64_t, uint64_t) {
  *param<uint64_t*>(params, 0) = launch->fail != nullptr;
}
}
