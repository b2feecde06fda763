// The compiler as one value-to-value path: text -> checked module -> kernel programs -> artifacts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/codegen/codegen.hpp"
#include "src/kernel/ir.hpp"
#include "src/source/diagnostic.hpp"

namespace jitc::pipeline {

struct Options {
  std::string file_name = "<string>";
  std::string entry;      ///< kernel that `signature` is for
  std::string signature;  ///< given beside the text
  bool check = false;
  bool warn_f64 = false;
  uint32_t max_nesting = 256;
  size_t max_source_bytes = size_t{16} << 20;
  size_t max_nodes = size_t{1} << 20;
};

/// Milliseconds per stage, in order of first use.
struct StageTime {
  std::string stage;
  double ms;
};

/// One kernel with one signature, typed and lowered.
struct KernelVariant {
  std::string signature;             ///< canonical
  kernel::KernelProgram strided;     ///< right for all arrays of the signature
  kernel::KernelProgram contiguous;  ///< right when every array of layout `any` is C-contiguous
};

struct KernelGroup {
  std::string name;
  source::Span span;                    ///< of the name in its def
  std::vector<KernelVariant> variants;  ///< source order of the signatures
};

/// All that the front half knows about a text. Immutable and shared.
struct Module {
  source::SourceFile file;
  std::vector<source::Diagnostic> diagnostics;
  bool ok = false;  ///< no errors
  std::vector<KernelGroup> kernels;
  std::vector<StageTime> times;
};

/// Text to verified kernel programs. Never throws for a wrong program: see `diagnostics`.
std::shared_ptr<const Module> check(std::string_view text, const Options& options);

/// The dumps of the early stages (jitc inspect --tokens, --ast, --types). Diagnostics go to `diagnostics` rendered.
enum class EarlyDump : uint8_t { kTokens, kAst, kTypes };
std::string dump(std::string_view text, const Options& options, EarlyDump what, std::string& diagnostics);

}  // namespace jitc::pipeline
