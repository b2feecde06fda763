// Typed array functions to array programs.
#pragma once

#include <memory>
#include <stdexcept>

#include "src/array/ir.hpp"
#include "src/source/source_file.hpp"

namespace jitc::array {

/// The function has what array programs have no form for; the diagnostic says what.
class NotAnArrayProgram : public std::runtime_error {
 public:
  NotAnArrayProgram(Span span, const std::string& what) : std::runtime_error(what), span_(span) {}
  Span span() const { return span_; }

 private:
  Span span_;
};

/// The functions that it calls with whole arrays are inlined. Throws NotAnArrayProgram. The result verifies.
Program build(const source::SourceFile& file, const types::TypeTable& types, const sema::TypedFunction& function);

}  // namespace jitc::array
