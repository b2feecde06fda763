#include "tests/support/run_cases/numpy_oracle.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_cases/process.hpp"

namespace jitc::cases {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Debian's interpreter, the one whose NumPy the tests are written against; elsewhere JITC_TEST_PYTHON names another.
std::string python_program() {
  const char* chosen = std::getenv("JITC_TEST_PYTHON");
  return chosen != nullptr ? chosen : "/usr/bin/python3";
}

io::HostArray as_array(const io::ArgValue& value) {
  if (const auto* array = std::get_if<io::HostArray>(&value)) return *array;
  const Scalar scalar = std::get<Scalar>(value);
  io::HostArray out = io::make_zeros(scalar.dtype, {});
  out.set_element(0, scalar.bits, scalar.imag_bits);
  return out;
}

json write_input(const fs::path& folder, const std::string& file, const std::string& name, const io::ArgValue& value) {
  const io::HostArray array = as_array(value);
  std::ofstream(folder / file, std::ios::binary)
      .write(reinterpret_cast<const char*>(array.bytes.data()), static_cast<std::streamsize>(array.bytes.size()));
  return {{"name", name},
          {"dtype", std::string(jitc::name(array.dtype))},
          {"shape", array.shape},
          {"scalar", std::holds_alternative<Scalar>(value)},
          {"file", file}};
}

json write_jobs(const fs::path& folder, const std::vector<NumpyJob>& jobs) {
  json list = json::array();
  for (size_t i = 0; i < jobs.size(); ++i) {
    json inputs = json::array();
    for (const auto& [name, value] : jobs[i].inputs) {
      inputs.push_back(write_input(folder, fmt::format("{}.{}.in", i, name), name, value));
    }
    list.push_back({{"script", jobs[i].script}, {"inputs", inputs}, {"outs", jobs[i].outs}});
  }
  return list;
}

io::HostArray read_output(const fs::path& folder, const json& spec) {
  const std::optional<DType> dtype = dtype_from_name(spec["dtype"].get<std::string>());
  if (!dtype) throw std::runtime_error("the result has the type " + spec["dtype"].get<std::string>());
  io::HostArray out = io::make_zeros(*dtype, spec["shape"].get<std::vector<int64_t>>());
  std::ifstream(folder / spec["file"].get<std::string>(), std::ios::binary)
      .read(reinterpret_cast<char*>(out.bytes.data()), static_cast<std::streamsize>(out.bytes.size()));
  return out;
}

NumpyResult read_result(const fs::path& folder, const json& result) {
  NumpyResult out;
  try {
    if (result.contains("error")) throw std::runtime_error(result["error"].get<std::string>());
    for (const json& spec : result["outs"]) out.outs.push_back(read_output(folder, spec));
  } catch (const std::exception& error) { out.error = std::string("the numpy section fails: ") + error.what(); }
  return out;
}

/// Where this was built; elsewhere JITC_TEST_ORACLE names it.
std::string oracle_script() {
  const char* moved = std::getenv("JITC_TEST_ORACLE");
  return moved != nullptr ? moved : JITC_NUMPY_ORACLE;
}

}  // namespace

std::vector<NumpyResult> run_numpy(const std::vector<NumpyJob>& jobs) {
  if (jobs.empty()) return {};
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "jobs.json") << write_jobs(folder.path(), jobs);
  const ProcessResult python = run_process({python_program(), oracle_script(), folder.path().string()});
  std::ifstream results_file(folder.path() / "results.json");
  if (python.status != 0 || !results_file) {
    const std::string error =
        fmt::format("the NumPy oracle ({} with python3-numpy) does not run:\n{}", python_program(), python.output);
    return std::vector<NumpyResult>(jobs.size(), NumpyResult{error, {}});
  }
  const json results = json::parse(results_file);
  std::vector<NumpyResult> out;
  for (const json& result : results) out.push_back(read_result(folder.path(), result));
  return out;
}

}  // namespace jitc::cases
