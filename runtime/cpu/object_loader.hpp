// Puts the machine code of one object file into memory, relocated and executable.
#pragma once

#include <memory>
#include <string>

#include "jitc/cpu_abi.hpp"

namespace jitc::runtime::cpu {

/// Code in memory; the destructor frees it.
class LoadedObject {
 public:
  virtual ~LoadedObject() = default;
  virtual CpuKernel entry() const = 0;
};

/// Links objects with LLVM's JITLink, symbols from the closed table alone. Safe from several threads at once.
class ObjectLoader {
 public:
  ObjectLoader();
  ~ObjectLoader();

  /// `elf` is an ELF object that defines the function `symbol`. Throws Error(internal) naming what does not link.
  std::unique_ptr<LoadedObject> load(const std::string& elf, const std::string& symbol) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace jitc::runtime::cpu
