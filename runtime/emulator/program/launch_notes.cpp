#include "runtime/emulator/program/launch_notes.hpp"

#include <algorithm>
#include <charconv>

namespace jitc::emulator {
namespace {

/// Takes what stands before the separator, which goes as well; all where there is none.
std::string_view take(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return part;
}

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Bytes of "f4", "c16", "bf16": complex numbers count both parts, bf16 alone counts bits. 0 for what is no type.
uint32_t elem_bytes(std::string_view scalar) {
  if (scalar == "bf16") return 2;
  return scalar.empty() ? 0 : number(scalar.substr(1)).value_or(0);
}

// argument: name ': ' type; type: scalar ('[' axis (',' axis)* ']')?
std::optional<ArgumentNote> read_argument(std::string_view text) {
  ArgumentNote note;
  note.name = take(text, ": ");
  note.type = text;
  const std::string_view scalar = text.substr(0, text.find('['));
  note.elem_bytes = elem_bytes(scalar);
  if (note.elem_bytes == 0) return std::nullopt;
  if (scalar.size() != text.size()) note.rank = static_cast<uint32_t>(std::count(text.begin(), text.end(), ',')) + 1;
  note.extents.resize(note.rank);
  note.strides.resize(note.rank);
  note.is_fortran_order = note.rank > 1 && text.find("[::1") != std::string_view::npos;
  return note;
}

// head: '// ' name '(' (argument (', ' argument)*)? ')'
bool read_head(std::string_view line, LaunchNotes& notes) {
  if (!skip(line, "// ") || !line.ends_with(")")) return false;
  line.remove_suffix(1);
  take(line, "(");
  while (!line.empty()) {
    const auto argument = read_argument(take(line, ", "));
    if (!argument) return false;
    notes.arguments.push_back(*argument);
  }
  return true;
}

/// Sets what lies at the offset: '.data', '.shape[0]', '.strides[0]'; nothing for a scalar.
bool set_part(ArgumentNote& argument, std::string_view part, uint32_t offset_bytes) {
  if (part.empty()) return true;
  if (part == ".data") return argument.data = offset_bytes, true;
  auto& list = part.starts_with(".shape[") ? argument.extents : argument.strides;
  if (!skip(part, ".shape[") && !skip(part, ".strides[")) return false;
  const auto axis = number(take(part, "]"));
  if (!axis || *axis >= list.size()) return false;
  list[*axis] = offset_bytes;
  return true;
}

// line: '//   ' ('param' | 'byte') number ': ' name part
bool read_param(std::string_view line, const std::vector<ParamPlace>& params, LaunchNotes& notes) {
  if (!skip(line, "//   ")) return false;
  const std::string_view unit = take(line, " ");
  const auto place = number(take(line, ": "));
  if (!place || (unit == "param" && *place >= params.size())) return false;
  if (line == "the address of these") return notes.are_in_memory = true;
  const uint32_t offset = unit == "param" ? params[*place].offset_bytes : *place;
  const std::string_view name = line.substr(0, line.find('.'));
  const auto argument = std::find_if(notes.arguments.begin(), notes.arguments.end(),
                                     [&](const ArgumentNote& one) { return one.name == name; });
  return argument != notes.arguments.end() && set_part(*argument, line.substr(name.size()), offset);
}

}  // namespace

LaunchNotes read_launch_notes(std::string_view comment, const std::vector<ParamPlace>& params) {
  LaunchNotes notes;
  if (!read_head(take(comment, "\n"), notes)) return {};
  while (!comment.empty()) {
    if (!read_param(take(comment, "\n"), params, notes)) return {};
  }
  return notes;
}

}  // namespace jitc::emulator
