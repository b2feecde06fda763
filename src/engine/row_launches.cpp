#include "src/engine/row_launches.hpp"

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/make_array.hpp"

namespace jitc::engine {

using kernel::KernelOperand;
using kernel::RowsForm;
using kernel::Walk;
using runtime::RowArrayView;
using runtime::RowPass;
using runtime::RowPhase;
using runtime::RowShape;

RowLaunches::RowLaunches(const array::RowsKernel& rows, std::span<const int64_t> shape,
                         std::span<const NodeValue> operands, std::span<const RowTarget> targets,
                         runtime::Backend& backend, std::shared_ptr<runtime::Queue> queue)
    : rows_(rows), shape_(shape), operands_(operands), targets_(targets), backend_(backend), queue_(std::move(queue)) {
  for (const kernel::RowStage& stage : rows.rows.stages) {
    for (const kernel::Fold& fold : stage.folds) {
      for (const DType dtype : kernel::partial_dtypes(fold)) partial_dtypes_.push_back(dtype);
    }
  }
}

/// What is given by axis of the domain, with the axes that stay first.
std::vector<int64_t> RowLaunches::split(std::span<const int64_t> by_axis, bool outer_only) const {
  std::vector<int64_t> out;
  for (const bool inner : {false, true}) {
    for (size_t k = 0; k < by_axis.size(); ++k) {
      if (rows_.folded[k] == inner && !(inner && outer_only)) out.push_back(by_axis[k]);
    }
  }
  return out;
}

runtime::RowCall RowLaunches::to_call() const {
  runtime::RowCall out;
  for (size_t k = 0; k < shape_.size(); ++k) (rows_.folded[k] ? out.inner : out.outer).push_back(shape_[k]);
  out.is_host = backend_.is_host();
  out.workers = backend_.worker_threads();
  for (const NodeValue& operand : operands_) {
    if (operand.kind == NodeValue::Kind::scalar) continue;
    const NodeValue whole = broadcast_to(operand, shape_);
    const bool is_array = operand.kind == NodeValue::Kind::array;
    // Of the operand itself: where rows have no elements, what is seen along them has none, but rows may have values.
    const uintptr_t address =
        is_array ? reinterpret_cast<uintptr_t>(operand.array.data()) : static_cast<uintptr_t>(whole.first);
    out.operands.push_back({address, is_array ? size_bytes(operand.array.dtype()) : 0, split(whole.strides(), false)});
  }
  for (const RowTarget& target : targets_) {
    const auto bytes = static_cast<int64_t>(size_bytes(target.array.dtype()));
    std::vector<int64_t> strides;
    if (target.of_elements) {
      strides = split(target.array.strides(), false);
    } else {
      // New memory in C order, whether or not the axes that were folded are kept with extent 1.
      strides.assign(out.outer.size(), bytes);
      for (size_t k = out.outer.size(); k-- > 1;) strides[k - 1] = strides[k] * out.outer[k];
    }
    out.outputs.push_back(
        {reinterpret_cast<uintptr_t>(target.array.data()), static_cast<size_t>(bytes), std::move(strides)});
  }
  return out;
}

void RowLaunches::run(const Give& give) {
  const std::optional<runtime::RowPlan> plan = runtime::plan_rows(to_call());
  if (!plan) runtime::fail(ErrorCode::launch, "a reduction is larger than one launch covers");
  plan_ = *plan;
  for (const NodeValue& v : operands_) {
    if (v.kind == NodeValue::Kind::array && v.array.buffer()) v.array.buffer()->use_on(queue_);
  }
  for (const RowTarget& t : targets_) {
    if (t.array.buffer()) t.array.buffer()->use_on(queue_);
  }
  for (const RowPass& pass : plan_.passes) launch(pass, give);
}

void RowLaunches::launch(const RowPass& pass, const Give& give) {
  RowsForm form{static_cast<RowsForm::Shape>(pass.shape),
                static_cast<RowsForm::Phase>(pass.phase),
                static_cast<uint8_t>(plan_.outer.size()),
                static_cast<uint8_t>(pass.inner.size()),
                pass.count,
                {},
                {}};
  lanes_axis_ = plan_.outer.size() - 1 + (runtime::lanes_are_results(pass.shape) ? 0 : pass.inner.size());
  std::vector<KernelValue> values;
  add_operands(values, form);
  if (pass.phase == RowPhase::middle || pass.phase == RowPhase::last) add_partials(form.reads, values);
  if (pass.phase == RowPhase::first || pass.phase == RowPhase::middle) {
    layout_ = pass.written;
    earlier_.insert(earlier_.end(), partials_.begin(), partials_.end());
    partials_.clear();
    for (const DType dtype : partial_dtypes_) {
      partials_.push_back(runtime::make_array(backend_.shared_from_this(), {pass.written.count_elems}, dtype, queue_));
      partials_.back().buffer()->use_on(queue_);
    }
    add_partials(form.writes, values);
  } else {
    for (const RowArrayView& output : plan_.outputs) add_array(output, form.writes, values);
  }
  std::vector<int64_t> extents = plan_.outer;
  extents.insert(extents.end(), pass.inner.begin(), pass.inner.end());
  values.emplace_back(KernelArray{0, std::move(extents), {}});
  size_t array = 0;
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (operands_[k].kind == NodeValue::Kind::scalar) continue;
    const RowArrayView& view = plan_.operands[array++];
    if (operands_[k].kind == NodeValue::Kind::index) values.emplace_back(KernelArray{0, {}, view.strides_bytes});
  }
  give(form, pass.grid, pass.block, values);
}

void RowLaunches::add_operands(std::vector<KernelValue>& values, RowsForm& form) const {
  size_t array = 0;
  for (const NodeValue& operand : operands_) {
    if (operand.kind == NodeValue::Kind::scalar) {
      values.emplace_back(operand.scalar);
      form.reads.push_back(Walk::scalar);
      continue;
    }
    const RowArrayView& view = plan_.operands[array++];
    add_array(view, form.reads, values);
    if (operand.kind == NodeValue::Kind::index)
      values.back() = Scalar{DType::i8, static_cast<uint64_t>(view.address), 0};
  }
}

void RowLaunches::add_array(const RowArrayView& view, std::vector<Walk>& walks,
                            std::vector<KernelValue>& values) const {
  const std::vector<int64_t>& strides = view.strides_bytes;
  const bool walks_on = lanes_axis_ < strides.size() && strides[lanes_axis_] != 0;
  const bool is_next =
      view.elem_bytes != 0 && walks_on && strides[lanes_axis_] == static_cast<int64_t>(view.elem_bytes);
  walks.push_back(is_next ? Walk::next : walks_on ? Walk::strided : Walk::same);
  values.emplace_back(KernelArray{view.address, {}, strides});
}

void RowLaunches::add_partials(std::vector<Walk>& walks, std::vector<KernelValue>& values) const {
  for (size_t k = 0; k < partials_.size(); ++k) {
    const size_t bytes = size_bytes(partial_dtypes_[k]);
    RowArrayView view{reinterpret_cast<uintptr_t>(partials_[k].data()), bytes, layout_.strides_elems};
    for (int64_t& stride : view.strides_bytes) stride *= static_cast<int64_t>(bytes);
    add_array(view, walks, values);
  }
}

}  // namespace jitc::engine
