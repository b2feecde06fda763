#include "src/cli/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/io/input_error.hpp"
#include "src/sema/nearest.hpp"

namespace jitc::cli {

void fail(const std::string& message, const std::string& help) {
  throw io::InputError(ErrorCode::argument, message, help);
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates, std::string_view label) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  if (const auto nearest = sema::nearest_name(name, views)) return fmt::format("did you mean '{}'?", *nearest);
  return fmt::format("{}: {}", label, fmt::join(candidates, ", "));
}

}  // namespace jitc::cli
