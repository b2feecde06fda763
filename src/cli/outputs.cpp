#include "src/cli/outputs.hpp"

#include <fmt/format.h>

#include "src/cli/failure.hpp"
#include "src/io/array_file.hpp"
#include "src/io/input_error.hpp"

namespace jitc::cli {

std::vector<Output> parse_outputs(const Run& run, const std::vector<std::string>& words) {
  std::vector<Output> out;
  for (const NamedText& named : parse_named(words, "--out")) {
    if (!io::is_array_file(named.text)) {
      fail(fmt::format("--out {}={}: the file must end in .npy, or for a picture in .png", named.name, named.text));
    }
    for (const Output& before : out) {
      if (before.path == named.text) fail(fmt::format("--out writes {} twice", named.text));
    }
    out.push_back({run.index_of(named.name, "--out"), named.name, named.text});
  }
  return out;
}

void write_outputs(Run& run, const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    try {
      io::write_array_file(output.path, download(run, output.index));
    } catch (const io::InputError& error) {
      if (error.code() != ErrorCode::argument) throw;
      // It begins with the path.
      throw io::InputError(error.code(), fmt::format("--out {}={}", output.name, error.what()), error.help());
    }
  }
}

}  // namespace jitc::cli
