// Syntax tree to typed module.
#pragma once

#include <string>

#include "src/sema/typed.hpp"
#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

struct AnalyzeOptions {
  std::string entry;        ///< kernel or ufunc that `signature` is for
  std::string signature;    ///< given beside the text
  bool only_entry = false;  ///< leaves out all others
  bool check = false;       ///< bounds checks in every function
  bool warn_f64 = false;
};

/// Types every kernel and ufunc for each of its signatures, and the device functions they call. Of one without a
/// signature, only what is wrong whatever the types is reported. Faults go to `sink`; kernels with faults are left out.
/// `ast` grows by the trees of signature strings.
TypedModule analyze(const source::SourceFile& file, syntax::Ast& ast, const AnalyzeOptions& options,
                    source::DiagnosticSink& sink);

/// The source lines of each function with the type of every variable beside them (jitc inspect --types).
std::string print_types(const source::SourceFile& file, const TypedModule& module);

}  // namespace jitc::sema
