// `--out NAME=FILE`: what `jitc run` keeps.
#pragma once

#include <string>
#include <vector>

#include "src/cli/run_arguments.hpp"

namespace jitc::cli {

/// An argument or a result, by its place as Run::index_of() counts, and its file.
struct Output {
  size_t index;
  std::string name;
  std::string path;
};

/// Throws io::InputError for unknown names, for files of no known kind and for a file given twice.
std::vector<Output> parse_outputs(const Run& run, const std::vector<std::string>& words);

/// Downloads and writes, one after the other. Throws io::InputError for what cannot be written, or is no picture.
void write_outputs(Run& run, const std::vector<Output>& outputs);

}  // namespace jitc::cli
