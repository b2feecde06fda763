// Kernels over rows for tests: made of the ufuncs of a text, planned, lowered, compiled and run from start to end.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "jitc/dtype.hpp"
#include "jitc/program.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/row_plan.hpp"
#include "src/kernel/lower.hpp"
#include "tests/unit/sema/typed_text.hpp"

namespace jitc::rows {

/// Elements of one buffer of a call.
struct View {
  size_t buffer = 0;
  int64_t offset_bytes = 0;
  std::vector<int64_t> strides_bytes;  ///< outer axes, then inner ones; of a value of a row outer ones alone
};

/// Begins at `first` and grows by `steps` along the axes.
struct Index {
  int64_t first = 0;
  std::vector<int64_t> steps;
};

struct Call {
  std::vector<int64_t> outer, inner;
  std::vector<std::variant<View, Scalar, Index>> operands;
  std::vector<View> outputs;
  std::vector<std::vector<std::byte>> buffers;
};

/// The functions of a text, by name.
class Functions {
 public:
  explicit Functions(std::string text);
  std::shared_ptr<const sema::TypedFunction> operator[](const std::string& name) const;
  const source::SourceFile& file() const { return typed_.file; }
  const types::TypeTable& types() const { return *typed_.module.types; }

 private:
  tests::Typed typed_;
};

/// Who runs a call.
enum class Where { reference, cpu, gpu };

/// One kernel with the forms that its calls have needed so far.
class RowsProgram {
 public:
  RowsProgram(const Functions& functions, kernel::RowKernel kernel)
      : functions_(functions), kernel_(std::move(kernel)) {}

  /// Stores to the buffers of the call. `gpu_plan`: threads are spread as on a GPU, whoever runs them.
  void run(Call& call, Where where, bool gpu_plan, unsigned workers = 2);
  const kernel::RowKernel& kernel() const { return kernel_; }
  /// Of the last run.
  const runtime::RowPlan& plan() const { return plan_; }
  const std::map<kernel::RowsForm, kernel::KernelProgram>& programs() const { return programs_; }

 private:
  struct Loaded {
    Artifact artifact;
    std::shared_ptr<runtime::LoadedKernel> code;
  };
  const kernel::KernelProgram& program(const kernel::RowsForm& form);
  const Loaded& loaded(const kernel::RowsForm& form, Where where);

  const Functions& functions_;
  kernel::RowKernel kernel_;
  runtime::RowPlan plan_;
  std::map<kernel::RowsForm, kernel::KernelProgram> programs_;
  std::map<std::pair<kernel::RowsForm, Where>, Loaded> loaded_;
};

runtime::Backend& backend_of(Where where);

}  // namespace jitc::rows
