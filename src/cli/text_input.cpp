#include "src/cli/text_input.hpp"

#include <chrono>

#include "jitc/program.hpp"
#include "src/cli/stage_table.hpp"
#include "src/io/file.hpp"

namespace jitc::cli {

TextInput read_text(const std::string& file) {
  const auto begin = std::chrono::steady_clock::now();
  const bool is_stdin = file == "-";
  // One byte more than the compiler takes: enough for it to say so, even of /dev/zero.
  const std::vector<std::byte> bytes =
      io::read_file(is_stdin ? "/dev/stdin" : file, CompileOptions{}.max_source_bytes + 1);
  return {is_stdin ? "<stdin>" : file, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
          milliseconds_since(begin)};
}

}  // namespace jitc::cli
