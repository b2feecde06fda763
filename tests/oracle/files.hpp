// Raw bytes in files, as the scripts and the programs of this folder exchange them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace jitc::tests {

inline std::vector<char> read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void write_bytes(const std::filesystem::path& file, const std::vector<char>& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace jitc::tests
