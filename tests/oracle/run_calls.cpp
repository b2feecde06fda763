// Calls functions that return arrays through the public API, as a folder of files says. jobs.json is
//   {device, texts: [TEXT, …], buffers: [file, …], calls: [{text, function, args: [ARRAY or SCALAR, …], out: [ARRAY,
//   …],
//    after: [{buffer, file}, …]}, …]}
// where ARRAY is {buffer, dtype, offset, shape, strides}, SCALAR {dtype, bits, imag_bits}, and `text` an index, 0 if
// absent. Every call starts from its buffers as they are in their files. results.jsonl has one line for each call,
// {error} or {results: [{dtype, shape, offset}]} with the place of the bytes in results.bin; `after` says which buffers
// are written to files after the call. With a second argument the calls start at that one and the files go on: a
// call that ends the process is the one after the last line.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
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
        texts_(jobs["texts"].get<std::vector<std::string>>()),
        data_(folder_ / "results.bin", std::ios::binary | std::ios::app) {
    for (const json& file : jobs["buffers"]) {
      contents_.push_back(jitc::tests::read_bytes(folder_ / file.get<std::string>()));
      buffers_.push_back(device_.empty({static_cast<int64_t>(contents_.back().size())}, jitc::u1));
    }
  }

  json call(const json& job) {
    const jitc::Program& program = compiled(job.value("text", size_t{0}));
    std::vector<jitc::Argument> args;
    for (const json& arg : job["args"]) args.push_back(argument(arg));
    jitc::CallOptions options;
    for (const json& out : job.value("out", json::array())) options.out.push_back(argument(out));
    json results = json::array();
    for (const jitc::Array& array : program[job["function"].get<std::string>()].call_list(args, options)) {
      results.push_back({{"dtype", std::string(jitc::name(array.dtype()))}, {"shape", array.shape()}});
      results.back()["offset"] = append(array);
    }
    for (const json& after : job.value("after", json::array())) {
      write_array(folder_ / after["file"].get<std::string>(), buffers_.at(after["buffer"].get<size_t>()));
    }
    return {{"results", results}};
  }

 private:
  /// The program of the last call stays; calls of one text stand together.
  const jitc::Program& compiled(size_t index) {
    if (!program_ || index != program_index_) {
      program_.reset();
      program_ = jitc::compile(texts_.at(index));
      program_index_ = index;
    }
    return *program_;
  }

  int64_t append(const jitc::Array& array) {
    std::vector<char> bytes(static_cast<size_t>(array.size_bytes()));
    array.copy_to_host(bytes.data(), bytes.size());
    data_.seekp(0, std::ios::end);
    const auto offset = static_cast<int64_t>(data_.tellp());
    data_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    return offset;
  }

  jitc::Argument argument(const json& arg) {
    const jitc::DType dtype = jitc::dtype_from_name(arg["dtype"].get<std::string>()).value();
    if (!arg.contains("buffer")) {
      return jitc::Scalar{dtype, arg["bits"].get<uint64_t>(), arg["imag_bits"].get<uint64_t>()};
    }
    const auto index = arg["buffer"].get<size_t>();
    buffers_.at(index).copy_from_host(contents_.at(index).data(), contents_[index].size());
    return jitc::Array(buffers_[index].buffer(), dtype, arg["shape"].get<std::vector<int64_t>>(),
                       arg["strides"].get<std::vector<int64_t>>(), arg["offset"].get<int64_t>());
  }

  fs::path folder_;
  jitc::Device device_;
  std::vector<std::string> texts_;
  std::ofstream data_;
  std::optional<jitc::Program> program_;
  size_t program_index_ = 0;
  std::vector<std::vector<char>> contents_;
  std::vector<jitc::Array> buffers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: run_calls FOLDER [FIRST CALL]\n";
    return 2;
  }
  const fs::path folder = argv[1];
  const json jobs = json::parse(std::ifstream(folder / "jobs.json"));
  Caller caller(folder, jobs);
  std::ofstream results(folder / "results.jsonl", std::ios::app);
  for (size_t k = argc == 3 ? std::stoul(argv[2]) : 0; k < jobs["calls"].size(); ++k) {
    try {
      results << caller.call(jobs["calls"][k]) << std::endl;
    } catch (const std::exception& error) { results << json{{"error", error.what()}} << std::endl; }
  }
}
