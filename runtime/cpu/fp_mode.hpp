// The floating-point mode that kernels run in: round to nearest even, subnormals kept, no traps.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#error "jitc's CPU backend knows the floating-point control registers of x86-64 and AArch64 only"
#endif

namespace jitc::runtime::cpu {

#if defined(__x86_64__)
// MXCSR (Intel SDM vol. 1, 10.2.3): all exceptions masked, RC = nearest, FTZ = DAZ = 0, no flag set.
inline constexpr uint64_t kKernelFpMode = 0x1F80;
inline uint64_t read_fp_mode() { return _mm_getcsr(); }
inline void write_fp_mode(uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
#else
// FPCR (Arm ARM, D19.2.48): no trap, RMode = nearest, FZ = 0, DN = 0.
inline constexpr uint64_t kKernelFpMode = 0;
inline uint64_t read_fp_mode() {
  uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
inline void write_fp_mode(uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#endif

/// Sets the kernels' mode for its lifetime, then restores the thread's own (on x86-64 its sticky flags as well).
class KernelFpMode {
 public:
  KernelFpMode() : saved_(read_fp_mode()) { write_fp_mode(kKernelFpMode); }
  ~KernelFpMode() { write_fp_mode(saved_); }
  KernelFpMode(const KernelFpMode&) = delete;
  KernelFpMode& operator=(const KernelFpMode&) = delete;

 private:
  uint64_t saved_;
};

}  // namespace jitc::runtime::cpu
