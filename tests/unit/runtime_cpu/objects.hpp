// The hand-written kernels as Artifacts.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "jitc/artifact.hpp"

namespace jitc::tests {

inline std::string read_object(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline Artifact object_artifact(const std::string& symbol, const std::string& path = JITC_TEST_KERNELS) {
  Artifact artifact;
  artifact.kind = Artifact::Kind::cpu_object;
  artifact.code = read_object(path);
  artifact.symbol = symbol;
  artifact.name = symbol;
  artifact.file = "case.dsl";
  return artifact;
}

}  // namespace jitc::tests
