// OpenCL on this machine's processor (PoCL), found when the benchmark runs: no header or library is needed to build.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace jitc::bench {

class OpenCl {
 public:
  /// Loads libOpenCL.so.1 and opens the first processor that a platform offers; null if there is none. PoCL reads the
  /// number of its threads from POCL_MAX_PTHREAD_COUNT at this moment.
  static std::unique_ptr<OpenCl> find();
  ~OpenCl();

  /// "PoCL 3.1".
  const std::string& name() const;

  /// Host memory that kernels work on in place.
  struct HostBuffer {
    void* data;
    size_t size_bytes;
  };
  using KernelArgument = std::variant<HostBuffer, int>;

  /// A compiled kernel with its arguments bound; the buffers must outlive it, and it this OpenCl.
  class Kernel {
   public:
    Kernel(Kernel&&) noexcept;
    ~Kernel();
    /// Runs it on `global` work items in groups of `local`, and returns when the results are in host memory.
    void launch(const std::array<size_t, 3>& global, const std::array<size_t, 3>& local) const;

   private:
    friend class OpenCl;
    struct State;
    explicit Kernel(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };

  /// Compiles OpenCL C. Throws std::runtime_error with the compiler's log.
  Kernel kernel(const std::string& source, const std::string& kernel_name,
                const std::vector<KernelArgument>& arguments) const;

 private:
  struct Api;
  struct Session;
  explicit OpenCl(std::shared_ptr<const Session> session);
  std::shared_ptr<const Session> session_;
};

}  // namespace jitc::bench
