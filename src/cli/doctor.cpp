// jitc doctor: what this build is, what it finds on this machine, what is wrong there and what to do.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "jitc/cache.hpp"
#include "jitc/device.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/device_text.hpp"
#include "src/cli/emulator.hpp"
#include "src/cli/output_format.hpp"
#include "src/cli/version.hpp"
#include "src/codegen/codegen.hpp"

namespace jitc::cli {

namespace {

/// All that is shown, gathered before anything is written.
struct Findings {
  std::vector<int> sms = codegen::known_sms();
  DriverInfo driver = Device::cuda_driver();
  std::vector<DeviceInfo> devices = examine_devices();
  Device chosen = Device::open("auto");
  std::optional<std::filesystem::path> emulator = emulator_library();
  CacheStatistics cache = cache_statistics();

  /// Sentences that say what is wrong and what to do.
  std::vector<std::string> problems() const {
    std::vector<std::string> out;
    if (!driver.problem.empty()) out.push_back(driver.problem);
    for (const DeviceInfo& device : devices) {
      if (!device.problem.empty() && device.problem != driver.problem) out.push_back(device.problem);
    }
    return out;
  }
};

/// Why "auto" is what it is; a reason that is among the problems is not told twice.
std::string choice_text(const Findings& found) {
  for (const std::string& problem : found.problems()) {
    if (found.chosen.why().find(problem) != std::string::npos)
      return found.chosen.name() + ", because of the problem below";
  }
  return found.chosen.why();
}

std::string driver_text(const DriverInfo& driver) {
  const char* named = std::getenv("JITC_CUDA_DRIVER");
  std::string out = driver.library.empty() ? "''" : driver.library;
  if (named != nullptr && driver.library == named) out += " (from JITC_CUDA_DRIVER)";
  if (driver.version == 0) return out + ": not usable";
  return fmt::format("{}: CUDA {}, takes PTX up to ISA {}", out, cuda_version_text(driver.version),
                     ptx_isa_text(driver.ptx_isa));
}

std::string device_text(const DeviceInfo& device) {
  const std::string what = device.description.empty() ? "" : device.description + "; ";
  if (!device.problem.empty()) return what + "cannot be used";
  return fmt::format("{}{} of {} free; kernels compile for {}", what, size_text(device.free_memory),
                     size_text(device.total_memory), device.target);
}

void write_text(const Findings& found) {
  const auto row = [](std::string_view what, const std::string& value) {
    write_stdout(fmt::format("{:<12} {}\n", what, value));
  };
  row("version", version_text());
  row("PTX targets", fmt::format("sm_{} to sm_{}", found.sms.front(), found.sms.back()));
  row("CUDA driver", driver_text(found.driver));
  for (const DeviceInfo& device : found.devices) row(device.name, device_text(device));
  row("auto", choice_text(found));
  row("emulator", found.emulator ? found.emulator->string() + " (jitc run --device emu)" : "not in this build");
  row("disk cache", found.cache.why_off.empty() ? found.cache.folder : "off: " + found.cache.why_off);
  const std::vector<std::string> problems = found.problems();
  if (problems.empty()) row("problems", "none");
  for (const std::string& problem : problems) row("problem", problem);
}

void write_report(const Findings& found) {
  nlohmann::ordered_json out;
  out["version"] = jitc_version();
  out["llvm"] = llvm_version();
  out["ptx_targets"] = nlohmann::ordered_json::array();
  for (const int sm : found.sms) out["ptx_targets"].push_back(fmt::format("sm_{}", sm));
  nlohmann::ordered_json& driver = out["driver"];
  driver["library"] = found.driver.library;
  driver["version"] = nullptr;
  driver["ptx_isa"] = nullptr;
  if (found.driver.version != 0) {
    driver["version"] = cuda_version_text(found.driver.version);
    driver["ptx_isa"] = ptx_isa_text(found.driver.ptx_isa);
  }
  out["devices"] = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : found.devices) out["devices"].push_back(to_json(device));
  out["auto"]["device"] = found.chosen.name();
  out["auto"]["why"] = found.chosen.why();
  out["emulator"] = nullptr;
  if (found.emulator) out["emulator"] = found.emulator->string();
  out["disk_cache"] = nullptr;
  if (found.cache.why_off.empty()) out["disk_cache"] = found.cache.folder;
  out["problems"] = found.problems();
  write_json(out);
}

int doctor(const std::string& format) {
  const Findings found;
  if (format == "json") {
    write_report(found);
  } else {
    write_text(found);
  }
  return kExitDone;
}

constexpr const char* kHelp = R"(
The driver is libcuda.so.1, or the library that the environment variable JITC_CUDA_DRIVER names. The exit code is 0
whatever is found.

examples:
  jitc doctor
  jitc doctor --format=json)";

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
  auto format = std::make_shared<std::string>("text");
  CLI::App& command = *app.add_subcommand("doctor", "Show what jitc finds on this machine, and what is wrong");
  add_format(command, *format, "A line for each finding, or JSON");
  command.footer(kHelp);
  command.callback([format, &action] { action = [format] { return doctor(*format); }; });
}

}  // namespace jitc::cli
