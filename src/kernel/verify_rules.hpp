// The parts of the verifier, for its own files.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "src/kernel/ops.hpp"

/// Types print as to_string() has them.
template <>
struct fmt::formatter<jitc::kernel::Type> : fmt::formatter<std::string> {
  template <class Context>
  auto format(jitc::kernel::Type type, Context& context) const {
    return fmt::formatter<std::string>::format(jitc::kernel::to_string(type), context);
  }
};

namespace jitc::kernel {

/// Collects the broken rules, each with the place it was found at. Text is made only for broken ones.
class RuleReport {
 public:
  explicit RuleReport(const KernelProgram& program) : program_(program) {}

  const KernelProgram& program() const { return program_; }
  /// The node that is being checked: "expr", 7.
  void at(const char* what, size_t index) {
    what_ = what;
    index_ = index;
  }
  template <class... Args>
  void require(bool holds, const char* rule, const Args&... args) {
    if (holds) return;
    errors_.push_back(fmt::format("{} {}: ", what_, index_) + fmt::vformat(rule, fmt::make_format_args(args...)));
  }
  bool clean() const { return errors_.empty(); }
  std::vector<std::string> take() { return std::move(errors_); }

 private:
  const KernelProgram& program_;
  const char* what_ = "";
  size_t index_ = 0;
  std::vector<std::string> errors_;
};

/// Ids, ranges and order: after these hold, every id can be followed.
void verify_references(RuleReport& report);
/// Parameters against arguments.
void verify_params(RuleReport& report);
/// Types of expressions and their operands.
void verify_exprs(RuleReport& report);
/// Types, labels and shape of the statements.
void verify_stmts(RuleReport& report);
/// The typing rule that loads, stores and addresses share.
void verify_ref(RuleReport& report, const MemRef& ref);

}  // namespace jitc::kernel
