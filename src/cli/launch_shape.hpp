// Grid and block of `jitc run`: as written, or chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jitc/program.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::cli {

/// "63", "63,63" or "8,8,8". Throws io::InputError that names `option`.
Dim3 parse_dim3(const std::string& text, const std::string& option);
/// "63", "63,63": without trailing ones.
std::string format_dim3(Dim3 value);

/// Axes of the thread index that the kernel reads: 0 to 3.
int thread_axes(const kernel::KernelProgram& program);

/// An array argument of the launch.
struct LaunchedArray {
  std::string name;
  std::vector<int64_t> shape;
  bool written = false;
};

struct LaunchShape {
  LaunchConfig config;
  std::string note;  ///< why the grid is what it is: "chosen to cover y[1000]"; empty when it was given
};

/// The rule that --help states, in these words.
extern const char* const kLaunchShapeRule;

/// Block: 256, 16,16 or 8,8,4, halved until the kernel's limit holds. Grid: as many blocks as cover the largest array
/// with as many axes as the kernel's thread index (the written one of equals). A dim that is given is kept. Throws
/// io::InputError where no array has enough axes, or the grid would be beyond CUDA's limits.
LaunchShape choose_launch_shape(const kernel::KernelProgram& program, const std::vector<LaunchedArray>& arrays,
                                std::optional<Dim3> grid, std::optional<Dim3> block);

}  // namespace jitc::cli
