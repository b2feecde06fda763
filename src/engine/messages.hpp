// The compiler's diagnostics as the public API shows them.
#pragma once

#include <vector>

#include "jitc/error.hpp"
#include "src/source/diagnostic.hpp"

namespace jitc::engine {

DiagnosticMessage to_message(const source::SourceFile& file, const source::Diagnostic& diagnostic);
std::vector<DiagnosticMessage> to_messages(const source::SourceFile& file,
                                           const std::vector<source::Diagnostic>& diagnostics);

}  // namespace jitc::engine
