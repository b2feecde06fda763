// NVIDIA's run-time compiler, found when the benchmark runs: neither its header nor its library is needed to build.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace jitc::bench {

class Nvrtc {
 public:
  /// Looks for libnvrtc.so.13, .12, .11 and .so on the loader's path and in /usr/local/cuda; null if there is none.
  static std::unique_ptr<Nvrtc> find();
  ~Nvrtc();

  /// "NVRTC 13.0".
  std::string version() const;
  /// CUDA C++ to PTX with options like "--gpu-architecture=compute_80". Throws std::runtime_error with the log.
  std::string compile(const std::string& source, const std::vector<const char*>& options) const;

 private:
  struct Api;
  explicit Nvrtc(std::unique_ptr<Api> api);
  std::unique_ptr<Api> api_;
};

}  // namespace jitc::bench
