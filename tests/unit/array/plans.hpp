// Array functions of a text as plans.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "src/array/plan.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc {

struct CheckedText {
  std::shared_ptr<const pipeline::Module> module;

  const array::Plan& plan() const { return *module->kernels.at(0).variants.at(0).plan; }
};

/// One array function with this signature and body.
inline CheckedText check_array_function(const std::string& signature, const std::string& params,
                                        const std::string& body) {
  std::string text = "@jit(\"" + signature + "\")\ndef f(" + params + "):\n";
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size());
    text += "    " + body.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  CheckedText out{pipeline::check(text, {})};
  for (const source::Diagnostic& d : out.module->diagnostics) UNSCOPED_INFO(d.message);
  REQUIRE(out.module->ok);
  return out;
}

struct KernelCounts {
  int maps = 0, rows = 0, contractions = 0;
  bool operator==(const KernelCounts&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const KernelCounts& c) {
  return out << c.maps << " maps, " << c.rows << " rows, " << c.contractions << " contractions";
}

/// Those that a call with rows of up to 4096 elements launches.
inline KernelCounts count_kernels(const array::Plan& plan) {
  KernelCounts out;
  for (const array::Kernel& k : plan.kernels) {
    if (k.is_step) continue;
    out.maps += std::holds_alternative<array::MapKernel>(k.kind) ? 1 : 0;
    out.rows += std::holds_alternative<array::RowsKernel>(k.kind) ? 1 : 0;
    out.contractions += std::holds_alternative<array::ContractLaunch>(k.kind) ? 1 : 0;
  }
  return out;
}

inline KernelCounts kernels_of(const std::string& signature, const std::string& params, const std::string& body) {
  return count_kernels(check_array_function(signature, params, body).plan());
}

}  // namespace jitc
