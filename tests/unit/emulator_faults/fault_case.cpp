#include "tests/unit/emulator_faults/fault_case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jitc::emulator_test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

void set_shape(const std::string& text, std::array<uint32_t, 3>& shape) {
  const auto parts = split(text, ',');
  for (size_t i = 0; i < parts.size(); ++i) shape.at(i) = static_cast<uint32_t>(std::stoul(parts[i]));
}

void set_checks(const std::string& text, emulator::driver::Checks& checks) {
  checks = {text.find("init") != std::string::npos, text.find("race") != std::string::npos};
}

// argument: number | filling dtype '[' extent (',' extent)* ']'
FaultArgument read_argument(const std::string& name, const std::string& text) {
  const size_t space = text.find(' ');
  if (space == std::string::npos) return {name, text, {}, {}};
  const size_t bracket = text.find('[');
  FaultArgument argument = {name, text.substr(0, space), text.substr(space + 1, bracket - space - 1), {}};
  for (const std::string& extent : split(text.substr(bracket + 1, text.size() - bracket - 2), ','))
    argument.shape.push_back(std::stoll(extent));
  return argument;
}

void set(FaultCase& one, const std::string& key, const std::string& value) {
  if (key == "grid") return set_shape(value, one.grid);
  if (key == "block") return set_shape(value, one.block);
  if (key == "checks") return set_checks(value, one.checks);
  if (key == "report") one.report = value;
  if (key == "shared") one.shared_bytes = static_cast<uint32_t>(std::stoul(value));
  if (key == "cooperative") one.is_cooperative = value == "yes";
  if (key != "report" && key != "shared" && key != "cooperative") one.arguments.push_back(read_argument(key, value));
}

/// The comments on top: `#   key: value`, and `#     more` for what goes on.
void read_keys(FaultCase& one) {
  const std::string mark = one.is_dsl ? "#" : "//";
  for (const std::string& line : split(one.text, '\n')) {
    if (!line.starts_with(mark)) return;
    if (line.starts_with(mark + "     ")) {
      one.report += " " + line.substr(mark.size() + 5);
    } else if (line.starts_with(mark + "   ")) {
      const size_t colon = line.find(": ");
      if (colon == std::string::npos) throw std::runtime_error(one.name + ": not a key and a value: " + line);
      set(one, line.substr(mark.size() + 3, colon - mark.size() - 3), line.substr(colon + 2));
    }
  }
}

}  // namespace

std::vector<FaultCase> read_fault_cases(const std::string& folder) {
  std::vector<FaultCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    FaultCase one;
    one.name = entry.path().filename().string();
    one.text = text_of(entry.path());
    one.is_dsl = entry.path().extension() == ".dsl";
    read_keys(one);
    cases.push_back(std::move(one));
  }
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return cases;
}

}  // namespace jitc::emulator_test
