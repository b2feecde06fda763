// A cache folder of a test's own, gone at its end.
#pragma once

#include <fstream>
#include <sstream>

#include "src/cache/entry.hpp"
#include "src/cache/settings.hpp"
#include "tests/support/temporary_folder.hpp"

namespace jitc::cache {

class TemporaryFolder : public test::TemporaryFolder {
 public:
  Settings settings() const {
    Settings settings;
    settings.folder = file("cache");
    return settings;
  }
  std::string entry(std::string_view build, std::string_view key) const {
    return file("cache/entries/" + entry_name(build, key));
  }
};

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string read_bytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace jitc::cache
