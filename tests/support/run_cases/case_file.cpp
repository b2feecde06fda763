#include "tests/support/run_cases/case_file.hpp"

#include <fstream>
#include <sstream>

namespace jitc::cases {

namespace {

constexpr std::string_view kSectionMark = "=== ";

std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CaseError("cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// One line of the head: a comment, an empty line, a key, or the continuation of one.
void add_head_line(std::string_view line, std::vector<Key>& keys) {
  if (line.empty() || line.front() == '#') return;
  if (line.front() == ' ') {
    if (keys.empty()) throw CaseError("an indented line before the first key");
    keys.back().value += " " + trimmed(line);
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) throw CaseError("not a key: " + std::string(line));
  keys.push_back({trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))});
}

}  // namespace

const Section* CaseFile::find_section(const std::string& name) const {
  for (const Section& section : sections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

CaseFile read_case_file(const std::filesystem::path& path) {
  CaseFile file{.path = path};
  const std::string text = read_all(path);
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = text.find('\n', begin);
    const size_t end = newline == std::string::npos ? text.size() : newline;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.substr(0, kSectionMark.size()) == kSectionMark) {
      file.sections.push_back({trimmed(line.substr(kSectionMark.size())), {}});
    } else if (file.sections.empty()) {
      add_head_line(line, file.keys);
      file.head += std::string(line) + "\n";
    } else {
      file.sections.back().body += std::string(line) + "\n";
    }
    begin = end + 1;
  }
  return file;
}

void CaseFile::set_section(const std::string& name, std::string body) {
  for (Section& section : sections) {
    if (section.name == name) return void(section.body = std::move(body));
  }
  sections.push_back({name, std::move(body)});
}

void write_case_file(const CaseFile& file) {
  std::ofstream out(file.path, std::ios::binary);
  out << file.head;
  for (const Section& section : file.sections) out << kSectionMark << section.name << "\n" << section.body;
  if (!out) throw CaseError("cannot be written");
}

}  // namespace jitc::cases
