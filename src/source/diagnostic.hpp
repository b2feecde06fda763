// What jitc says about the user's program: one table of kinds, a sink that collects them, and two ways to show them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "src/source/source_file.hpp"

namespace jitc::source {

enum class Severity : uint8_t { kError, kWarning };

/// "error", "warning".
const char* spelling(Severity severity);

/// One value per row of diagnostics.def.
enum class DiagId : uint16_t {
#define JITC_DIAG(code, id, severity, text) id,
#include "src/source/diagnostics.def"
#undef JITC_DIAG
};

struct DiagInfo {
  uint16_t code;  ///< printed as JT0123
  Severity severity;
  std::string_view name;  ///< the id as written in the table
  std::string_view text;  ///< fmt format of the message
};

const DiagInfo& info(DiagId id);
size_t diag_count();

/// The other half of the story: a second range with its own words ("first defined here").
struct Label {
  Span span;
  std::string text;
};

/// Replacing `span` by `replacement` repairs the program.
struct FixIt {
  Span span;
  std::string replacement;
};

struct Diagnostic {
  DiagId id;
  Span span;
  std::string message;
  std::vector<Label> labels;
  std::string help;
  std::optional<FixIt> fixit;
};

/// Collects diagnostics in the order they are found. Not thread-safe: one sink per compile.
class DiagnosticSink {
 public:
  /// Lets the reporter add to the diagnostic it has just made. Valid until the next report.
  class Handle {
   public:
    explicit Handle(Diagnostic* diagnostic) : diagnostic_(diagnostic) {}
    Handle& label(Span span, std::string text);
    Handle& help(std::string text);
    Handle& fixit(Span span, std::string replacement);

   private:
    friend class DiagnosticSink;
    Diagnostic* diagnostic_;
  };

  explicit DiagnosticSink(size_t max_errors = 50) : max_errors_(max_errors) {}

  /// Formats the row's text with `args`. A repetition of the same kind at the same place is dropped.
  template <class... Args>
  Handle report(DiagId id, Span span, const Args&... args) {
    return add(id, span, fmt::vformat(info(id).text, fmt::make_format_args(args...)));
  }

  /// Takes over what another sink has collected.
  void report_again(const Diagnostic& diagnostic);

  bool has_errors() const { return error_count_ != 0; }
  size_t error_count() const { return error_count_; }
  /// True once max_errors were reported; stages stop early then.
  bool full() const { return error_count_ >= max_errors_; }
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  /// Puts what was reported in the order of the text; at the same place the order of the reports stays.
  void sort_by_position();

 private:
  Handle add(DiagId id, Span span, std::string message);

  std::vector<Diagnostic> diagnostics_;
  std::set<std::tuple<DiagId, uint32_t, uint32_t>> seen_;
  /// Where the Handle of a dropped report writes.
  Diagnostic discarded_{};
  size_t error_count_ = 0;
  size_t max_errors_;
};

/// `file:line:col: error[JT0123]: message`, the line, carets, labels and help. Ends with a newline.
std::string render(const SourceFile& file, const Diagnostic& diagnostic);
std::string render_all(const SourceFile& file, const std::vector<Diagnostic>& diagnostics);
/// A JSON array with code, severity, message, file, range (line/column/offset), labels, help and fix-it of each.
std::string to_json(const SourceFile& file, const std::vector<Diagnostic>& diagnostics);

}  // namespace jitc::source
