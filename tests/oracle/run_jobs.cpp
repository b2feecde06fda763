// Runs kernels on the CPU through the public API, as a folder of files says: jobs.json is a list of
// {text, kernel, size, args: [{dtype, file}]}; every argument is an array of `size` elements, raw bytes in its file,
// and is written back there after the launch. An error is that job's result: errors.json, one string per job.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jitc/jitc.hpp"
#include "tests/oracle/files.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void run_job(const fs::path& folder, const json& job, const jitc::Device& device) {
  const jitc::Program program = jitc::compile(job["text"].get<std::string>());
  const int64_t size = job["size"];
  std::vector<jitc::Array> arrays;
  std::vector<jitc::Argument> args;
  for (const json& arg : job["args"]) {
    const std::vector<char> bytes = jitc::tests::read_bytes(folder / arg["file"].get<std::string>());
    const auto dtype = jitc::dtype_from_name(arg["dtype"].get<std::string>()).value();
    arrays.push_back(device.to_device(bytes.data(), {size}, dtype));
    args.emplace_back(arrays.back());
  }
  const auto blocks = static_cast<uint32_t>((size + 127) / 128);
  program[job["kernel"].get<std::string>()].launch_list({.grid = {blocks}, .block = {128}}, args);
  for (size_t i = 0; i < arrays.size(); ++i) {
    std::vector<char> bytes(static_cast<size_t>(arrays[i].size_bytes()));
    arrays[i].copy_to_host(bytes.data(), bytes.size());
    jitc::tests::write_bytes(folder / job["args"][i]["file"].get<std::string>(), bytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_jobs FOLDER\n";
    return 2;
  }
  const fs::path folder = argv[1];
  const jitc::Device device = jitc::Device::open("cpu");
  json errors = json::array();
  for (const json& job : json::parse(std::ifstream(folder / "jobs.json"))) {
    try {
      run_job(folder, job, device);
      errors.push_back("");
    } catch (const std::exception& error) { errors.push_back(error.what()); }
  }
  std::ofstream(folder / "errors.json") << errors;
}
