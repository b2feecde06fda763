// What this folder throws: an error of a file or of a SPEC, with what the user can do about it.
#pragma once

#include <string>
#include <utility>

#include "jitc/error.hpp"

namespace jitc::io {

class InputError : public Error {
 public:
  InputError(ErrorCode code, const std::string& message, std::string help = {})
      : Error(code, message), help_(std::move(help)) {}

  /// One line without a final stop; may be empty.
  const std::string& help() const noexcept { return help_; }

 private:
  std::string help_;
};

}  // namespace jitc::io
