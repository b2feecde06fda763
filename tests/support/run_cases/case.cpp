#include "tests/support/run_cases/case.hpp"

#include <charconv>
#include <functional>
#include <map>

namespace jitc::cases {

namespace {

uint64_t to_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) throw CaseError("not a number: " + std::string(text));
  return number;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == ',')
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

/// "4", "4,8", "4,8,2".
Dim3 to_dim3(const std::string& text) {
  const std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() > 3) throw CaseError("more than three extents: " + text);
  Dim3 out;
  uint32_t* const extents[] = {&out.x, &out.y, &out.z};
  for (size_t i = 0; i < parts.size(); ++i) *extents[i] = static_cast<uint32_t>(to_number(parts[i]));
  return out;
}

bool to_flag(const std::string& text) {
  if (text != "on" && text != "off") throw CaseError("neither on nor off: " + text);
  return text == "on";
}

Mode to_mode(const std::string& text) {
  static const std::map<std::string, Mode> kModes = {{"diagnostics", Mode::kDiagnostics},
                                                     {"run", Mode::kRun},
                                                     {"types", Mode::kTypes},
                                                     {"ir", Mode::kIr},
                                                     {"ptx", Mode::kPtx}};
  const auto found = kModes.find(text);
  if (found == kModes.end()) throw CaseError("no such mode: " + text);
  return found->second;
}

bool to_strided(const std::string& text) {
  if (text != "strided" && text != "contiguous") throw CaseError("neither strided nor contiguous: " + text);
  return text == "strided";
}

/// `bits`, `rel:1e-6` or `ulp:4`.
CompareRule to_compare_rule(const std::string& text) {
  if (text == "bits") return {};
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon != std::string::npos && kind == "rel") {
    return {CompareRule::Kind::kRelative, std::stod(text.substr(colon + 1)), 0};
  }
  if (colon != std::string::npos && kind == "ulp") {
    return {CompareRule::Kind::kUlp, 0, to_number(text.substr(colon + 1))};
  }
  throw CaseError("no such comparison: " + text);
}

/// "ptx-has", "ptx-lacks", "ptx-count 2", "asm-has", "asm-lacks"; false for other keys.
bool add_pattern(const Key& key, Case& out) {
  PatternCheck check;
  const std::string_view name = key.name;
  if (name.substr(0, 4) != "ptx-" && name.substr(0, 4) != "asm-") return false;
  check.text = name[0] == 'p' ? PatternCheck::Text::kPtx : PatternCheck::Text::kAsm;
  const std::string_view kind = name.substr(4);
  if (kind == "has") {
    check.kind = PatternCheck::Kind::kHas;
  } else if (kind == "lacks") {
    check.kind = PatternCheck::Kind::kLacks;
  } else if (kind.substr(0, 6) == "count ") {
    check.kind = PatternCheck::Kind::kCount;
    check.count = to_number(kind.substr(6));
  } else {
    return false;
  }
  check.pattern = key.value;
  check.regex = std::regex(key.value);
  out.patterns.push_back(std::move(check));
  return true;
}

using Reader = std::function<void(Case&, const std::string&)>;

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> kReaders = {
      {"mode", [](Case& c, const std::string& v) { c.mode = to_mode(v); }},
      {"kernel", [](Case& c, const std::string& v) { c.kernel = v; }},
      {"grid", [](Case& c, const std::string& v) { c.launch.grid = to_dim3(v); }},
      {"block", [](Case& c, const std::string& v) { c.launch.block = to_dim3(v); }},
      {"dynamic-shared",
       [](Case& c, const std::string& v) { c.launch.dynamic_shared_bytes = static_cast<uint32_t>(to_number(v)); }},
      {"out", [](Case& c, const std::string& v) { c.outs = split_at_commas(v); }},
      {"compare", [](Case& c, const std::string& v) { c.compare = to_compare_rule(v); }},
      {"runtime-error", [](Case& c, const std::string& v) { c.runtime_error = to_flag(v); }},
      {"gpu",
       [](Case& c, const std::string& v) {
         c.gpu_is_near = v == "near";
         c.runs_on_gpus = c.gpu_is_near || to_flag(v);
       }},
      {"agreement", [](Case& c, const std::string& v) { c.agreement = to_flag(v); }},
      {"check-code", [](Case& c, const std::string& v) { c.check_code = to_flag(v); }},
      {"program", [](Case& c, const std::string& v) { c.strided_program = to_strided(v); }},
      {"form", [](Case& c, const std::string& v) { c.form = parse_form(v); }},
      {"target", [](Case& c, const std::string& v) { c.target = v; }},
      {"entry", [](Case& c, const std::string& v) { c.options.entry = v; }},
      {"signature", [](Case& c, const std::string& v) { c.options.signature = v; }},
      {"check", [](Case& c, const std::string& v) { c.options.check = to_flag(v); }},
      {"warn-f64", [](Case& c, const std::string& v) { c.options.warn_f64 = to_flag(v); }},
      {"max-nesting",
       [](Case& c, const std::string& v) { c.options.max_nesting = static_cast<uint32_t>(to_number(v)); }},
      {"max-source-bytes", [](Case& c, const std::string& v) { c.options.max_source_bytes = to_number(v); }},
      {"max-nodes", [](Case& c, const std::string& v) { c.options.max_nodes = to_number(v); }},
      {"escapes", [](Case&, const std::string& v) { to_flag(v); }},
  };
  return kReaders;
}

void read_key(const Key& key, Case& out) {
  if (key.name.substr(0, 4) == "arg ") {
    out.args.emplace_back(key.name.substr(4), key.value);
  } else if (!add_pattern(key, out)) {
    const auto reader = readers().find(key.name);
    if (reader == readers().end()) throw CaseError("no such key: " + key.name);
    reader->second(out, key.value);
  }
}

/// `\xHH` is that byte and `\` before the end of a line removes the newline: for text that no editor keeps.
std::string unescaped(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\\x") == 0 && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else if (text.compare(i, 2, "\\\n") == 0) {
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

const std::string* Case::expect() const {
  const Section* section = file.find_section("expect");
  return section == nullptr ? nullptr : &section->body;
}

const std::string* Case::printed() const {
  const Section* section = file.find_section("stdout");
  return section == nullptr ? nullptr : &section->body;
}

Case parse_case(CaseFile file) {
  Case out;
  out.options.file_name = "case.dsl";
  bool escapes = false;
  for (const Key& key : file.keys) {
    read_key(key, out);
    escapes |= key.name == "escapes" && key.value == "on";
  }
  if (file.keys.empty() || file.keys.front().name != "mode") throw CaseError("the first key is not `mode`");
  for (const Section& section : file.sections) {
    if (section.name == "text")
      out.text = escapes ? unescaped(section.body) : section.body;
    else if (section.name == "numpy")
      out.numpy_script = section.body;
    else if (section.name != "expect" && section.name != "stdout")
      throw CaseError("no such section: " + section.name);
  }
  if (file.find_section("text") == nullptr) throw CaseError("there is no text");
  out.file = std::move(file);
  return out;
}

}  // namespace jitc::cases
