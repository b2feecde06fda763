#include "tests/unit/emulator/samples.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/emulator/program/load_module.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Sample> read_samples() {
  std::vector<Sample> found;
  for (const auto& entry : std::filesystem::directory_iterator(JITC_PTX_SAMPLES)) {
    found.push_back({entry.path().stem().string(), read(entry.path())});
  }
  std::sort(found.begin(), found.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
  return found;
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = read_samples();
  return all;
}

std::string load_error(const std::string& text) {
  return error_of([&] { load_module(text); });
}

}  // namespace jitc::emulator_test
