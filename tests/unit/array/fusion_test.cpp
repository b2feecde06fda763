#include <algorithm>
#include <set>

#include "src/array/print.hpp"
#include "tests/unit/array/plans.hpp"

using namespace jitc;

TEST_CASE("a chain of operations of each element is one kernel that reads and writes once") {
  const CheckedText text =
      check_array_function("f4[:](f4[:], f4[:])", "a, b", "c = a + b\nd = c * 2\nreturn np.exp(d) - a");
  CHECK(count_kernels(text.plan()) == KernelCounts{1, 0, 0});
  const auto& map = std::get<array::MapKernel>(text.plan().kernels.at(0).kind);
  CHECK(map.operands.size() == 2);
  CHECK(map.results.size() == 1);
}

TEST_CASE("several results of one shape over the same arrays are one kernel") {
  CHECK(kernels_of("(f4[:], f4[:])(f4[:], f4[:])", "a, b", "return a + b, a - b") == KernelCounts{1, 0, 0});
}

TEST_CASE("results that read nothing in common are kernels of their own") {
  CHECK(kernels_of("(f4[:], f4[:])(f4[:], f4[:])", "a, b", "return a + 1, b - 1") == KernelCounts{2, 0, 0});
}

TEST_CASE("a costly operation that several kernels take is computed once") {
  const CheckedText text =
      check_array_function("(f4[:], f4[:,:])(f4[:], f4[:,:])", "a, b", "e = np.exp(a)\nreturn e + 1, e * b");
  CHECK(count_kernels(text.plan()) == KernelCounts{2, 0, 0});
  CHECK(std::get<array::MapKernel>(text.plan().kernels.at(0).kind).results.size() == 2);
}

TEST_CASE("a cheap operation is computed where it is taken") {
  const CheckedText text =
      check_array_function("(f4[:], f4[:,:])(f4[:], f4[:,:])", "a, b", "e = a + 1\nreturn e * 2, e * b");
  CHECK(count_kernels(text.plan()) == KernelCounts{2, 0, 0});
  CHECK(std::get<array::MapKernel>(text.plan().kernels.at(0).kind).results.size() == 1);
}

TEST_CASE("chains of shared operations do not grow exponentially") {
  std::string body = "x = a\n";
  for (int k = 0; k < 40; ++k) body += "x = x * x + x\n";
  const CheckedText text = check_array_function("f4[:](f4[:])", "a", body + "return x");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{1, 0, 0});
  CHECK(std::get<array::MapKernel>(text.plan().kernels.at(0).kind).function->exprs.size() < 1000);
}

TEST_CASE("views of what is computed become views of what it is computed of") {
  CHECK(kernels_of("f4[:,:](f4[:,:])", "a", "return ((a + 1) * 2).T[::2, 1:] - 3") == KernelCounts{1, 0, 0});
  CHECK(kernels_of("f4[:,:](f4[:], f4[:])", "a, b", "return np.flip(a * 2)[:, None] + (b - 1)[None, :]") ==
        KernelCounts{1, 0, 0});
}

TEST_CASE("parts of complex arrays fuse, unless someone stores to the memory") {
  CHECK(kernels_of("f4[:](c8[:])", "z", "return z.real * z.imag + (z * z).imag") == KernelCounts{1, 0, 0});
  const CheckedText text = check_array_function("f4[:](c8[:])", "z", "y = z.imag\nz[0] = 0\nreturn y + 1");
  CHECK(count_kernels(text.plan()) == KernelCounts{2, 0, 0});
  const array::Program& program = text.plan().program;
  CHECK(std::any_of(program.nodes.begin(), program.nodes.end(),
                    [](const array::Node& n) { return std::holds_alternative<array::Part>(n.kind); }));
}

TEST_CASE("what comes before and after a reduction is in its kernel") {
  CHECK(kernels_of("f4[:](f4[:,:], f4[:,:])", "a, b", "return np.sqrt(np.sum((a - b) ** 2, axis=1)) * 2") ==
        KernelCounts{0, 1, 0});
}

TEST_CASE("softmax, layer norm and standardised columns are one kernel each") {
  CHECK(kernels_of("f4[:,:](f4[:,:])", "x",
                   "e = np.exp(x - x.max(axis=-1, keepdims=True))\nreturn e / e.sum(axis=-1, keepdims=True)") ==
        KernelCounts{0, 1, 0});
  CHECK(kernels_of("f4[:,:](f4[:,:], f4[:], f4[:])", "x, g, b",
                   "m = x.mean(axis=-1, keepdims=True)\nv = x.var(axis=-1, keepdims=True)\n"
                   "return (x - m) / np.sqrt(v + 1e-5) * g + b") == KernelCounts{0, 1, 0});
  CHECK(kernels_of("f8[:,:](f8[:,:])", "x", "return (x - x.mean(axis=0)) / x.std(axis=0)") == KernelCounts{0, 1, 0});
}

TEST_CASE("several reductions over one input are one kernel with one walk") {
  const CheckedText text = check_array_function("(f4[:], f4[:], i8[:])(f4[:,:])", "x",
                                                "return x.sum(axis=1), x.max(axis=1), x.argmax(axis=1)");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{0, 1, 0});
  for (const array::Kernel& k : text.plan().kernels) {
    if (!k.is_step) CHECK(std::get<array::RowsKernel>(k.kind).rows.stages.size() == 1);
  }
}

TEST_CASE("a row's value that is taken along another axis is no part of the row's kernel") {
  // s[j], not s[i]: x is square, so the shapes alone would not tell.
  CHECK(kernels_of("f4[n,n](f4[n,n])", "x", "s = x.sum(axis=1)\nreturn x / s") == KernelCounts{1, 1, 0});
  CHECK(kernels_of("f4[n,n](f4[n,n])", "x", "s = x.sum(axis=1)\nreturn x / s[:, None]") == KernelCounts{0, 1, 0});
}

TEST_CASE("a product of matrices is a contraction, one with a vector a reduction") {
  CHECK(kernels_of("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return a @ b") == KernelCounts{0, 0, 1});
  CHECK(kernels_of("f4[:](f4[:,:], f4[:])", "a, b", "return a @ b") == KernelCounts{0, 1, 0});
  CHECK(kernels_of("f4[:,:,:](f4[:,:,:], f4[:,:,:])", "a, b", "return np.einsum('bij,bjk->bik', a, b)") ==
        KernelCounts{0, 0, 1});
}

TEST_CASE("nothing moves over a store") {
  const CheckedText text = check_array_function("f4[:](f4[:])", "x", "y = x + 1\nx[:] = 0\nreturn y");
  const auto& steps = text.plan().steps;
  std::vector<uint32_t> launches;
  for (const array::Step& s : steps) {
    if (const auto* launch = std::get_if<array::LaunchStep>(&s.kind)) launches.push_back(launch->kernel);
  }
  REQUIRE(launches.size() == 2);
  CHECK_FALSE(std::get<array::MapKernel>(text.plan().kernels.at(launches[0]).kind).results[0].target.valid());
  CHECK(std::get<array::MapKernel>(text.plan().kernels.at(launches[1]).kind).results[0].target.valid());
}

TEST_CASE("filled arrays and ranges take no memory where they are only read") {
  const CheckedText text =
      check_array_function("f4[:](f4[:])", "x", "return x * np.arange(x.size) + np.ones(x.size, np.float32)");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{1, 0, 0});
  for (const array::Step& s : text.plan().steps) CHECK_FALSE(std::holds_alternative<array::AllocStep>(s.kind));
}

TEST_CASE("arrays are freed behind the last step that takes them") {
  const CheckedText text =
      check_array_function("f4[:](f4[:,:], f4[:,:])", "a, b", "c = a @ b\nd = c @ b\nreturn d.sum(axis=0)");
  size_t freed = 0;
  for (const array::Step& s : text.plan().steps) {
    if (const auto* free = std::get_if<array::FreeStep>(&s.kind)) freed += free->nodes.size();
  }
  CHECK(freed >= 2);
}

TEST_CASE("what becomes of a product's elements is computed by its kernel") {
  const CheckedText text = check_array_function("f4[:,:](f4[:,k], f4[k,n], f4[n])", "x, w, b",
                                                "h = x @ w + b\nreturn np.maximum(h, 0) * 2 + h");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{0, 0, 1});
  const auto& product = std::get<array::ContractLaunch>(text.plan().kernels.at(0).kind);
  CHECK(product.epilogue_operands.size() == 1);
  CHECK(product.results.size() == 1);
  CHECK(product.in_steps.empty());
}

TEST_CASE("several maps of a product, and the product itself, are results of one kernel") {
  const CheckedText text = check_array_function("(f4[:,:], f4[:,:], f4[:,:])(f4[:,:], f4[:,:])", "a, b",
                                                "c = a @ b\nreturn np.exp(c), c, c * 2");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{0, 0, 1});
  CHECK(std::get<array::ContractLaunch>(text.plan().kernels.at(0).kind).results.size() == 3);
}

TEST_CASE("a product's sums that a costly chain and another kernel take are stored") {
  CHECK(kernels_of("f4[:,:](f4[:,:], f4[:,:])", "a, b", "c = a @ b\nreturn np.exp(c - c.max(axis=1, keepdims=True))") ==
        KernelCounts{0, 1, 1});
}

TEST_CASE("scaled scores, softmax and a second product are three kernels") {
  CHECK(kernels_of("f4[:,:,:](f4[:,:,:], f4[:,:,:], f4[:,:,:])", "q, k, v",
                   "s = np.einsum('bqd,bkd->bqk', q, k) * 0.125\ne = np.exp(s - s.max(axis=-1, keepdims=True))\n"
                   "return np.einsum('bqk,bkd->bqd', e / e.sum(axis=-1, keepdims=True), v)") == KernelCounts{0, 1, 2});
}

TEST_CASE("what is computed of each element of a factor is computed where the product reads it, if it is cheap") {
  const CheckedText text =
      check_array_function("f8[:,:](f8[:,:])", "x", "c = x - x.mean(axis=0)\nreturn c.T @ c / (x.shape[0] - 1)");
  REQUIRE(count_kernels(text.plan()) == KernelCounts{0, 1, 1});
  CHECK(kernels_of("f4[:,:](f4[:,:], f4[:,:])", "a, b", "return np.exp(a) @ b") == KernelCounts{1, 0, 1});
  CHECK(kernels_of("f2[:,:](f2[:,:], f2[:,:])", "a, b", "return a @ b") == KernelCounts{0, 0, 1});
}

TEST_CASE("maps of one product that take another one are results of one of the two") {
  CHECK(kernels_of("f4[n,m](f4[n,k], f4[k,m], f4[n,k], f4[k,m])", "a, b, c, d", "return a @ b + c @ d") ==
        KernelCounts{0, 0, 2});
}

TEST_CASE("kernels never wait for one another") {
  // b reads the reversed a, so that it is no part of a's kernel; c would make a's kernel wait for b's.
  const CheckedText text =
      check_array_function("(f4[n], f4[n], f4[n], f4[n])(f4[n], f4[n])", "x, y",
                           "a = np.exp(x)\nb = np.exp(y)\nc = x + b\nd = y + a[::-1]\nreturn a, b, c, d");
  std::set<uint32_t> made;
  for (const array::Step& s : text.plan().steps) {
    if (const auto* eval = std::get_if<array::EvalStep>(&s.kind)) made.insert(eval->node.index);
    const auto* launch = std::get_if<array::LaunchStep>(&s.kind);
    if (launch == nullptr) continue;
    const auto& map = std::get<array::MapKernel>(text.plan().kernels.at(launch->kernel).kind);
    for (const array::NodeId o : map.operands) CHECK(made.contains(o.index));
    for (const array::Result& r : map.results) made.insert(r.value.index);
  }
}

TEST_CASE("maps read arrays side by side where they are") {
  CHECK(kernels_of("f4[:,:](f4[:,:])", "a", "return np.roll(a, (1, -1), axis=(0, 1)) + np.roll(a, 1, 0) - a") ==
        KernelCounts{1, 0, 0});
  CHECK(kernels_of("f4[:](f4[:])", "a", "return np.roll(np.sqrt(a) * 2, 1) + a") == KernelCounts{1, 0, 0});
  CHECK(kernels_of("f4[:](f4[:], f4[:])", "a, b", "return np.roll(a * b, 1) + a") == KernelCounts{1, 0, 0});
  CHECK(kernels_of("f4[:](f4[:])", "a",
                   "z = np.zeros(1, np.float32)\np = np.concatenate([z, a, z])\nreturn p[2:] - p[:-2]") ==
        KernelCounts{1, 0, 0});
}

TEST_CASE("what is fused is explained for many arrays side by side, one made of the other") {
  std::string body = "r = a\n";
  for (int k = 0; k < 60; ++k) body += "r = np.roll(r, 1)\n";
  const CheckedText text = check_array_function("f4[:](f4[:])", "a", body + "return r + 1");
  CHECK(count_kernels(text.plan()) == KernelCounts{1, 0, 0});
  CHECK(array::print_program(text.module->file, text.plan()).find("not fused") == std::string::npos);
}

TEST_CASE("arrays side by side lie in memory where a whole is wanted") {
  CHECK(kernels_of("f4[:](f4[:], f4[:])", "a, b", "return np.concatenate([a, b])") == KernelCounts{2, 0, 0});
  CHECK(kernels_of("f4[:](f4[:], f4[:])", "a, b", "return np.concatenate([np.exp(a), b]) + 1") ==
        KernelCounts{3, 0, 0});
  CHECK(kernels_of("f4(f4[:], f4[:])", "a, b", "return np.concatenate([a, b]).sum()") == KernelCounts{2, 1, 0});
  CHECK(kernels_of("f4[:](f4[:])", "a", "r = np.roll(a, 1)\na[0] = 0\nreturn r + 1") == KernelCounts{4, 0, 0});
}
