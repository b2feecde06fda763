// Where this machine has CUDA's libdevice, for tests that need one.
#pragma once

#include <string>

namespace jitc::tests {

/// Of the toolkit that CUDA_HOME or CUDA_PATH names, or of /usr/local/cuda. Empty, with a warning, where there is none.
std::string libdevice_path();

}  // namespace jitc::tests
