// jitc doctor: what this build is and what it finds on this machine.
#include <dlfcn.h>
#include <fmt/format.h>

#include "jitc/device.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/version.hpp"
#include "src/codegen/codegen.hpp"

namespace jitc::cli {

namespace {

/// Whether the loader finds the driver. Nothing in it is called.
bool has_cuda_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library != nullptr) dlclose(library);
  return library != nullptr;
}

int doctor() {
  const Device device = Device::open("auto");
  const std::vector<int> sms = codegen::known_sms();
  const auto row = [](std::string_view what, const std::string& value) {
    write_stdout(fmt::format("{:<14} {}\n", what, value));
  };
  row("version", version_text());
  row("PTX targets", fmt::format("sm_{} to sm_{}", sms.front(), sms.back()));
  row("device", device.why());
  row("processor", device.description());
  row("CUDA driver", has_cuda_driver() ? "libcuda.so.1 is there (this version runs kernels on the CPU only)"
                                       : "libcuda.so.1 is not there");
  return kExitDone;
}

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("doctor", "Show what jitc finds on this machine");
  command.callback([&action] { action = doctor; });
}

}  // namespace jitc::cli
