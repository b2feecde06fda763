// Where the characters of a string literal's value stand in the text.
#pragma once

#include <optional>
#include <string>

#include "src/source/source_file.hpp"

namespace jitc::sema {

/// The text between the quotes of a plain string literal; nothing for raw, joined or escaped ones.
std::optional<source::Span> inside_quotes(const source::SourceFile& file, source::Span literal,
                                          const std::string& value);

}  // namespace jitc::sema
