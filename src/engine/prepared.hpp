// A launch that is checked, compiled, loaded and packed, and only has to be run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"

namespace jitc::engine {

struct PreparedState {
  Function function;  ///< keeps the program and its code alive
  LaunchConfig config;
  std::shared_ptr<runtime::Queue> queue;
  std::shared_ptr<runtime::Backend> backend;
  std::shared_ptr<runtime::LoadedKernel> kernel;
  std::vector<std::byte> params;
  std::vector<Argument> args;  ///< keeps the arrays' memory alive
};

}  // namespace jitc::engine
