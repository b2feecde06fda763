// A module as the compiler's front half would give it, built by hand: these tests need no parser.
#pragma once

#include <memory>
#include <utility>

#include "src/kernel/builder.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::tests {

struct ScaleOptions {
  DType dtype = DType::f4;
  Layout layout = Layout::any;
  bool contiguous = false;  ///< element addresses from the extents, not from strides
  bool checked = false;     ///< every index that leaves `out` fails
  uint32_t max_threads_per_block = 1024;
};

/// def scale(a, x, out): i = cuda.grid(1); out[i] = a * x[i], guarded by the extent of x.
inline kernel::KernelProgram scale_program(const ScaleOptions& options) {
  kernel::Builder b("scale");
  const DType dtype = options.dtype;
  const uint32_t a = b.scalar_param("a", dtype);
  const uint32_t x = b.array_argument("x", dtype, 1, options.layout);
  const uint32_t out = b.array_argument("out", dtype, 1, options.layout);
  b.program().arguments[x].extent_names = {"n"};
  b.program().arguments[out].extent_names = {options.checked ? "" : "n"};
  b.program().arguments[out].written = true;
  b.program().max_threads_per_block = options.max_threads_per_block;
  const auto elem = [&](uint32_t argument, kernel::ExprId index) {
    const kernel::ExprId base = b.param(b.data_param(argument));
    if (options.contiguous || options.layout != Layout::any) return b.element(base, index);
    return kernel::MemRef{base, {{index, b.param(b.stride_param(argument, 0))}}};
  };
  const kernel::ExprId index = b.thread(kernel::ThreadValue::kGlobalIdx);
  const kernel::ExprId inside = b.compare(kernel::CompareOp::kLt, index, b.param(b.extent_param(x, 0)));
  b.if_then(inside, [&] {
    if (options.checked) {
      const kernel::ExprId extent = b.param(b.extent_param(out, 0));
      const uint32_t site = b.add_fail_site({FailKind::index, "out", 3, 5, 0});
      b.if_then(b.compare(kernel::CompareOp::kGe, index, extent), [&] { b.fail(site, {index, extent}); });
    }
    const kernel::ExprId product = b.binary(kernel::BinaryOp::kMul, b.param(a), b.load(elem(x, index)));
    b.store(elem(out, index), product);
  });
  return b.take();
}

inline pipeline::KernelVariant scale_variant(ScaleOptions options, std::string signature) {
  pipeline::KernelVariant out;
  out.signature = std::move(signature);
  out.strided = scale_program(options);
  options.contiguous = true;
  out.contiguous = scale_program(options);
  return out;
}

/// `scale` for f4 and f8; `scale_c` for C-contiguous f4; `scale_64` with at most 64 threads; `scale_checked`.
inline std::shared_ptr<const pipeline::Module> hand_made_module() {
  auto module = std::make_shared<pipeline::Module>(pipeline::Module{source::SourceFile("hand.dsl", "text"), {}, true});
  const auto add = [&](std::string name, std::vector<pipeline::KernelVariant> variants) {
    for (pipeline::KernelVariant& variant : variants) variant.strided.name = variant.contiguous.name = name;
    module->kernels.push_back(
        {std::move(name), {}, std::move(variants), pipeline::EntryKind::kKernel, {"a", "x", "out"}});
  };
  add("scale",
      {scale_variant({}, "void(f4, f4[n], f4[n])"), scale_variant({.dtype = DType::f8}, "void(f8, f8[n], f8[n])")});
  add("scale_c", {scale_variant({.layout = Layout::c}, "void(f4, f4[::1], f4[::1])")});
  add("scale_64", {scale_variant({.max_threads_per_block = 64}, "void(f4, f4[n], f4[n])")});
  add("scale_checked", {scale_variant({.checked = true}, "void(f4, f4[n], f4[:])")});
  return module;
}

}  // namespace jitc::tests
