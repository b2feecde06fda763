#include "src/sema/literal_text.hpp"

namespace jitc::sema {

using source::Span;

std::optional<Span> inside_quotes(const source::SourceFile& file, Span literal, const std::string& value) {
  const std::string_view text = file.text(literal);
  const size_t at = text.find_first_of("'\"");
  if (at == std::string_view::npos) return std::nullopt;
  const bool triple = text.size() >= at + 6 && text.substr(at, 3) == std::string(3, text[at]);
  const uint32_t quotes = triple ? 3 : 1;
  const Span inner{literal.begin + static_cast<uint32_t>(at) + quotes, literal.end - quotes};
  if (inner.end < inner.begin || file.text(inner) != value) return std::nullopt;
  return inner;
}

}  // namespace jitc::sema
