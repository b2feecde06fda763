// Kernels for the emulator, written by hand.
#pragma once

#include <string>

namespace jitc::tests {

inline constexpr const char* kPtxHead = ".version 7.0\n.target sm_70\n.address_size 64\n";

/// A kernel `name` with parameters and a body; %i is the thread's index in the grid.
inline std::string kernel_text(const std::string& name, const std::string& params, const std::string& body) {
  return ".visible .entry " + name + "(" + params + ")\n{\n" +
         ".reg .pred %p<4>;\n.reg .f32 %f<8>;\n.reg .b32 %r<16>;\n.reg .b32 %i;\n.reg .b64 %rd<16>;\n" +
         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %i, %r1, %r2, %r3;\n" + body +
         "\nDONE:\nret;\n}\n";
}

/// axpy(a: f4 at 0, x: f4* at 8, y: f4* at 16, n: u4 at 24): y becomes a * x + y.
inline std::string axpy_text() {
  return kPtxHead + kernel_text("axpy", ".param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n", R"(
ld.param.u32 %r4, [n];
setp.ge.u32 %p1, %i, %r4;
@%p1 bra DONE;
ld.param.f32 %f1, [a];
ld.param.u64 %rd1, [x];
ld.param.u64 %rd2, [y];
mul.wide.u32 %rd3, %i, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.f32 %f2, [%rd4];
ld.global.f32 %f3, [%rd5];
fma.rn.f32 %f4, %f1, %f2, %f3;
st.global.f32 [%rd5], %f4;)");
}

/// store(to: u64): thread i writes i + 1 to to[i], 4 bytes each.
inline std::string store_text() {
  return kPtxHead + kernel_text("store", ".param .u64 to", R"(
ld.param.u64 %rd1, [to];
mul.wide.u32 %rd2, %i, 4;
add.s64 %rd3, %rd1, %rd2;
add.s32 %r4, %i, 1;
st.global.u32 [%rd3], %r4;)");
}

}  // namespace jitc::tests
