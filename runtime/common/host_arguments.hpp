// Host memory among the arguments of a launch.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "jitc/artifact.hpp"
#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"

namespace jitc::runtime {

/// The arguments with host memory as arrays of the CPU, in which only types and layouts may be looked at.
std::vector<Argument> with_host_layouts(std::span<const Argument> args, const std::shared_ptr<Backend>& cpu);

/// The arguments of one launch with arrays of the device in place of host memory: on the CPU the memory itself, on
/// other devices arrays of the same shape and order. Used in three steps: made, copied in, copied back.
class HostArguments {
 public:
  HostArguments(std::span<const Argument> args, const std::shared_ptr<Backend>& backend,
                const std::shared_ptr<Queue>& queue);
  /// Waits as wait() does where a launch failed before it: the caller's memory is not used after this.
  ~HostArguments();
  HostArguments(HostArguments&& other) noexcept
      : backend_(std::move(other.backend_)),
        queue_(std::move(other.queue_)),
        views_(std::move(other.views_)),
        must_wait_(std::exchange(other.must_wait_, false)) {}
  HostArguments& operator=(HostArguments&& other) = delete;

  /// Puts the arrays in the places of host memory.
  void put_arrays(std::vector<Argument>& args) const;
  /// Copies to the device what the kernel may read or leave as it is. On the CPU, elements that the kernel writes but
  /// the caller only lent for reading are copied too. `infos` are those of the kernel that takes the arguments; arrays
  /// in `args` may be replaced once more.
  void copy_in(std::span<const ArgumentInfo> infos, std::vector<Argument>& args);
  /// Copies back what the kernel may have written, and waits for it.
  void copy_back(std::span<const ArgumentInfo> infos);
  /// Waits until the device is done with what copy_in() gave it.
  void wait();

 private:
  struct View {
    size_t argument;
    HostView host;
    Array array;
    bool is_same_memory;  ///< the array is the host memory itself
  };

  std::shared_ptr<Backend> backend_;
  std::shared_ptr<Queue> queue_;
  std::vector<View> views_;
  bool must_wait_ = false;
};

}  // namespace jitc::runtime
