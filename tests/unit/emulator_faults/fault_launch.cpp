#include "tests/unit/emulator_faults/fault_launch.hpp"

#include <cstring>
#include <regex>
#include <stdexcept>

#include "jitc/program.hpp"
#include "runtime/emulator/driver/launch_checks.hpp"
#include "runtime/emulator/memory/address_space.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;
using driver::KernelLaunch;

struct Compiled {
  std::string ptx;
  std::string symbol;
  std::vector<ParamSlot> params;
};

Compiled compiled(const FaultCase& one, const std::string& kernel) {
  if (one.is_dsl) {
    TargetOptions options;
    options.name = "sm_80";
    const Artifact artifact = compile(one.text, {.line_info = true})[kernel].artifact(options);
    return {artifact.code, artifact.symbol, artifact.params};
  }
  return {one.text, kernel, {}};
}

size_t elem_bytes(const std::string& dtype) { return std::stoul(dtype.substr(1)); }

template <class T>
void store(std::byte* to, double value) {
  const T stored = static_cast<T>(value);
  std::memcpy(to, &stored, sizeof stored);
}

void store_number(std::byte* to, const std::string& dtype, double value) {
  if (dtype == "f4") return store<float>(to, value);
  if (dtype == "f8") return store<double>(to, value);
  const auto number = static_cast<int64_t>(value);
  std::memcpy(to, &number, elem_bytes(dtype));
}

class Launch {
 public:
  Launch(const FaultCase& one, const Compiled& made) : one_(one), made_(made), module_(load_module(made.ptx)) {
    for (const FaultArgument& argument : one.arguments)
      addresses_.push_back(argument.dtype.empty() ? 0 : place(argument));
    link_program();
    set_params();
    map_ = space_.map_for(0);
  }

  std::string run() {
    KernelLaunch launch;
    launch.program = &linked_;
    launch.grid = one_.grid;
    launch.block = one_.block;
    launch.dynamic_shared_bytes = one_.shared_bytes;
    launch.is_cooperative = one_.is_cooperative;
    launch.params = params_;
    launch.memory = map_.get();
    launch.stack_bytes = 1024;
    launch.host_threads = 1;
    driver::LaunchChecks checks(launch, one_.checks);
    if (one_.checks.any()) launch.observer = &checks;
    const auto fault = driver::execute(launch);
    return fault ? fault->report : "";
  }

 private:
  uint64_t place(const FaultArgument& argument) {
    if (argument.value == "null") return 0;
    int64_t count = 1;
    for (const int64_t extent : argument.shape) count *= extent;
    const size_t elem = elem_bytes(argument.dtype);
    const AllocationPtr made = space_.allocate(static_cast<uint64_t>(count) * elem, {});
    if (argument.value == "empty") made->undefined = std::make_unique<UndefinedBits>(made->size_bytes);
    for (int64_t i = 0; i < count && argument.value != "empty"; ++i) {
      const double value = argument.value == "arange" ? static_cast<double>(i) : argument.value == "ones" ? 1 : 0;
      store_number(made->bytes + static_cast<size_t>(i) * elem, argument.dtype, value);
    }
    if (argument.value == "freed") space_.release(made);
    return made->base;
  }

  uint64_t segment(MemoryKind kind, uint64_t size_bytes, std::span<std::byte>& bytes) {
    if (size_bytes == 0) return 0;
    AllocationOwner owner;
    owner.kind = kind;
    owner.is_read_only = kind == MemoryKind::module_constant;
    const AllocationPtr made = space_.allocate(size_bytes, owner);
    bytes = {made->bytes, size_bytes};
    std::memset(made->bytes, 0, size_bytes);
    return made->base;
  }

  void link_program() {
    std::span<std::byte> global, constant;
    const uint64_t at_global = segment(MemoryKind::module_global, module_.image.global_bytes, global);
    const uint64_t at_constant = segment(MemoryKind::module_constant, module_.image.constant_bytes, constant);
    initialise(module_.image, global, constant);
    for (const emulator::Program& program : module_.programs) {
      if (program.name == made_.symbol) linked_ = link(program, module_.image, at_global, at_constant);
    }
    if (linked_.program == nullptr) throw std::runtime_error(one_.name + ": no kernel " + made_.symbol);
  }

  void set_params() {
    const DecodedFunction& entry = *linked_.functions[0].decoded;
    params_.resize(entry.param_bytes);
    for (size_t i = 0; i < entry.params.size(); ++i) {
      const ParamSlot slot =
          one_.is_dsl ? made_.params.at(i) : ParamSlot{ParamSlot::Part::data, static_cast<uint32_t>(i)};
      set_param(entry.params[i], slot);
    }
  }

  void set_param(const ParamPlace& place, const ParamSlot& slot) {
    const FaultArgument& argument = one_.arguments.at(slot.argument);
    std::byte* to = params_.data() + place.offset_bytes;
    if (argument.dtype.empty())
      return store_number(to, "i" + std::to_string(place.size_bytes), std::stod(argument.value));
    int64_t stride = static_cast<int64_t>(elem_bytes(argument.dtype));
    for (size_t axis = slot.axis + 1; axis < argument.shape.size(); ++axis) stride *= argument.shape[axis];
    const int64_t extent = slot.part == ParamSlot::Part::extent ? argument.shape.at(slot.axis) : 0;
    const uint64_t value = slot.part == ParamSlot::Part::data     ? addresses_[slot.argument]
                           : slot.part == ParamSlot::Part::extent ? static_cast<uint64_t>(extent)
                                                                  : static_cast<uint64_t>(stride);
    std::memcpy(to, &value, place.size_bytes);
  }

  const FaultCase& one_;
  const Compiled& made_;
  LoadedModule module_;
  AddressSpace space_;
  std::vector<uint64_t> addresses_;
  std::vector<std::byte> params_;
  LinkedProgram linked_ = {nullptr, {}, {}};
  std::shared_ptr<const AddressMap> map_;
};

/// "PTX line 12" as the instruction that begins there: other versions of LLVM may have it in another line.
std::string with_instructions(const std::string& report, const std::string& ptx) {
  static const std::regex kLine("PTX line ([0-9]+)");
  std::string made;
  auto rest = report.cbegin();
  for (std::smatch match; std::regex_search(rest, report.cend(), match, kLine); rest = match[0].second) {
    size_t at = 0;
    for (unsigned long line = 1; line < std::stoul(match[1]); ++line) at = ptx.find('\n', at) + 1;
    const std::string line = ptx.substr(at, ptx.find('\n', at) - at);
    static const std::regex kInstruction("^\\s*(@!?%\\w+\\s+)?([\\w.:]+)");
    std::smatch instruction;
    std::regex_search(line, instruction, kInstruction);
    made.append(rest, match[0].first).append(instruction[2]);
  }
  return made.append(rest, report.cend());
}

}  // namespace

std::string report_of(const FaultCase& one, const std::string& kernel) {
  const Compiled made = compiled(one, kernel);
  std::string report = with_instructions(Launch(one, made).run(), made.ptx);
  if (made.symbol != kernel) report = std::regex_replace(report, std::regex(made.symbol), kernel);
  return std::regex_replace(report, std::regex("0x[0-9a-f]+"), "0x…");
}

}  // namespace jitc::emulator_test
