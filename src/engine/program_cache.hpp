// What was compiled of a text, for all programs of that text in the process.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/engine/engine.hpp"
#include "src/engine/once_map.hpp"

namespace jitc::engine {

/// One compiled form of a function.
struct VariantKey {
  size_t signature = 0;
  uint32_t part = 0;        ///< of an array function: the kernel's number in its plan
  bool contiguous = false;  ///< kernels
  kernel::CallForm form;    ///< what returns arrays
  codegen::Target::Kind kind = codegen::Target::Kind::cpu;
  int sm = 0;

  auto operator<=>(const VariantKey&) const = default;
};

/// A lowered form of a ufunc.
struct FormKey {
  size_t signature = 0;
  uint32_t part = 0;
  kernel::CallForm form;

  auto operator<=>(const FormKey&) const = default;
};

/// What was made of one function so far; nothing here is of a device.
struct CompiledFunction {
  mutable OnceMap<FormKey, kernel::KernelProgram> forms;
  mutable OnceMap<VariantKey, CompiledVariant> compiled;
};

struct CompiledProgram {
  std::shared_ptr<const pipeline::Module> module;
  codegen::EmitOptions emit_options;
  Emit emit;
  std::vector<DiagnosticMessage> warnings;
  std::deque<CompiledFunction> functions;  ///< as in the module
};

/// Throws CompileError when `module->ok` is false.
std::shared_ptr<const CompiledProgram> start_compiling(std::shared_ptr<const pipeline::Module> module, Emit emit,
                                                       codegen::EmitOptions emit_options = {});

/// A program that stands on what was compiled before.
Program make_program(std::shared_ptr<const CompiledProgram> compiled);

/// The last programs that were asked for, by text and options. Thread-safe.
class ProgramCache {
 public:
  using Make = std::function<std::shared_ptr<const CompiledProgram>()>;

  /// Not kept are programs with functions that are typed by their calls, because each has the signatures that its own
  /// calls made, and those with a math library from a file, which may change.
  std::shared_ptr<const CompiledProgram> get(std::string_view source, const CompileOptions& options, const Make& make);
  void clear();

 private:
  struct Entry {
    size_t hash;
    std::string source;
    CompileOptions options;
    std::shared_ptr<const CompiledProgram> program;
  };

  std::shared_ptr<const CompiledProgram> find(size_t hash, std::string_view source, const CompileOptions& options);
  void keep(Entry entry);

  std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the one used last at the end
};

/// The cache of the whole process.
ProgramCache& program_cache();

}  // namespace jitc::engine
