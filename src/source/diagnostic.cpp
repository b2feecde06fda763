#include "src/source/diagnostic.hpp"

#include <algorithm>
#include <iterator>

#include "src/base/check.hpp"

namespace jitc::source {

namespace {

constexpr DiagInfo kTable[] = {
#define JITC_DIAG(code, id, severity, text) {code, Severity::severity, #id, text},
#include "src/source/diagnostics.def"
#undef JITC_DIAG
};

}  // namespace

const DiagInfo& info(DiagId id) {
  const auto row = static_cast<size_t>(id);
  JITC_CHECK(row < std::size(kTable), "no such diagnostic");
  return kTable[row];
}

const char* spelling(Severity severity) { return severity == Severity::kError ? "error" : "warning"; }

size_t diag_count() { return std::size(kTable); }

DiagnosticSink::Handle& DiagnosticSink::Handle::label(Span span, std::string text) {
  diagnostic_->labels.push_back({span, std::move(text)});
  return *this;
}

DiagnosticSink::Handle& DiagnosticSink::Handle::help(std::string text) {
  diagnostic_->help = std::move(text);
  return *this;
}

DiagnosticSink::Handle& DiagnosticSink::Handle::fixit(Span span, std::string replacement) {
  diagnostic_->fixit = FixIt{span, std::move(replacement)};
  return *this;
}

void DiagnosticSink::sort_by_position() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
}

void DiagnosticSink::report_again(const Diagnostic& diagnostic) {
  Diagnostic& copy = *add(diagnostic.id, diagnostic.span, diagnostic.message).diagnostic_;
  copy.labels = diagnostic.labels;
  copy.help = diagnostic.help;
  copy.fixit = diagnostic.fixit;
}

DiagnosticSink::Handle DiagnosticSink::add(DiagId id, Span span, std::string message) {
  const bool is_error = info(id).severity == Severity::kError;
  discarded_ = {};
  if (is_error && full()) return Handle(&discarded_);
  if (!seen_.emplace(id, span.begin, span.end).second) return Handle(&discarded_);
  if (is_error) ++error_count_;
  diagnostics_.push_back({id, span, std::move(message), {}, {}, {}});
  return Handle(&diagnostics_.back());
}

}  // namespace jitc::source
