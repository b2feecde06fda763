#include "tests/accuracy/product_function.hpp"

#include <fmt/format.h>

namespace jitc::accuracy {

namespace {

constexpr int64_t kBlock = 256;

PreparedLaunch prepare(std::string_view name, int arity, const Array& x, const Array& y, const Array& out) {
  const bool two = arity == 2;
  const Program program = compile(fmt::format(
      "from numba import cuda\nimport math\nimport numpy as np\n\n@cuda.jit('void({0}[::1], {0}[::1], {0}[::1])')\n"
      "def k(x, y, out):\n    i = cuda.grid(1)\n    if i < x.size:\n        out[i] = {1}(x[i]{2})\n",
      jitc::name(x.dtype()), text_name(name), two ? ", y[i]" : ""));
  const LaunchConfig config{.grid = {static_cast<uint32_t>((x.size() + kBlock - 1) / kBlock)}, .block = {kBlock}};
  return program["k"].prepare(config, x, y, out);
}

}  // namespace

ProductFunction::ProductFunction(std::string_view name, int arity, DType dtype, int64_t count)
    : x_(Device::open("cpu").empty({count}, dtype)),
      y_(Device::open("cpu").empty({count}, dtype)),
      out_(Device::open("cpu").empty({count}, dtype)),
      launch_(prepare(name, arity, x_, y_, out_)) {}

std::string text_name(std::string_view name) { return fmt::format("{}.{}", name == "logaddexp" ? "np" : "math", name); }

}  // namespace jitc::accuracy
