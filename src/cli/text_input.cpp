#include "src/cli/text_input.hpp"

#include <chrono>

#include "src/cli/stage_table.hpp"
#include "src/io/file.hpp"

namespace jitc::cli {

TextInput read_text(const std::string& file) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_stdin = file == "-";
  const std::vector<std::byte> bytes = io::read_file(is_stdin ? "/dev/stdin" : file);
  return {is_stdin ? "<stdin>" : file, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
          milliseconds_since(begin)};
}

}  // namespace jitc::cli
