// jitc: kernel text in, running kernels out. Include this.
#pragma once

#include "jitc/array.hpp"       // IWYU pragma: export
#include "jitc/artifact.hpp"    // IWYU pragma: export
#include "jitc/cache.hpp"       // IWYU pragma: export
#include "jitc/device.hpp"      // IWYU pragma: export
#include "jitc/dtype.hpp"       // IWYU pragma: export
#include "jitc/error.hpp"       // IWYU pragma: export
#include "jitc/half.hpp"        // IWYU pragma: export
#include "jitc/host_array.hpp"  // IWYU pragma: export
#include "jitc/program.hpp"     // IWYU pragma: export
#include "jitc/random.hpp"      // IWYU pragma: export
#include "jitc/stream.hpp"      // IWYU pragma: export
