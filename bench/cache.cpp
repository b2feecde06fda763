// What kernel text to code costs when the kernel was compiled before: by this process, or by another one that left it
// on disk, against compiling it. cache [FILE.json]
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "bench/kernel_text.hpp"
#include "bench/report.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr int kRounds = 100, kCalls = 1000;
constexpr double kAimOfDisk = 0.033, kAimOfMemoryUs = 2, kAimOfFunctionNs = 200;

/// A cache in a folder of its own, gone at the end.
class CacheFolder {
 public:
  CacheFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jitc-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~CacheFolder() { std::filesystem::remove_all(path_); }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  /// Forgets what is in memory. Without the disk all is compiled.
  void start_anew(bool with_disk) const {
    CacheOptions options;
    options.folder = with_disk ? path_ : "";
    options.shared.clear();
    set_cache(options);
  }

 private:
  std::string path_;
};

const std::string& code_of(const std::string& text, const std::string& name, const std::string& target) {
  return compile(text)[name].artifact({.name = target, .contiguous = true}).code;
}

/// Each round starts as a new process does.
Row disk(const CacheFolder& folder, const std::string& name, const std::string& target) {
  const std::string text = kernel_text(name + ".dsl");
  const auto from = [&](bool with_disk) {
    return [&folder, text, name, target, with_disk] {
      folder.start_anew(with_disk);
      return time_ms([&] {
        if (code_of(text, name, target).empty()) throw std::logic_error("no code");
      });
    };
  };
  std::vector<Samples> samples = take_timed_turns(kRounds, {from(true), from(false)});
  return {fmt::format("{}, {}: text to code, from disk", name, target), "compiled", samples[0], samples[1], kAimOfDisk};
}

/// One of many calls, against its aim.
Row many(const std::string& what, double aim_ms, const std::function<void()>& call) {
  const auto one = [&] {
    return time_ms([&] {
             for (int i = 0; i < kCalls; ++i) call();
           }) /
           kCalls;
  };
  return {what, fmt::format("{} us", aim_ms * 1e3), take_timed_turns(kRounds, {one})[0], Samples{{aim_ms}}, 1.0};
}

void run(const std::string& json_path) {
  const CacheFolder folder;
  std::vector<Row> rows;
  for (const char* name : {"axpy", "fused", "five_functions", "tiled_matmul", "softmax"}) {
    for (const char* target : {"sm_80", "cpu"}) rows.push_back(disk(folder, name, target));
  }
  const std::string text = kernel_text("axpy.dsl");
  folder.start_anew(true);
  rows.push_back(
      many("axpy: text to code, from memory", kAimOfMemoryUs / 1e3, [&] { code_of(text, "axpy", "sm_80"); }));
  const Function axpy = compile(text)["axpy"];
  const TargetOptions target = {.name = "sm_80", .contiguous = true};
  rows.push_back(many("axpy: function to code", kAimOfFunctionNs / 1e6, [&] { axpy.artifact(target); }));
  report("cache", rows, json_path);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("cache", [&] { jitc::bench::run(argc > 1 ? argv[1] : ""); });
}
