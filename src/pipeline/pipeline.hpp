// The compiler as one value-to-value path: text -> checked module -> kernel programs -> artifacts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/array/plan.hpp"
#include "src/codegen/codegen.hpp"
#include "src/kernel/ir.hpp"
#include "src/kernel/lower.hpp"
#include "src/sema/typed.hpp"
#include "src/source/diagnostic.hpp"

namespace jitc::pipeline {

struct Options {
  std::string file_name = "<string>";
  std::string entry;        ///< kernel or ufunc that `signature` is for
  std::string signature;    ///< given beside the text
  bool only_entry = false;  ///< leaves out all others
  bool check = false;
  bool warn_f64 = false;
  bool line_info = false;
  uint32_t max_nesting = 256;
  size_t max_source_bytes = size_t{16} << 20;
  size_t max_nodes = size_t{1} << 20;
};

/// Milliseconds per stage, in order of first use.
struct StageTime {
  std::string stage;
  double ms;
};

using sema::EntryKind;

/// One kernel, ufunc, gufunc or reduction with one signature, typed and lowered.
struct KernelVariant {
  std::string signature;             ///< canonical
  kernel::KernelProgram strided;     ///< right for all arrays of the signature
  kernel::KernelProgram contiguous;  ///< right when every array of layout `any` is C-contiguous
  /// Of what is called: the function of one element, of one core, or of two elements. Both programs are then its kernel
  /// of one form.
  std::shared_ptr<const sema::TypedFunction> scalar_function = nullptr;
  kernel::CallForm form = {};
  uint8_t elems_in_group = 1;                         ///< of a GPU's thread, where the addresses allow more than one
  std::shared_ptr<const array::Plan> plan = nullptr;  ///< of an array function: what a call of it runs
};

struct KernelGroup {
  std::string name;
  source::Span span;                    ///< of the name in its def
  std::vector<KernelVariant> variants;  ///< source order of the signatures; none: typed by its calls, see specialize()
  EntryKind kind = EntryKind::kKernel;
  std::vector<std::string> params = {};  ///< names; of a gufunc those of its inputs, of a reduction "array"
  std::shared_ptr<const sema::CoreLayout> layout = nullptr;  ///< of a gufunc
  std::optional<sema::Constant> identity = std::nullopt;     ///< of a ufunc: what a reduction of no elements gives
  bool only_by_name = false;  ///< meant only where it is named: a @jit without a signature

  bool is_typed_by_calls() const { return variants.empty(); }
};

/// All that the front half knows about a text. Immutable and shared.
struct Module {
  source::SourceFile file;
  std::vector<source::Diagnostic> diagnostics;
  bool ok = false;  ///< no errors
  std::vector<KernelGroup> kernels;
  std::vector<StageTime> times;
  Options options = {};
  std::shared_ptr<const types::TypeTable> types = nullptr;  ///< of the functions
};

/// Text to verified kernel programs. Never throws for a wrong program: see `diagnostics`.
std::shared_ptr<const Module> check(std::string_view text, const Options& options);

/// The text of `module` anew, for one of its functions with one signature and nothing else: "void(f4[:], i8)", or "(f4,
/// f4)" for a ufunc or a reduction. Where the module is not ok, that is because of these types.
std::shared_ptr<const Module> specialize(const Module& module, const std::string& name, const std::string& signature);

/// The kernel of what is called, for calls of one form. Throws kernel::ProgramTooLarge.
kernel::KernelProgram lower_form(const Module& module, const KernelVariant& variant, const kernel::CallForm& form);

/// The kernel number `part` of an array function's plan, for launches of one form. Throws kernel::ProgramTooLarge.
kernel::KernelProgram lower_part(const Module& module, const KernelVariant& variant, uint32_t part,
                                 const kernel::CallForm& form);

/// The form of that kernel that inspect shows: contiguous arrays, rows of many elements.
kernel::CallForm plain_part(const KernelVariant& variant, uint32_t part, bool is_host);

/// The dumps of the early stages (jitc inspect --tokens, --ast, --types). Diagnostics go to `diagnostics` rendered.
enum class EarlyDump : uint8_t { kTokens, kAst, kTypes };
std::string dump(std::string_view text, const Options& options, EarlyDump what, std::string& diagnostics);

}  // namespace jitc::pipeline
