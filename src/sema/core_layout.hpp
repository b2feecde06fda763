// The layout of a generalised ufunc: "(m,n),(n,p)->(m,p)" says which trailing dimensions of each argument and result
// one call of its function sees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/source/diagnostic.hpp"

namespace jitc::sema {

/// One core dimension: a symbol, whose extent the arguments of a call give, or a constant extent.
struct CoreDim {
  std::string symbol;  ///< empty for a constant
  int64_t extent = 0;  ///< of a constant
  source::Span span;
};

/// The core dimensions of one argument or result; none for "()".
struct CoreShape {
  std::vector<CoreDim> dims;
  source::Span span;

  int rank() const { return static_cast<int>(dims.size()); }
};

struct CoreLayout {
  std::vector<CoreShape> inputs, outputs;
  source::Span span;

  size_t param_count() const { return inputs.size() + outputs.size(); }
  /// Of the function's parameters: inputs, then outputs.
  const CoreShape& shape(size_t param) const {
    return param < inputs.size() ? inputs[param] : outputs[param - inputs.size()];
  }
};

/// "(m,n)", "()".
std::string to_string(const CoreShape& shape);
/// "(m,n),(n,p)->(m,p)".
std::string to_string(const CoreLayout& layout);

/// Reads the value of a string literal:
///
///     layout = shapes "->" shapes
///     shapes = shape { "," shape } [ "," ]
///     shape  = "(" [ dim { "," dim } [ "," ] ] ")"
///     dim    = name | number
///
/// Every symbol of an output must be one of an input. Nothing after a report, which points at the place in the
/// literal; at all of it where `inside` (the text between its quotes) is not known.
std::optional<CoreLayout> parse_core_layout(std::string_view value, source::Span literal,
                                            std::optional<source::Span> inside, source::DiagnosticSink& sink);

}  // namespace jitc::sema
