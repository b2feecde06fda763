// Calls functions that return arrays through the public API, as a folder of files says. jobs.json is
//   {device, text, buffers: [file, …], calls: [{function, args: [ARRAY or SCALAR, …], out: [ARRAY, …]}, …]}
// where ARRAY is {buffer, dtype, offset, shape, strides} and SCALAR {dtype, bits, imag_bits}. Every call starts from
// the buffers as they are in their files. results.json has, for each call, {error} or {results: [{dtype, shape,
// file}]}; given results are the buffers after the call, in the file that `after` names.
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

void write_array(const fs::path& file, const jitc::Array& array) {
  std::vector<char> bytes(static_cast<size_t>(array.size_bytes()));
  array.copy_to_host(bytes.data(), bytes.size());
  jitc::tests::write_bytes(file, bytes);
}

class Caller {
 public:
  Caller(fs::path folder, const json& jobs)
      : folder_(std::move(folder)),
        device_(jitc::Device::open(jobs["device"].get<std::string>())),
        program_(jitc::compile(jobs["text"].get<std::string>())) {
    for (const json& file : jobs["buffers"]) {
      contents_.push_back(jitc::tests::read_bytes(folder_ / file.get<std::string>()));
      buffers_.push_back(device_.empty({static_cast<int64_t>(contents_.back().size())}, jitc::u1));
    }
  }

  json call(const json& job, size_t number) {
    for (size_t i = 0; i < buffers_.size(); ++i) buffers_[i].copy_from_host(contents_[i].data(), contents_[i].size());
    std::vector<jitc::Argument> args;
    for (const json& arg : job["args"]) args.push_back(argument(arg));
    jitc::CallOptions options;
    if (job.contains("out")) {
      for (const json& out : job["out"]) options.out.push_back(argument(out));
    }
    json results = json::array();
    for (const jitc::Array& array : program_[job["function"].get<std::string>()].call_list(args, options)) {
      const std::string file = "call" + std::to_string(number) + "_" + std::to_string(results.size());
      write_array(folder_ / file, array);
      results.push_back({{"dtype", std::string(jitc::name(array.dtype()))}, {"shape", array.shape()}, {"file", file}});
    }
    if (job.contains("after")) {
      write_array(folder_ / job["after"].get<std::string>(), buffers_.at(job["out"][0]["buffer"].get<size_t>()));
    }
    return {{"results", results}};
  }

 private:
  jitc::Argument argument(const json& arg) const {
    const jitc::DType dtype = jitc::dtype_from_name(arg["dtype"].get<std::string>()).value();
    if (!arg.contains("buffer")) {
      return jitc::Scalar{dtype, arg["bits"].get<uint64_t>(), arg["imag_bits"].get<uint64_t>()};
    }
    return jitc::Array(buffers_.at(arg["buffer"].get<size_t>()).buffer(), dtype,
                       arg["shape"].get<std::vector<int64_t>>(), arg["strides"].get<std::vector<int64_t>>(),
                       arg["offset"].get<int64_t>());
  }

  fs::path folder_;
  jitc::Device device_;
  jitc::Program program_;
  std::vector<std::vector<char>> contents_;
  std::vector<jitc::Array> buffers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_calls FOLDER\n";
    return 2;
  }
  const fs::path folder = argv[1];
  const json jobs = json::parse(std::ifstream(folder / "jobs.json"));
  Caller caller(folder, jobs);
  json results = json::array();
  for (const json& job : jobs["calls"]) {
    try {
      results.push_back(caller.call(job, results.size()));
    } catch (const std::exception& error) { results.push_back({{"error", error.what()}}); }
  }
  std::ofstream(folder / "results.json") << results;
}
