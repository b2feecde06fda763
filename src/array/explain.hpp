// Why one kernel reads from memory what another one has computed.
#pragma once

#include <string>
#include <vector>

#include "src/array/plan.hpp"
#include "src/array/print_names.hpp"

namespace jitc::array {

struct Boundary {
  NodeId value;
  uint32_t writer = 0, reader = 0;  ///< kernels
  std::string why;                  ///< with what would help, if the text can
};

/// In the order of the readers; kernels in steps are left out.
std::vector<Boundary> find_boundaries(const Plan& plan, const NodeNames& names);

}  // namespace jitc::array
