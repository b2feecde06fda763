// jitc devices: where kernels can run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/cli/commands.hpp"
#include "src/cli/console.hpp"
#include "src/cli/device_text.hpp"
#include "src/cli/output_format.hpp"

namespace jitc::cli {

namespace {

/// A cell that the device has nothing for, as one that cannot be used.
std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }
std::string size_cell(uint64_t size_bytes) { return size_bytes == 0 ? "-" : size_text(size_bytes); }

std::string table(const std::vector<DeviceInfo>& devices) {
  const auto width = [&](size_t least, auto text) {
    for (const DeviceInfo& device : devices) least = std::max(least, text(device).size());
    return least;
  };
  const size_t names = width(4, [](const DeviceInfo& d) { return d.name; });
  const size_t descriptions = width(11, [](const DeviceInfo& d) { return or_dash(d.description); });
  const bool problems =
      std::any_of(devices.begin(), devices.end(), [](const DeviceInfo& d) { return !d.problem.empty(); });
  std::string out;
  const auto row = [&](const std::string& name, const std::string& description, const std::string& target,
                       const std::string& memory, const std::string& free, const std::string& problem) {
    out += fmt::format("{:<{}}  {:<{}}  {:<6}  {:>10}  {:>10}", name, names, description, descriptions, target, memory,
                       free);
    out += problems ? fmt::format("  {}\n", problem) : "\n";
  };
  row("name", "description", "target", "memory", "free", "problem");
  for (const DeviceInfo& device : devices) {
    row(device.name, or_dash(device.description), or_dash(device.target), size_cell(device.total_memory),
        size_cell(device.free_memory), or_dash(device.problem));
  }
  return out;
}

int show_devices(const std::string& format) {
  const std::vector<DeviceInfo> devices = examine_devices();
  if (format == "json") {
    auto all = nlohmann::ordered_json::array();
    for (const DeviceInfo& device : devices) all.push_back(to_json(device));
    write_json(all);
    return kExitDone;
  }
  write_stdout(table(devices));
  // Of a single device, the CPU, one may ask where the GPU is.
  const std::string problem = devices.size() == 1 ? Device::cuda_driver().problem : "";
  if (!problem.empty()) write_stderr(fmt::format("jitc: no GPU: {}\n", problem));
  return kExitDone;
}

constexpr const char* kHelp = R"(
Each name is one for `jitc run --device`; auto is cuda:0 if it can be used, else cpu; emu, an emulated GPU, is not listed.
The target is what kernels are compiled for. `jitc doctor` says more.

examples:
  jitc devices
  jitc devices --format=json)";

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  auto format = std::make_shared<std::string>("text");
  CLI::App& command = *app.add_subcommand("devices", "List the devices that kernels can run on");
  add_format(command, *format, "A table, or a JSON array");
  command.footer(kHelp);
  command.callback([format, &action] { action = [format] { return show_devices(*format); }; });
}

}  // namespace jitc::cli
