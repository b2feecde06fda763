// The arguments of a program on a device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"
#include "tests/random_arrays/expected.hpp"

namespace jitc::random_arrays {

class DeviceArguments {
 public:
  DeviceArguments(const Program& program, const std::vector<Memory>& memories,
                  const std::shared_ptr<runtime::Backend>& backend);

  /// What differs, to the last bit (any NaN is any NaN): results, or the memory of arguments.
  std::optional<std::string> compare_with(const Expected& expected, const std::vector<Array>& results) const;
  const std::vector<Argument>& args() const { return args_; }
  Stream stream() const { return Stream::of_queue(queue_); }

 private:
  const Program& program_;
  std::shared_ptr<runtime::Queue> queue_;
  std::vector<Array> wholes_;  ///< all memory of each argument
  std::vector<Argument> args_;
};

}  // namespace jitc::random_arrays
