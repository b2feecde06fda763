#include "src/base/check.hpp"

#include <string_view>

namespace jitc::base {

namespace {

/// The path below the repository root, so that messages hold no machine paths.
std::string_view below_root(std::string_view file) {
  for (std::string_view top : {"/src/", "/runtime/"}) {
    if (const size_t at = file.rfind(top); at != std::string_view::npos) return file.substr(at + 1);
  }
  return file;
}

}  // namespace

void fail_check(const char* file, int line, const char* condition, const std::string& why) {
  throw InternalError(std::string(below_root(file)) + ":" + std::to_string(line) + ": " + why + " (" + condition +
                      " is false)");
}

}  // namespace jitc::base
