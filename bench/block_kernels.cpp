// Kernels whose threads share memory and wait for each other, on the CPU device, against the same work as loops in C++
// (-O3 -march=native, OpenMP) and against PoCL on the OpenCL twin with the same blocks. The three take turns; before
// that their results are compared. block_kernels [THREADS [FILE.json]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>

#include "bench/kernel_text.hpp"
#include "bench/loops.hpp"
#include "bench/opencl.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

using Buffer = OpenCl::HostBuffer;

/// What all comparisons have in common.
struct Bench {
  Device device;
  std::unique_ptr<OpenCl> opencl;  ///< null: not on this machine
  int thread_count = 1;
};

/// One kernel's competitors. Each leaves its result in memory of its own; `check` throws where they differ.
struct Contest {
  std::string what;
  int rounds = 1;
  std::function<void()> ours, loops, opencl;  ///< the last may be empty
  std::function<void()> check;
};

/// One row for each peer, of the same samples of ours.
std::vector<Row> hold(const Bench& bench, const Contest& contest) {
  std::vector<std::function<void()>> competitors{contest.ours, contest.loops};
  if (contest.opencl) competitors.push_back(contest.opencl);
  for (const auto& competitor : competitors) competitor();
  contest.check();
  const std::vector<Samples> samples = take_turns(contest.rounds, competitors);
  std::vector<Row> rows{{contest.what, "g++ -O3 loops", samples[0], samples[1], {}}};
  if (contest.opencl) rows.push_back({contest.what, bench.opencl->name(), samples[0], samples[2], 1.0});
  return rows;
}

std::vector<float> random_floats(size_t count, uint64_t seed, float low, float high) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(count);
  for (float& x : values) x = uniform(engine);
  return values;
}

template <class T>
Buffer buffer_of(const std::vector<T>& values) {
  return {const_cast<T*>(values.data()), values.size() * sizeof(T)};
}

void require_near(const std::vector<float>& a, const std::vector<float>& b, float tolerance, const char* peer) {
  const auto near = [&](float x, float y) { return std::fabs(x - y) <= tolerance * std::fabs(y); };
  if (!std::equal(a.begin(), a.end(), b.begin(), b.end(), near))
    throw std::logic_error(fmt::format("the results of {} differ from ours", peer));
}

/// All three add up in the same order with fused multiply-adds, so not one bit may differ.
Contest matmul(const Bench& bench, int batch, int n, int rounds, bool batched) {
  struct State {
    std::vector<float> a, b, loops, opencl;
    Array A, B, C;
  };
  constexpr uint32_t kTile = 16;
  const size_t count = static_cast<size_t>(batch) * n * n;
  std::vector<int64_t> shape{n, n};
  if (batched) shape.insert(shape.begin(), batch);
  const std::vector<float> a = random_floats(count, 1, -1, 1), b = random_floats(count, 2, -1, 1);
  auto state = std::make_shared<State>(State{a, b, std::vector<float>(count), std::vector<float>(count),
                                             bench.device.to_device(a, shape), bench.device.to_device(b, shape),
                                             bench.device.empty(shape, f4)});
  const std::string name = batched ? "batched_matmul" : "tiled_matmul";
  const Function kernel = compile(kernel_text(name + ".dsl"))[name];
  const uint32_t blocks = (static_cast<uint32_t>(n) + kTile - 1) / kTile;
  const LaunchConfig config{.grid = {blocks, blocks, static_cast<uint32_t>(batch)}, .block = {kTile, kTile}};

  Contest contest;
  contest.what = batched ? fmt::format("{} products of {}²", batch, n) : fmt::format("tiled product {}²", n);
  contest.rounds = rounds;
  contest.ours = [=] { kernel.launch(config, state->A, state->B, state->C); };
  contest.loops = [=, threads = bench.thread_count] {
    batched_matmul_loops(state->a.data(), state->b.data(), state->loops.data(), batch, n, n, n, threads);
  };
  if (bench.opencl) {
    auto twin = std::make_shared<OpenCl::Kernel>(
        bench.opencl->kernel(kernel_text(name + ".cl"), name,
                             {buffer_of(state->a), buffer_of(state->b), buffer_of(state->opencl), n, n, n}));
    const size_t items = size_t{blocks} * kTile;
    contest.opencl = [=] { twin->launch({items, items, static_cast<size_t>(batch)}, {kTile, kTile, 1}); };
  }
  contest.check = [state, has_opencl = bench.opencl != nullptr] {
    const std::vector<float> ours = state->C.to_vector<float>();
    require_near(state->loops, ours, 0, "the loops");
    if (has_opencl) require_near(state->opencl, ours, 0, "OpenCL");
  };
  return contest;
}

/// The sums are added in another order by the loops, and each side has its own exp: within a few ulp.
Contest softmax(const Bench& bench, int n, int rounds) {
  struct State {
    std::vector<float> x, loops, opencl;
    Array in, out;
  };
  constexpr float kTolerance = 1e-5f;
  constexpr uint32_t kThreads = 256;
  const size_t count = static_cast<size_t>(n) * n;
  const std::vector<float> x = random_floats(count, 3, -8, 8);
  auto state = std::make_shared<State>(State{x, std::vector<float>(count), std::vector<float>(count),
                                             bench.device.to_device(x, {n, n}), bench.device.empty({n, n}, f4)});
  const Function kernel = compile(kernel_text("softmax.dsl"))["softmax"];
  const LaunchConfig config{.grid = {static_cast<uint32_t>(n)}, .block = {kThreads}};

  Contest contest;
  contest.what = fmt::format("block softmax {}²", n);
  contest.rounds = rounds;
  contest.ours = [=] { kernel.launch(config, state->in, state->out); };
  contest.loops = [=, threads = bench.thread_count] {
    softmax_loops(state->x.data(), state->loops.data(), n, n, threads);
  };
  if (bench.opencl) {
    auto twin = std::make_shared<OpenCl::Kernel>(
        bench.opencl->kernel(kernel_text("softmax.cl"), "softmax", {buffer_of(state->x), buffer_of(state->opencl), n}));
    contest.opencl = [=] { twin->launch({static_cast<size_t>(n) * kThreads, 1, 1}, {kThreads, 1, 1}); };
  }
  contest.check = [state, has_opencl = bench.opencl != nullptr] {
    const std::vector<float> ours = state->out.to_vector<float>();
    require_near(state->loops, ours, kTolerance, "the loops");
    if (has_opencl) require_near(state->opencl, ours, kTolerance, "OpenCL");
  };
  return contest;
}

/// Every launch adds to the counts, also here: after one launch each they must be equal.
Contest histogram(const Bench& bench, size_t size, int rounds) {
  struct State {
    std::vector<uint8_t> data;
    std::vector<uint32_t> loops, opencl;
    Array in, counts;
  };
  constexpr uint32_t kBins = 256, kThreads = 256, kBlocks = 64;
  std::mt19937_64 engine(4);
  std::vector<uint8_t> data(size);
  for (uint8_t& value : data) value = static_cast<uint8_t>(engine());
  auto state = std::make_shared<State>(State{data, std::vector<uint32_t>(kBins), std::vector<uint32_t>(kBins),
                                             bench.device.to_device(data), bench.device.zeros({kBins}, u4)});
  const Function kernel = compile(kernel_text("histogram.dsl"))["histogram"];
  const LaunchConfig config{.grid = {kBlocks}, .block = {kThreads}};

  Contest contest;
  contest.what = fmt::format("histogram of {} MiB", size >> 20);
  contest.rounds = rounds;
  contest.ours = [=] { kernel.launch(config, state->in, state->counts); };
  contest.loops = [=, threads = bench.thread_count] {
    histogram_loops(state->data.data(), state->loops.data(), state->data.size(), threads);
  };
  if (bench.opencl) {
    auto twin = std::make_shared<OpenCl::Kernel>(
        bench.opencl->kernel(kernel_text("histogram.cl"), "histogram",
                             {buffer_of(state->data), buffer_of(state->opencl), static_cast<int>(size)}));
    contest.opencl = [=] { twin->launch({size_t{kBlocks} * kThreads, 1, 1}, {kThreads, 1, 1}); };
  }
  contest.check = [state, has_opencl = bench.opencl != nullptr] {
    const std::vector<uint32_t> ours = state->counts.to_vector<uint32_t>();
    if (state->loops != ours) throw std::logic_error("the counts of the loops differ from ours");
    if (has_opencl && state->opencl != ours) throw std::logic_error("the counts of OpenCL differ from ours");
  };
  return contest;
}

void run(int thread_count, const std::string& json_path) {
  const Bench bench{Device::open("cpu"), OpenCl::find(), thread_count};
  if (!bench.opencl) fmt::print("no OpenCL for this processor here: without that peer\n");
  std::vector<Row> rows;
  const auto add = [&](const Contest& contest) {
    for (Row& row : hold(bench, contest)) rows.push_back(std::move(row));
  };
  add(matmul(bench, 1, 800, 15, false));
  add(softmax(bench, 2048, 30));
  add(histogram(bench, size_t{1} << 24, 30));
  // Eight, as 64 of them would take minutes with one thread.
  add(matmul(bench, 8, 512, 7, true));
  report(fmt::format("blocks, {} thread{}", thread_count, thread_count == 1 ? "" : "s"), rows, json_path);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("block_kernels", [&] {
    const std::string threads = argc > 1 ? argv[1] : "1";
    // Read once by each runtime, so one process measures one number of threads.
    setenv("JITC_CPU_THREADS", threads.c_str(), 1);
    setenv("POCL_MAX_PTHREAD_COUNT", threads.c_str(), 1);
    jitc::bench::run(std::stoi(threads), argc > 2 ? argv[2] : "");
  });
}
