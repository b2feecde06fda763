#include "tests/accuracy/product_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace jitc::accuracy {

namespace {

constexpr int64_t kBlock = 256;

PreparedLaunch prepare(std::string_view name, int arity, const Array& x, const Array& y, const Array& out) {
  const bool two = arity == 2;
  const Program program = compile(
      fmt::format("from numba import cuda\nfrom numba.cuda import libdevice\nimport math\nimport numpy as "
                  "np\n\n@cuda.jit('void({0}[::1], {0}[::1], {0}[::1])')\n"
                  "def k(x, y, out):\n    i = cuda.grid(1)\n    if i < x.size:\n        out[i] = {1}(x[i]{2})\n",
                  jitc::name(x.dtype()), text_name(name, x.dtype()), two ? ", y[i]" : ""));
  const LaunchConfig config{.grid = {static_cast<uint32_t>((x.size() + kBlock - 1) / kBlock)}, .block = {kBlock}};
  return program["k"].prepare(config, x, y, out);
}

}  // namespace

ProductFunction::ProductFunction(std::string_view name, int arity, DType dtype, int64_t count)
    : x_(Device::open("cpu").empty({count}, dtype)),
      y_(Device::open("cpu").empty({count}, dtype)),
      out_(Device::open("cpu").empty({count}, dtype)),
      launch_(prepare(name, arity, x_, y_, out_)) {}

bool is_of_libdevice(std::string_view name) {
  constexpr std::string_view kOfTheLanguage[] = {
#define JITC_BUILTIN(modules, name, rule, detail) name,
#include "src/sema/builtins.def"
#undef JITC_BUILTIN
  };
  return std::find(std::begin(kOfTheLanguage), std::end(kOfTheLanguage), name) == std::end(kOfTheLanguage);
}

std::string text_name(std::string_view name, DType dtype) {
  if (is_of_libdevice(name)) return fmt::format("libdevice.{}{}", name, dtype == DType::f4 ? "f" : "");
  return fmt::format("{}.{}", name == "logaddexp" ? "np" : "math", name);
}

}  // namespace jitc::accuracy
