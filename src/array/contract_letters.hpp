// Which letters of a contraction are which axes of its product of matrices.
#pragma once

#include <string>

#include "src/array/ir.hpp"

namespace jitc::array {

/// Letters of both factors and the result are batches; the others of the result are m or n, those that it lacks k.
struct ContractLetters {
  std::string batch, m, n, k;
};

inline ContractLetters letters_of(const Contract& contract) {
  const auto has = [](const std::string& labels, char c) { return labels.find(c) != std::string::npos; };
  ContractLetters out;
  for (const char c : contract.out_labels) {
    const bool in_a = has(contract.a_labels, c), in_b = has(contract.b_labels, c);
    (in_a && in_b ? out.batch : in_a ? out.m : out.n) += c;
  }
  for (const char c : contract.a_labels) {
    if (!has(contract.out_labels, c)) out.k += c;
  }
  return out;
}

}  // namespace jitc::array
