// The outer form of a case: comment lines, `key: value` lines, and sections that begin with `=== name`.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace jitc::cases {

/// The case itself is wrong: unknown key, missing section, a value that cannot be read.
class CaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Key {
  std::string name;   ///< "mode", "arg x", "ptx-count 2"
  std::string value;  ///< continuation lines (indented) are joined with a space
};

struct Section {
  std::string name;
  std::string body;  ///< whole lines
};

struct CaseFile {
  std::filesystem::path path;
  std::string head;  ///< everything before the first section, verbatim
  std::vector<Key> keys;
  std::vector<Section> sections;

  const Section* find_section(const std::string& name) const;
  /// Replaces the section, or adds it at the end.
  void set_section(const std::string& name, std::string body);
};

/// Throws CaseError.
CaseFile read_case_file(const std::filesystem::path& path);

void write_case_file(const CaseFile& file);

}  // namespace jitc::cases
