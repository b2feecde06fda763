#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "src/sema/sema.hpp"

namespace jitc::sema {

namespace {

/// "x: f4" entries of one function by source line.
using Notes = std::map<uint32_t, std::vector<std::string>>;

void add_note(Notes& notes, uint32_t line, std::string text) {
  auto& list = notes[line];
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

/// The line where the last statement or expression of the function begins.
uint32_t last_line(const source::SourceFile& file, const TypedFunction& f) {
  uint32_t last = file.position(f.span.begin).line;
  for (const Stmt& s : f.stmts)
    last = std::max(last, file.position(s.span.end > s.span.begin ? s.span.end - 1 : s.span.begin).line);
  return last;
}

void print_function(const source::SourceFile& file, const types::TypeTable& types, std::string_view what,
                    const TypedFunction& f, std::string& out) {
  out += fmt::format("{} {}: {}\n", what, f.name, f.signature);
  Notes notes;
  for (const Variable& v : f.vars) {
    if (!v.temporary)
      add_note(notes, file.position(v.span.begin).line, fmt::format("{}: {}", v.name, types.to_string(v.type)));
  }
  const uint32_t first = file.position(f.span.begin).line, last = last_line(file, f);
  size_t width = 0;
  for (uint32_t line = first; line <= last; ++line)
    width = std::max(width, std::min<size_t>(file.line(line).size(), 76));
  for (uint32_t line = first; line <= last; ++line) {
    const std::string text(file.line(line));
    const auto it = notes.find(line);
    if (it == notes.end()) {
      out += fmt::format("{:>5} | {}\n", line, text);
    } else {
      out += fmt::format("{:>5} | {:<{}}  # {}\n", line, text, width, fmt::join(it->second, ", "));
    }
  }
  out += "\n";
}

}  // namespace

std::string print_types(const source::SourceFile& file, const TypedModule& module) {
  std::string out;
  for (const auto& f : module.device_functions) print_function(file, *module.types, "device function", *f, out);
  for (const TypedKernel& k : module.kernels) {
    const char* what = spelling(k.kind);
    for (const auto& f : k.variants) print_function(file, *module.types, what, *f, out);
    if (k.variants.empty()) out += fmt::format("{} {}: no signature, typed at its first call\n\n", what, k.name);
  }
  return out;
}

}  // namespace jitc::sema
