// Time per element of each math function on one thread, f4 and f8, in a kernel of its own over arrays that lie in the
// L2 cache, against glibc's libm and libmvec, SLEEF and NumPy on the same arrays. math_time [FILE.json [PYTHON]]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>

#include "bench/line_process.hpp"
#include "bench/machine_code.hpp"
#include "bench/math_peers.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr int64_t kElems = 16384;
constexpr int kCallsPerSample = 8, kRounds = 60;
/// Samples hold this instead of milliseconds.
constexpr double kNsPerElem = 1e6 / (static_cast<double>(kElems) * kCallsPerSample);
/// Ours / the fastest peer that is meant to be within about an ulp.
constexpr double kAim = 1.1;

/// Where arguments lie: uniform, or with uniform exponents of 2, both signs only where `low` is negative.
struct Domain {
  double low, high;
  bool of_exponents = false;
};

struct MathCase {
  const char* name;    ///< Python's
  const char* c_name;  ///< with an f behind it for f4
  Domain f4, f8;
  Domain second = {0, 0};  ///< of functions of two
  int arity() const { return second.low < second.high ? 2 : 1; }
};

constexpr Domain kAllPositive4 = {-126, 127, true}, kAllPositive8 = {-1022, 1023, true};
const MathCase kCases[] = {
    {"exp", "exp", {-87, 88}, {-700, 700}},
    {"exp2", "exp2", {-126, 127}, {-1022, 1023}},
    {"expm1", "expm1", {-20, 88}, {-40, 700}},
    {"log", "log", kAllPositive4, kAllPositive8},
    {"log2", "log2", kAllPositive4, kAllPositive8},
    {"log10", "log10", kAllPositive4, kAllPositive8},
    {"log1p", "log1p", {-0.99, 1000}, {-0.99, 1000}},
    {"sin", "sin", {-1000, 1000}, {-1000, 1000}},
    {"cos", "cos", {-1000, 1000}, {-1000, 1000}},
    {"tan", "tan", {-1000, 1000}, {-1000, 1000}},
    {"asin", "asin", {-1, 1}, {-1, 1}},
    {"acos", "acos", {-1, 1}, {-1, 1}},
    {"atan", "atan", {-40, 40}, {-40, 40}},
    {"atan2", "atan2", {-1000, 1000}, {-1000, 1000}, {-1000, 1000}},
    {"sinh", "sinh", {-88, 88}, {-700, 700}},
    {"cosh", "cosh", {-88, 88}, {-700, 700}},
    {"tanh", "tanh", {-9, 9}, {-20, 20}},
    {"asinh", "asinh", {-1000, 1000}, {-1000, 1000}},
    {"acosh", "acosh", {1, 1000}, {1, 1000}},
    {"atanh", "atanh", {-1, 1}, {-1, 1}},
    {"pow", "pow", {0, 10}, {0, 10}, {-20, 20}},
    {"sqrt", "sqrt", kAllPositive4, kAllPositive8},
    {"cbrt", "cbrt", {-1000, 1000}, {-1000, 1000}},
    {"hypot", "hypot", {-1000, 1000}, {-1000, 1000}, {-1000, 1000}},
    {"fmod", "fmod", {-1000, 1000}, {-1000, 1000}, {-10, 10}},
    {"remainder", "remainder", {-1000, 1000}, {-1000, 1000}, {-10, 10}},
    {"erf", "erf", {-4, 4}, {-6, 6}},
    {"erfc", "erfc", {-4, 10}, {-6, 27}},
    {"gamma", "tgamma", {-30, 35}, {-160, 170}},
    {"lgamma", "lgamma", {-30, 1000}, {-100, 1000}},
};

/// The arrays of one case, on the CPU device, where they are aligned to cache lines.
struct Arrays {
  Array x, y, ours, theirs;
};

template <class T>
Array random_array(const Device& device, const Domain& domain, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(domain.low, domain.high);
  std::vector<T> values(static_cast<size_t>(kElems));
  for (T& value : values) value = static_cast<T>(domain.of_exponents ? std::exp2(uniform(engine)) : uniform(engine));
  return device.to_device(values);
}

template <class T>
Arrays arrays_of(const Device& device, const MathCase& math, const Domain& domain) {
  return {random_array<T>(device, domain, 1), random_array<T>(device, math.arity() == 2 ? math.second : domain, 2),
          device.empty({kElems}, dtype_of<T>()), device.empty({kElems}, dtype_of<T>())};
}

PreparedLaunch prepare(const MathCase& math, const char* dtype, const Arrays& arrays) {
  const bool two = math.arity() == 2;
  const std::string array = fmt::format("{}[::1]", dtype);
  const Program program = compile(fmt::format(
      "from numba import cuda\nimport math\n\n@cuda.jit('void({0}, {0}{1})')\ndef k(x, out{2}):\n    i = cuda.grid(1)\n"
      "    if i < x.size:\n        out[i] = math.{3}(x[i]{4})\n",
      array, two ? ", " + array : "", two ? ", y" : "", math.name, two ? ", y[i]" : ""));
  const LaunchConfig config{.grid = {kElems / 256}, .block = {256}};
  return two ? program["k"].prepare(config, arrays.x, arrays.ours, arrays.y)
             : program["k"].prepare(config, arrays.x, arrays.ours);
}

/// Four ulp of both sides and as much again; where one overflows or vanishes the other is near that.
template <class T>
void compare(const MathCase& math, const MathPeer& peer, const Arrays& arrays) {
  const std::vector<T> ours = arrays.ours.to_vector<T>(), theirs = arrays.theirs.to_vector<T>();
  // Near the zeros of lgamma nobody promises digits.
  const T least = std::string_view(math.name) == "lgamma" ? T(1) : std::numeric_limits<T>::min();
  for (size_t i = 0; i < ours.size(); ++i) {
    const T allowed = 16 * std::numeric_limits<T>::epsilon() * std::max(std::fabs(ours[i]), least);
    const bool same = ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i]));
    if (!same && !(std::fabs(ours[i] - theirs[i]) <= allowed)) {
      fmt::print("{} of element {}: ours {}, {}'s {}\n", math.name, i, ours[i], peer.name, theirs[i]);
      return;
    }
  }
}

class Measurement {
 public:
  Measurement(Device device, const std::string& python) : device_(std::move(device)) {
    if (python.empty()) return;
    numpy_ = std::make_unique<LineProcess>(std::vector<std::string>{python, JITC_MATH_NUMPY});
    numpy_name_ = "NumPy " + numpy_->ask("");
  }

  template <class T>
  void add(const MathCase& math) {
    const char* dtype = sizeof(T) == 4 ? "f4" : "f8";
    const Arrays arrays = arrays_of<T>(device_, math, sizeof(T) == 4 ? math.f4 : math.f8);
    const PreparedLaunch ours = prepare(math, dtype, arrays);
    std::vector<std::function<double()>> competitors{many([&] { ours.run(); })};
    const std::vector<MathPeer> peers = math_peers(math.c_name, math.arity(), sizeof(T) == 4);
    for (const MathPeer& peer : peers) {
      competitors.push_back(many([&] { peer.run(arrays.x.data(), arrays.y.data(), arrays.theirs.data(), kElems); }));
    }
    const bool has_numpy = numpy_ && load(math, dtype, arrays);
    if (has_numpy) {
      competitors.emplace_back(
          [&] { return std::stod(numpy_->ask(fmt::format("run {}", kCallsPerSample))) * kNsPerElem; });
    }
    const std::vector<Samples> samples = take_timed_turns(kRounds, competitors);
    for (const MathPeer& peer : peers) {
      peer.run(arrays.x.data(), arrays.y.data(), arrays.theirs.data(), kElems);
      compare<T>(math, peer, arrays);
    }
    add_rows(fmt::format("{} {}", math.name, dtype), peers, has_numpy, samples);
  }

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::string>& summary() const { return summary_; }

 private:
  static std::function<double()> many(const std::function<void()>& call) {
    return [call] {
      return kNsPerElem * time_ms([&] {
               for (int i = 0; i < kCallsPerSample; ++i) call();
             });
    };
  }

  bool load(const MathCase& math, const char* dtype, const Arrays& arrays) {
    std::string line = fmt::format("load {} {}", math.name, dtype);
    for (int i = 0; i < math.arity(); ++i) {
      const Array& array = i == 0 ? arrays.x : arrays.y;
      const std::string path = (folder_ / (i == 0 ? "x" : "y")).string();
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(array.data()), static_cast<std::streamsize>(array.size_bytes()));
      line += " " + path;
    }
    return numpy_->ask(line) == "yes";
  }

  /// The aim stands in the row of the fastest accurate peer.
  void add_rows(const std::string& what, const std::vector<MathPeer>& peers, bool has_numpy,
                const std::vector<Samples>& samples) {
    size_t best = 0;
    for (size_t i = 0; i < peers.size(); ++i) {
      if (peers[i].is_accurate && (best == 0 || samples[i + 1].min() < samples[best].min())) best = i + 1;
    }
    std::string line = fmt::format("| {} | {:.2f} |", what, samples[0].min());
    for (size_t i = 0; i < peers.size(); ++i) {
      rows_.push_back(
          {what, peers[i].name, samples[0], samples[i + 1], i + 1 == best ? std::optional(kAim) : std::nullopt});
    }
    if (has_numpy) rows_.push_back({what, numpy_name_, samples[0], samples.back(), {}});
    for (const char* column : {"libm", "libmvec", "SLEEF", "NumPy"}) { line += cell(what, column); }
    const double ratio = best == 0 ? 0 : samples[0].min() / samples[best].min();
    summary_.push_back(
        line +
        (best == 0 ? " - |" : fmt::format(" {}{:.2f}{} |", ratio > kAim ? "**" : "", ratio, ratio > kAim ? "**" : "")));
  }

  /// Of the rows of `what`, the minimum of the peer whose name begins so.
  std::string cell(const std::string& what, const std::string& column) const {
    for (const Row& row : rows_) {
      const bool is_it = row.peer_name.rfind(column, 0) == 0 &&
                         (row.peer_name.size() == column.size() || row.peer_name[column.size()] == ' ');
      if (row.what == what && is_it) return fmt::format(" {:.2f} |", row.peer->min());
    }
    return " - |";
  }

  Device device_;
  ScratchFolder folder_;
  std::unique_ptr<LineProcess> numpy_;
  std::string numpy_name_;
  std::vector<Row> rows_;
  std::vector<std::string> summary_;
};

void run(const std::string& json_path, const std::string& python) {
  for (const std::string& line : missing_math_peers()) fmt::print("{}\n", line);
  if (python.empty()) fmt::print("no PYTHON given: without NumPy\n");
  Measurement measurement(Device::open("cpu"), python);
  for (const MathCase& math : kCases) {
    measurement.add<float>(math);
    measurement.add<double>(math);
  }
  report("ns per element", measurement.rows(), json_path);
  fmt::print(
      "\nThe least of {} samples, ns per element; ratio: ours to the faster of libm and SLEEF, aim {}\n\n"
      "| function | ours | libm | libmvec | SLEEF | NumPy | ratio |\n|---|---|---|---|---|---|---|\n",
      kRounds, kAim);
  for (const std::string& line : measurement.summary()) fmt::print("{}\n", line);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("math_time", [&] {
    setenv("JITC_CPU_THREADS", "1", 1);
    jitc::bench::run(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  });
}
