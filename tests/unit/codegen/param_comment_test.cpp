// The comment above an entry, which other programs read.
#include <catch2/catch.hpp>

#include "src/codegen/codegen.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

/// The lines right above the entry.
std::string comment_of(const KernelProgram& program) {
  const std::string ptx = codegen::emit(program, {codegen::Target::Kind::nvptx, 80}).code;
  const size_t entry = ptx.find(".visible .entry");
  const size_t begin = ptx.rfind("\n\n", entry) + 2;
  return ptx.substr(begin, entry - begin);
}

}  // namespace

TEST_CASE("the comment above an entry says which parameter is what") {
  CHECK(comment_of(pairwise()) ==
        "// pairwise(X: f8[:,:], D: f8[:,:])\n"
        "//   param 0: X.data\n"
        "//   param 1: X.shape[0]\n"
        "//   param 2: X.shape[1]\n"
        "//   param 3: X.strides[0]\n"
        "//   param 4: X.strides[1]\n"
        "//   param 5: D.data\n"
        "//   param 6: D.strides[0]\n"
        "//   param 7: D.strides[1]\n");
}

TEST_CASE("the comment above an entry shows scalars, contiguous arrays and the names of extents") {
  Builder k("k");
  const uint32_t n = k.scalar_param("n", DType::i4);
  const uint32_t c = k.array_argument("c", DType::f4, 2, Layout::c);
  const uint32_t f = k.array_argument("f", DType::u2, 3, Layout::fortran);
  const uint32_t out = k.data_param(c);
  k.data_param(f);
  k.store(k.element(k.param(out), k.constant(DType::i8, 0)), k.convert(DType::f4, k.param(n)));
  KernelProgram program = k.take();
  program.arguments[1].extent_names = {"rows", ""};
  CHECK(comment_of(program) ==
        "// k(n: i4, c: f4[rows,::1], f: u2[::1,:,:])\n"
        "//   param 0: n\n"
        "//   param 1: c.data\n"
        "//   param 2: f.data\n");
}

TEST_CASE("parameters that lie in memory are named by their bytes") {
  Builder k("many");
  for (int i = 0; i < 600; ++i) k.scalar_param("s" + std::to_string(i), i == 0 ? DType::i1 : DType::i8);
  const uint32_t out = k.data_param(k.array_argument("out", DType::i8, 1));
  k.store(k.element(k.param(out), k.constant(DType::i8, 0)), k.param(599));
  const std::string comment = comment_of(k.take());
  CHECK(comment.find("\n//   param 0: the address of these\n//   byte 0: s0\n//   byte 8: s1\n") != std::string::npos);
  CHECK(comment.ends_with("//   byte 4792: s599\n//   byte 4800: out.data\n"));
}
