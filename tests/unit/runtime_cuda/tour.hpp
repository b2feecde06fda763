// Everything that a CUDA device does, once: from opening it to closing it.
#pragma once

#include <memory>
#include <string>

#include "runtime/common/backend.hpp"

namespace jitc::tests {

/// Loads the driver at `library`, uses each part of a backend of it, and lets go of all. Throws what the parts throw.
void tour(const char* library);

}  // namespace jitc::tests
