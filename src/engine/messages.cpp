#include "src/engine/messages.hpp"

#include <fmt/format.h>

namespace jitc::engine {

DiagnosticMessage to_message(const source::SourceFile& file, const source::Diagnostic& diagnostic) {
  const source::DiagInfo& info = source::info(diagnostic.id);
  const source::LineColumn begin = file.position(diagnostic.span.begin);
  const source::LineColumn end = file.position(diagnostic.span.end);
  DiagnosticMessage out;
  out.code = fmt::format("JT{:04}", info.code);
  out.is_error = info.severity == source::Severity::kError;
  out.message = diagnostic.message;
  out.range = {begin.line, begin.column, end.line, end.column};
  out.help = diagnostic.help;
  out.rendered = source::render(file, diagnostic);
  return out;
}

std::vector<DiagnosticMessage> to_messages(const source::SourceFile& file,
                                           const std::vector<source::Diagnostic>& diagnostics) {
  std::vector<DiagnosticMessage> out;
  out.reserve(diagnostics.size());
  for (const source::Diagnostic& diagnostic : diagnostics) out.push_back(to_message(file, diagnostic));
  return out;
}

}  // namespace jitc::engine
