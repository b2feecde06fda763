#include "src/engine/contract_launches.hpp"

#include <algorithm>
#include <ranges>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"

namespace jitc::engine {

using kernel::ContractForm;
using kernel::KernelOperand;
using kernel::Neighbours;
using kernel::Walk;
using runtime::ContractRole;

namespace {

bool has(const std::string& labels, char c) { return labels.find(c) != std::string::npos; }

}  // namespace

ContractLaunches::ContractLaunches(const array::Contract& contract, const array::ContractLaunch& launch,
                                   std::vector<int64_t> a_shape, std::vector<int64_t> b_shape,
                                   const ContractOperands& operands, std::span<const Array> targets, const Place& place)
    : contract_(contract),
      letters_(array::letters_of(contract)),
      launch_(launch),
      a_shape_(std::move(a_shape)),
      b_shape_(std::move(b_shape)),
      operands_(operands),
      targets_(targets),
      place_(place) {
  find_extents();
  add_parts();
}

void ContractLaunches::find_extents() {
  for (const auto& [labels, shape] :
       {std::pair(&contract_.a_labels, &a_shape_), std::pair(&contract_.b_labels, &b_shape_)}) {
    for (size_t axis = 0; axis < labels->size(); ++axis) {
      int64_t& extent = extents_.emplace((*labels)[axis], (*shape)[axis]).first->second;
      if (extent == 1) extent = (*shape)[axis];  // a batch that broadcasts
    }
  }
}

void ContractLaunches::add_parts() {
  const auto add = [&](ContractRole role, const std::vector<NodeValue>& values, const std::string& labels,
                       const std::vector<int64_t>& shape) {
    for (const NodeValue& v : values) {
      if (v.kind == NodeValue::Kind::scalar) continue;
      parts_.push_back({role, broadcast_to(v, shape), labels, v.kind == NodeValue::Kind::index});
    }
  };
  std::vector<int64_t> out_shape;
  for (const char c : contract_.out_labels) out_shape.push_back(extents_.at(c));
  add(ContractRole::a, operands_.a, contract_.a_labels, a_shape_);
  add(ContractRole::b, operands_.b, contract_.b_labels, b_shape_);
  add(ContractRole::output, operands_.epilogue, contract_.out_labels, out_shape);
  for (const Array& target : targets_)
    parts_.push_back({ContractRole::output, NodeValue::of(target), contract_.out_labels, false});
}

/// 0 along letters that the part has not, or along which it broadcasts.
std::vector<int64_t> ContractLaunches::strides_along(const Part& part, const std::string& letters) const {
  std::vector<int64_t> out;
  for (const char c : letters) {
    const size_t axis = part.labels.find(c);
    const bool walks = axis != std::string::npos && (part.value.shape()[axis] != 1 || extents_.at(c) == 1);
    out.push_back(walks ? part.value.strides()[axis] : 0);
  }
  return out;
}

runtime::ContractOperand ContractLaunches::operand_of(const Part& part) const {
  runtime::ContractOperand out{part.role, strides_along(part, letters_.batch), 1};
  const std::string& first = part.role == ContractRole::b ? letters_.k : letters_.m;
  const std::string& second = part.role == ContractRole::a ? letters_.k : letters_.n;
  for (const std::string* letters : {&first, &second}) {
    const std::vector<int64_t> strides = strides_along(part, *letters);
    out.strides_bytes.insert(out.strides_bytes.end(), strides.begin(), strides.end());
  }
  if (!part.is_index) out.elem_bytes = size_bytes(part.value.array.dtype());
  return out;
}

runtime::ContractAxes ContractLaunches::axes() const {
  const auto extents = [&](const std::string& letters) {
    std::vector<int64_t> out;
    for (const char c : letters) out.push_back(extents_.at(c));
    return out;
  };
  return {extents(letters_.batch), extents(letters_.m), extents(letters_.n), extents(letters_.k)};
}

/// The part's elements in C order of (batch…, first group…, second group…), seen along its own letters again.
NodeValue ContractLaunches::copied(const Part& part) const {
  const std::string& first = part.role == ContractRole::b ? letters_.k : letters_.m;
  const std::string& second = part.role == ContractRole::a ? letters_.k : letters_.n;
  std::vector<uint32_t> order;
  for (const char c : letters_.batch + first + second) {
    if (has(part.labels, c)) order.push_back(static_cast<uint32_t>(part.labels.find(c)));
  }
  const NodeValue sorted = permuted(part.value, order);
  const Array copy = runtime::make_array(place_.backend, sorted.shape(), sorted.array.dtype(), place_.queue);
  copy.copy_from(sorted.array, Stream::of_queue(place_.queue));
  std::vector<uint32_t> back(order.size());
  for (uint32_t k = 0; k < order.size(); ++k) back[order[k]] = k;
  return permuted(NodeValue::of(copy), back);
}

ContractForm ContractLaunches::form_of(const runtime::ContractPlan& plan, const runtime::ContractTiles& tiles) const {
  ContractForm form;
  form.machine = place_.backend->is_host() ? ContractForm::Machine::host : ContractForm::Machine::device;
  form.batch_rank = static_cast<uint8_t>(plan.batch.size());
  form.tile = {tiles.block_m, tiles.block_n, tiles.block_k, tiles.thread_m, tiles.thread_n};
  size_t part = 0;
  const auto next = [&](const std::vector<KernelOperand>& operands, const auto& add) {
    for (const KernelOperand& o : operands) {
      if (o.kind == KernelOperand::Kind::scalar) {
        add(static_cast<const std::vector<int64_t>*>(nullptr), size_t{0});
      } else {
        add(&plan.strides_bytes[part], operand_of(parts_[part]).elem_bytes), ++part;
      }
    }
  };
  const auto neighbours = [](const std::vector<int64_t>* strides, size_t bytes) {
    if (strides == nullptr) return Neighbours::none;
    const auto size = static_cast<int64_t>(bytes);
    return strides->back() == size                   ? Neighbours::second
           : (*strides)[strides->size() - 2] == size ? Neighbours::first
                                                     : Neighbours::none;
  };
  next(launch_.contract.a.operands,
       [&](const std::vector<int64_t>* s, size_t b) { form.a.push_back(neighbours(s, b)); });
  next(launch_.contract.b.operands,
       [&](const std::vector<int64_t>* s, size_t b) { form.b.push_back(neighbours(s, b)); });
  const auto walk = [](const std::vector<int64_t>* s, size_t b) {
    return s != nullptr && s->back() == static_cast<int64_t>(b) ? Walk::next : Walk::strided;
  };
  next(launch_.contract.epilogue_operands,
       [&](const std::vector<int64_t>* s, size_t b) { form.epilogue.push_back(walk(s, b)); });
  for (; part < parts_.size(); ++part)
    form.outputs.push_back(walk(&plan.strides_bytes[part], operand_of(parts_[part]).elem_bytes));
  return form;
}

std::vector<KernelValue> ContractLaunches::values_of(const runtime::ContractPlan& plan,
                                                     const runtime::ContractTiles& tiles) const {
  std::vector<KernelValue> out;
  size_t part = 0;
  const auto add_array = [&] {
    const Part& p = parts_[part];
    if (p.is_index) {
      out.emplace_back(Scalar::of(p.value.first + plan.first_bytes[part]));
      out.emplace_back(KernelArray{0, {}, plan.strides_bytes[part]});
    } else {
      std::vector<int64_t> extents = plan.batch;
      extents.push_back(plan.m);
      extents.push_back(plan.n);
      const auto address =
          reinterpret_cast<uintptr_t>(p.value.array.data()) + static_cast<uintptr_t>(plan.first_bytes[part]);
      out.emplace_back(KernelArray{address, std::move(extents), plan.strides_bytes[part]});
    }
    ++part;
  };
  const auto add = [&](const std::vector<KernelOperand>& operands, const std::vector<NodeValue>& values) {
    for (size_t k = 0; k < operands.size(); ++k) {
      if (values[k].kind == NodeValue::Kind::scalar) {
        out.emplace_back(values[k].scalar);
      } else {
        add_array();
      }
    }
  };
  add(launch_.contract.a.operands, operands_.a);
  add(launch_.contract.b.operands, operands_.b);
  add(launch_.contract.epilogue_operands, operands_.epilogue);
  while (part < parts_.size()) add_array();
  out.emplace_back(Scalar::of(plan.k));
  if (place_.backend->is_host()) {
    out.emplace_back(Scalar::of(tiles.tile_m));
    out.emplace_back(Scalar::of(tiles.tile_n));
  }
  return out;
}

runtime::ContractPlan ContractLaunches::plan() const {
  std::vector<runtime::ContractOperand> operands;
  for (const Part& part : parts_) operands.push_back(operand_of(part));
  return runtime::plan_contraction(axes(), operands);
}

/// From now on the part is a dense copy; results go back in the end.
void ContractLaunches::move(size_t index) {
  Part& part = parts_[index];
  const NodeValue moved = copied(part);
  if (index + targets_.size() >= parts_.size()) back_.emplace_back(moved.array, part.value.array);
  part.value = moved;
}

runtime::ContractPlan ContractLaunches::plan_with_copies() {
  const runtime::ContractPlan first = plan();
  if (first.is_empty() || first.to_copy.empty()) return first;
  for (const size_t index : first.to_copy) move(index);
  return plan();
}

void ContractLaunches::use_on_queue() const {
  for (const Part& part : parts_) {
    if (part.value.kind == NodeValue::Kind::array && part.value.array.buffer())
      part.value.array.buffer()->use_on(place_.queue);
  }
}

void ContractLaunches::copy_back() const {
  for (const auto& [from, to] : std::views::reverse(back_)) to.copy_from(from, Stream::of_queue(place_.queue));
}

void ContractLaunches::run(const Give& give) {
  const runtime::ContractPlan plan = plan_with_copies();
  if (plan.is_empty()) return;
  const DType dtype = launch_.contract.dtype;
  const auto tiles = runtime::cut_contraction(plan, {size_bytes(part_type(dtype)), is_complex(dtype)},
                                              {place_.backend->is_host(), place_.backend->worker_threads(), 32});
  if (!tiles) runtime::fail(ErrorCode::launch, "a contraction is larger than one launch covers");
  use_on_queue();
  give(form_of(plan, *tiles), tiles->grid, tiles->block, values_of(plan, *tiles));
  copy_back();
}

/// One product for each place of all batch axes but the last.
bool ContractLaunches::give_to_library(const runtime::ContractPlan& plan) const {
  const size_t batches = plan.batch.size(), outer = batches == 0 ? 0 : batches - 1;
  const auto place = [&](size_t part, const std::vector<int64_t>& at) {
    const std::vector<int64_t>& strides = plan.strides_bytes[part];
    auto* data = reinterpret_cast<std::byte*>(parts_[part].value.array.data()) + plan.first_bytes[part];
    for (size_t k = 0; k < outer; ++k) data += at[k] * strides[k];
    return runtime::MatrixPlace{data, batches == 0 ? 0 : strides[outer], strides[batches], strides[batches + 1]};
  };
  const int64_t batch = batches == 0 ? 1 : plan.batch.back();
  std::vector<int64_t> at(outer, 0);
  for (;;) {
    const runtime::MatrixProduct product{launch_.contract.dtype, batch,        plan.m,      plan.n, plan.k,
                                         place(0, at),           place(1, at), place(2, at)};
    if (!place_.backend->multiply(product, *place_.queue)) return false;
    size_t k = outer;
    while (k > 0 && ++at[k - 1] == plan.batch[k - 1]) at[--k] = 0;
    if (k == 0) return true;
  }
}

bool ContractLaunches::run_by_library() {
  JITC_CHECK(parts_.size() == 3, "a product with functions is none that a library does");
  const runtime::ContractPlan first = plan_with_copies();
  if (first.is_empty()) return true;
  use_on_queue();
  if (!give_to_library(first)) {
    for (size_t part = 0; part < parts_.size(); ++part) move(part);
    if (!give_to_library(plan_with_copies())) return false;
  }
  copy_back();
  return true;
}

}  // namespace jitc::engine
