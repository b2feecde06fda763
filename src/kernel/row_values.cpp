#include "src/kernel/row_values.hpp"

#include <algorithm>

#include "src/kernel/lower.hpp"

namespace jitc::kernel {

using Kind = RowSource::Kind;

std::vector<RowSource> row_sources(const RowKernel& kernel, const types::TypeTable& types) {
  std::vector<RowSource> out;
  const auto add = [&](Kind kind, uint32_t stage, size_t begin, size_t end) {
    for (size_t item = begin; item < end; ++item) out.push_back({kind, stage, static_cast<uint32_t>(item)});
  };
  for (uint32_t k = 0; k < kernel.operands.size(); ++k) add(Kind::operand, k, 0, 1);
  for (uint32_t s = 0; s < kernel.stages.size(); ++s) {
    const RowStage& stage = kernel.stages[s];
    if (stage.element) add(Kind::element, s, stage.folds.size(), result_dtypes(types, *stage.element).size());
    add(Kind::fold, s, 0, stage.folds.size());
    if (stage.row) add(Kind::row, s, 0, result_dtypes(types, *stage.row).size());
  }
  return out;
}

DType row_value_dtype(const RowKernel& kernel, const types::TypeTable& types, const RowSource& source) {
  if (source.kind == Kind::operand) return kernel.operands[source.stage].dtype;
  const RowStage& stage = kernel.stages[source.stage];
  if (source.kind == Kind::fold) return fold_dtype(stage.folds[source.item]);
  return result_dtypes(types, source.kind == Kind::row ? *stage.row : *stage.element)[source.item];
}

bool is_of_element(const RowKernel& kernel, const RowSource& source) {
  if (source.kind != Kind::operand) return source.kind == Kind::element;
  const KernelOperand& operand = kernel.operands[source.stage];
  return operand.kind != KernelOperand::Kind::scalar && !operand.per_row;
}

bool rows_may_be_long(const RowKernel& kernel, const types::TypeTable& types) {
  const auto folding = std::ranges::count_if(kernel.stages, [](const RowStage& stage) { return !stage.folds.empty(); });
  const std::vector<RowSource> sources = row_sources(kernel, types);
  const auto is_element = [&](const RowOutput& output) { return is_of_element(kernel, sources[output.value]); };
  const auto only_walks = [](const RowStage& stage) { return stage.element && stage.folds.empty(); };
  return folding == 1 && std::ranges::none_of(kernel.outputs, is_element) &&
         std::ranges::none_of(kernel.stages, only_walks);
}

}  // namespace jitc::kernel
