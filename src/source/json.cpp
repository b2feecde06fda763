// Diagnostics as JSON for editors and scripts.
#include <nlohmann/json.hpp>

#include "src/source/diagnostic.hpp"
#include "src/source/visible.hpp"

namespace jitc::source {

namespace {

using Json = nlohmann::ordered_json;

Json position_json(const SourceFile& file, uint32_t offset) {
  const LineColumn at = file.position(offset);
  return {{"line", at.line}, {"column", at.column}, {"offset", offset}};
}

Json range_json(const SourceFile& file, Span span) {
  return {{"start", position_json(file, span.begin)}, {"end", position_json(file, span.end)}};
}

Json diagnostic_json(const SourceFile& file, const Diagnostic& diagnostic) {
  const DiagInfo& row = info(diagnostic.id);
  Json labels = Json::array();
  for (const Label& label : diagnostic.labels) {
    labels.push_back({{"range", range_json(file, label.span)}, {"text", visible(label.text)}});
  }
  Json out = {{"code", fmt::format("JT{:04}", row.code)},
              {"severity", spelling(row.severity)},
              {"message", visible(diagnostic.message)},
              {"file", visible(file.name())},
              {"range", range_json(file, diagnostic.span)},
              {"labels", std::move(labels)},
              {"help", nullptr},
              {"fixit", nullptr}};
  if (!diagnostic.help.empty()) out["help"] = visible(diagnostic.help);
  if (diagnostic.fixit) {
    out["fixit"] = {{"range", range_json(file, diagnostic.fixit->span)},
                    {"replacement", visible(diagnostic.fixit->replacement)}};
  }
  return out;
}

}  // namespace

std::string to_json(const SourceFile& file, const std::vector<Diagnostic>& diagnostics) {
  Json all = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) all.push_back(diagnostic_json(file, diagnostic));
  return all.dump(2);
}

}  // namespace jitc::source
