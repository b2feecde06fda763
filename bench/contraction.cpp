// Products of matrices by our own kernel on the CPU against cblas_?gemm of a library that is named, in turns.
// contraction LIBOPENBLAS.so [THREADS [EXTENT [FILE.json]]]
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>

#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "runtime/common/contract_plan.hpp"
#include "runtime/common/params.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "src/codegen/codegen.hpp"
#include "src/kernel/lower.hpp"
#include "src/types/type.hpp"

namespace jitc::bench {
namespace {

template <class T>
using Gemm = void (*)(int, int, int, int, int, int, T, const T*, int, const T*, int, T, T*, int);

/// The peer.
class Blas {
 public:
  Blas(const char* path, int threads) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    if (const auto set = function<void (*)(int)>("openblas_set_num_threads")) set(threads);
  }
  template <class F>
  F function(const char* name) const {
    return reinterpret_cast<F>(dlsym(library_, name));
  }

 private:
  void* library_;
};

enum class Order : uint8_t { plain, b_transposed, a_transposed };

template <class T>
Row product(const Blas& blas, const char* name, unsigned threads, int64_t extent, Order order) {
  const DType dtype = dtype_of<T>();
  kernel::ContractKernel kernel;
  kernel.name = "product";
  kernel.dtype = dtype;
  kernel.a.operands = {{"a", dtype}};
  kernel.b.operands = {{"b", dtype}};
  kernel.outputs = {dtype};
  const int64_t size = sizeof(T), row = extent * size;
  const std::vector<int64_t> plain{row, size}, turned{size, row};
  const auto& a_strides = order == Order::a_transposed ? turned : plain;
  const auto& b_strides = order == Order::b_transposed ? turned : plain;
  const runtime::ContractPlan plan = runtime::plan_contraction({{}, {extent}, {extent}, {extent}},
                                                               {{runtime::ContractRole::a, a_strides, sizeof(T)},
                                                                {runtime::ContractRole::b, b_strides, sizeof(T)},
                                                                {runtime::ContractRole::output, plain, sizeof(T)}});
  const auto tiles = runtime::cut_contraction(plan, {sizeof(T), false}, {true, threads, 32});
  const auto neighbours = [&](Order turned_by) {
    return order == turned_by ? kernel::Neighbours::first : kernel::Neighbours::second;
  };
  const kernel::ContractForm form{
      .a = {neighbours(Order::a_transposed)},
      .b = {neighbours(Order::b_transposed)},
      .outputs = {kernel::Walk::next},
      .tile = {tiles->block_m, tiles->block_n, tiles->block_k, tiles->thread_m, tiles->thread_n}};
  const source::SourceFile file("none", "");
  const Artifact artifact = codegen::emit(kernel::lower_contract(file, types::TypeTable(), kernel, form, {}), {});
  if (const char* path = std::getenv("JITC_BENCH_OBJECT")) {
    std::FILE* out = std::fopen(path, "wb");
    std::fwrite(artifact.code.data(), 1, artifact.code.size(), out);
    std::fclose(out);
  }

  struct State {
    std::vector<T> a, b, ours, peer;
    std::vector<std::byte> params;
    std::shared_ptr<runtime::Backend> backend;
    std::shared_ptr<runtime::LoadedKernel> loaded;
  };
  auto state = std::make_shared<State>();
  const auto count = static_cast<size_t>(extent * extent);
  std::mt19937 random(1);
  for (std::vector<T>* list : {&state->a, &state->b}) {
    for (size_t i = 0; i < count; ++i) list->push_back(std::ldexp(static_cast<T>(random()), -31) - 1);
  }
  state->ours.resize(count);
  state->peer.resize(count);
  const void* data[] = {state->a.data(), state->b.data(), state->ours.data()};
  state->params = runtime::fill_params(artifact, [&](const ParamSlot& slot) -> uint64_t {
    if (slot.part == ParamSlot::Part::scalar) {
      const int64_t scalars[] = {plan.k, tiles->tile_m, tiles->tile_n};
      return static_cast<uint64_t>(scalars[slot.argument - 3]);
    }
    if (slot.part == ParamSlot::Part::data) return reinterpret_cast<uint64_t>(data[slot.argument]);
    if (slot.part == ParamSlot::Part::extent) return static_cast<uint64_t>(slot.axis == 0 ? plan.m : plan.n);
    return static_cast<uint64_t>(plan.strides_bytes[slot.argument][slot.axis]);
  });
  state->backend = runtime::cpu::make_cpu_backend(threads);
  state->loaded = state->backend->load(artifact);
  const auto ours = [state, config = LaunchConfig{tiles->grid, tiles->block}] {
    state->backend->launch(*state->loaded, config, state->params, *state->backend->default_queue());
  };
  const auto gemm = blas.function<Gemm<T>>(sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm");
  const int n = static_cast<int>(extent);
  const auto peer = [=] {
    constexpr int kRowMajor = 101, kPlain = 111, kTransposed = 112;
    gemm(kRowMajor, order == Order::a_transposed ? kTransposed : kPlain,
         order == Order::b_transposed ? kTransposed : kPlain, n, n, n, 1, state->a.data(), n, state->b.data(), n, 0,
         state->peer.data(), n);
  };
  ours();
  peer();
  const T tolerance = static_cast<T>(sizeof(T) == 4 ? 1e-3 : 1e-10);
  for (size_t i = 0; i < count; ++i) {
    if (!(std::fabs(state->ours[i] - state->peer[i]) <= tolerance)) throw std::logic_error("the results differ");
  }
  const int rounds =
      static_cast<int>(std::clamp<int64_t>(int64_t{40'000'000'000} / (extent * extent * extent), 5, 200));
  const std::vector<Samples> samples = take_turns(rounds, {ours, peer});
  const char* what[] = {"a b", "a bT", "aT b"};
  // Speeds 0.7 of the peer's.
  return {fmt::format("{} {} {}", name, what[static_cast<size_t>(order)], extent), "BLAS", samples[0], samples[1],
          1 / 0.7};
}

void run(int argc, char** argv) {
  if (argc < 2) throw std::invalid_argument("contraction LIBOPENBLAS.so [THREADS [EXTENT [FILE.json]]]");
  const unsigned threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 2;
  const int64_t extent = argc > 3 ? std::atoi(argv[3]) : 2048;
  const Blas blas(argv[1], static_cast<int>(threads));
  std::vector<Row> rows;
  for (const Order order : {Order::plain, Order::b_transposed, Order::a_transposed}) {
    rows.push_back(product<float>(blas, "f4", threads, extent, order));
    rows.push_back(product<double>(blas, "f8", threads, extent, order));
  }
  report("contraction", rows, argc > 4 ? argv[4] : "");
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("contraction", [&] { jitc::bench::run(argc, argv); });
}
