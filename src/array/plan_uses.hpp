// Small questions about the kernels of a plan.
#pragma once

#include <span>
#include <vector>

#include "src/array/plan.hpp"
#include "src/base/match.hpp"

namespace jitc::array {

/// What the kernel reads; of a contraction the left factor's operands, the right one's, and the epilogue's.
inline std::vector<NodeId> operands_of(const Kernel& kernel) {
  return base::match(
      kernel.kind, [](const MapKernel& k) { return k.operands; }, [](const RowsKernel& k) { return k.operands; },
      [](const ContractLaunch& k) {
        std::vector<NodeId> out = k.a_operands;
        out.insert(out.end(), k.b_operands.begin(), k.b_operands.end());
        out.insert(out.end(), k.epilogue_operands.begin(), k.epilogue_operands.end());
        return out;
      });
}

inline const std::vector<Result>& results_of(const Kernel& kernel) {
  return base::match(kernel.kind, [](const auto& k) -> const std::vector<Result>& { return k.results; });
}

/// The kernels that a call may launch in its place.
inline std::span<const uint32_t> steps_of(const Kernel& kernel) {
  return base::match(
      kernel.kind, [](const MapKernel&) { return std::span<const uint32_t>(); },
      [](const auto& k) { return std::span<const uint32_t>(k.in_steps); });
}

}  // namespace jitc::array
