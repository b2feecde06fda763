#include "tests/unit/rows/rows_program.hpp"

#include <cstring>
#include <stdexcept>

#include "runtime/common/params.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "runtime/cuda/driver.hpp"
#include "src/codegen/codegen.hpp"
#include "src/kernel/kernel.hpp"
#include "src/kernel/row_values.hpp"
#include "tests/support/reference_interpreter.hpp"

namespace jitc::rows {

using kernel::KernelOperand;
using kernel::RowsForm;
using kernel::Walk;
using runtime::RowArrayView;
using runtime::RowPass;
using runtime::RowPhase;
using runtime::RowPlan;
using runtime::RowShape;

Functions::Functions(std::string text) : typed_(std::move(text)) {
  if (typed_.sink.has_errors()) throw std::runtime_error(typed_.messages());
}

std::shared_ptr<const sema::TypedFunction> Functions::operator[](const std::string& name) const {
  for (const sema::TypedKernel& kernel : typed_.module.kernels) {
    if (kernel.name == name) return kernel.variants.at(0);
  }
  throw std::runtime_error("no function " + name);
}

runtime::Backend& backend_of(Where where) {
  static const std::shared_ptr<runtime::Backend> cpu = runtime::cpu::make_cpu_backend(2);
#ifdef JITC_CUDAEMU
  static const std::shared_ptr<runtime::Backend> gpu =
      runtime::cuda::make_cuda_backend(runtime::cuda::Driver::load(JITC_CUDAEMU), 0);
  if (where == Where::gpu) return *gpu;
#endif
  return *cpu;
}

namespace {

/// An argument of a kernel as a launch passes it: a scalar, or an array.
struct ArgumentValue {
  Scalar scalar;
  uintptr_t address = 0;
  std::vector<int64_t> extents, strides_bytes;

  uint64_t operator()(ParamSlot::Part part, uint32_t axis) const {
    switch (part) {
      case ParamSlot::Part::scalar: return axis == 0 ? scalar.bits : scalar.imag_bits;
      case ParamSlot::Part::data: return address;
      case ParamSlot::Part::extent: return static_cast<uint64_t>(extents.at(axis));
      case ParamSlot::Part::stride: return static_cast<uint64_t>(strides_bytes.at(axis));
    }
    return 0;
  }
};

/// Buffers where those who run can reach them.
class Memory {
 public:
  Memory(Where where, Call& call) : where_(where), call_(call) {
    for (std::vector<std::byte>& buffer : call.buffers) addresses_.push_back(place(buffer));
  }
  ~Memory() {
    for (const auto& [data, size] : allocated_) backend_of(where_).deallocate({data, size, queue(), {}});
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  uintptr_t address(size_t buffer) const { return addresses_[buffer]; }
  uintptr_t add(size_t size_bytes) {
    if (where_ == Where::gpu) return reinterpret_cast<uintptr_t>(allocate(size_bytes));
    own_.emplace_back(size_bytes);
    return reinterpret_cast<uintptr_t>(own_.back().data());
  }
  std::vector<reference::Region> regions() const {
    std::vector<reference::Region> out;
    for (const auto& buffer : call_.buffers) out.push_back({buffer.data(), buffer.size()});
    for (const auto& buffer : own_) out.push_back({buffer.data(), buffer.size()});
    return out;
  }
  void fetch() {
    if (where_ != Where::gpu) return;
    for (size_t k = 0; k < addresses_.size(); ++k) {
      copy(runtime::StridedCopy::Direction::device_to_host, call_.buffers[k].data(),
           reinterpret_cast<const std::byte*>(addresses_[k]), call_.buffers[k].size());
    }
    backend_of(where_).synchronize();
  }

 private:
  const std::shared_ptr<runtime::Queue>& queue() const { return backend_of(where_).default_queue(); }
  std::byte* allocate(size_t size_bytes) {
    std::byte* data = backend_of(where_).allocate(size_bytes, *queue());
    allocated_.emplace_back(data, size_bytes);
    return data;
  }
  uintptr_t place(std::vector<std::byte>& buffer) {
    if (where_ != Where::gpu) return reinterpret_cast<uintptr_t>(buffer.data());
    std::byte* data = allocate(buffer.size());
    copy(runtime::StridedCopy::Direction::host_to_device, data, buffer.data(), buffer.size());
    return reinterpret_cast<uintptr_t>(data);
  }
  void copy(runtime::StridedCopy::Direction direction, std::byte* dst, const std::byte* src, size_t size_bytes) {
    if (size_bytes == 0) return;
    const int64_t shape[] = {static_cast<int64_t>(size_bytes)}, step[] = {1};
    backend_of(where_).copy({direction, dst, src, shape, step, step, 1}, *queue());
    backend_of(where_).synchronize();
  }

  Where where_;
  Call& call_;
  std::vector<uintptr_t> addresses_;
  std::vector<std::vector<std::byte>> own_;
  std::vector<std::pair<std::byte*, size_t>> allocated_;
};

/// Partial results of the folds of one pass.
struct Partials {
  runtime::RowPartials layout;
  std::vector<uintptr_t> addresses;
};

/// From a plan to the form and the arguments of each launch.
class Launches {
 public:
  Launches(const kernel::RowKernel& kernel, const Call& call, const RowPlan& plan, Memory& memory)
      : kernel_(kernel), call_(call), plan_(plan), memory_(memory) {
    for (const kernel::RowStage& stage : kernel.stages) {
      for (const kernel::Fold& fold : stage.folds) {
        for (const DType dtype : kernel::partial_dtypes(fold)) partial_dtypes_.push_back(dtype);
      }
    }
  }

  void prepare(const RowPass& pass) {
    form_ = {static_cast<RowsForm::Shape>(pass.shape),
             static_cast<RowsForm::Phase>(pass.phase),
             static_cast<uint8_t>(plan_.outer.size()),
             static_cast<uint8_t>(pass.inner.size()),
             pass.count,
             {},
             {}};
    lanes_axis_ = plan_.outer.size() - 1 + (runtime::lanes_are_results(pass.shape) ? 0 : pass.inner.size());
    values.clear();
    add_operands();
    if (pass.phase == RowPhase::middle || pass.phase == RowPhase::last) add_partials(partials_, form_.reads);
    if (pass.phase == RowPhase::first || pass.phase == RowPhase::middle) {
      partials_.layout = pass.written;
      partials_.addresses.clear();
      for (const DType dtype : partial_dtypes_) {
        partials_.addresses.push_back(memory_.add(static_cast<size_t>(pass.written.count_elems) * size_bytes(dtype)));
      }
      add_partials(partials_, form_.writes);
    } else {
      for (const RowArrayView& output : plan_.outputs) add_array(output, form_.writes);
    }
    std::vector<int64_t> extents = plan_.outer;
    extents.insert(extents.end(), pass.inner.begin(), pass.inner.end());
    values.push_back({{}, 0, extents, {}});
    for (size_t k = 0, array = 0; k < kernel_.operands.size(); ++k) {
      if (kernel_.operands[k].kind == KernelOperand::Kind::scalar) continue;
      const RowArrayView& view = plan_.operands[array++];
      if (kernel_.operands[k].kind == KernelOperand::Kind::index) values.push_back({{}, 0, {}, view.strides_bytes});
    }
  }

  const RowsForm& form() const { return form_; }
  std::vector<ArgumentValue> values;

 private:
  void add_operands() {
    for (size_t k = 0, array = 0; k < kernel_.operands.size(); ++k) {
      if (const auto* scalar = std::get_if<Scalar>(&call_.operands[k])) {
        values.push_back({*scalar, 0, {}, {}});
        form_.reads.push_back(Walk::scalar);
        continue;
      }
      const RowArrayView& view = plan_.operands[array++];
      add_array(view, form_.reads);
      if (kernel_.operands[k].kind == KernelOperand::Kind::index) {
        values.back().scalar = {DType::i8, static_cast<uint64_t>(view.address)};
      }
    }
  }
  void add_array(const RowArrayView& view, std::vector<Walk>& walks) {
    walks.push_back(walk_of(view.strides_bytes, view.elem_bytes));
    values.push_back({{}, view.address, {}, view.strides_bytes});
  }
  void add_partials(const Partials& partials, std::vector<Walk>& walks) {
    for (size_t k = 0; k < partials.addresses.size(); ++k) {
      RowArrayView view{partials.addresses[k], size_bytes(partial_dtypes_[k]), partials.layout.strides_elems};
      for (int64_t& stride : view.strides_bytes) stride *= static_cast<int64_t>(view.elem_bytes);
      add_array(view, walks);
    }
  }
  Walk walk_of(const std::vector<int64_t>& strides, size_t elem_bytes) const {
    if (lanes_axis_ >= strides.size() || strides[lanes_axis_] == 0) return Walk::same;
    return elem_bytes != 0 && strides[lanes_axis_] == static_cast<int64_t>(elem_bytes) ? Walk::next : Walk::strided;
  }

  const kernel::RowKernel& kernel_;
  const Call& call_;
  const RowPlan& plan_;
  Memory& memory_;
  std::vector<DType> partial_dtypes_;
  Partials partials_;
  RowsForm form_;
  size_t lanes_axis_ = 0;
};

runtime::RowCall to_row_call(const kernel::RowKernel& kernel, const Call& call, const Memory& memory) {
  runtime::RowCall out{call.outer, call.inner, {}, {}};
  const auto view_of = [&](const View& view, DType dtype) {
    return RowArrayView{memory.address(view.buffer) + static_cast<uintptr_t>(view.offset_bytes), size_bytes(dtype),
                        view.strides_bytes};
  };
  for (size_t k = 0; k < call.operands.size(); ++k) {
    if (const auto* view = std::get_if<View>(&call.operands[k])) {
      out.operands.push_back(view_of(*view, kernel.operands[k].dtype));
    } else if (const auto* index = std::get_if<Index>(&call.operands[k])) {
      out.operands.push_back({static_cast<uintptr_t>(index->first), 0, index->steps});
    }
  }
  return out;
}

void run_reference(const kernel::KernelProgram& program, const RowPass& pass, const std::vector<ArgumentValue>& values,
                   const Memory& memory) {
  reference::ReferenceLaunch launch{{pass.grid.x, pass.grid.y, pass.grid.z},
                                    {pass.block.x, pass.block.y, pass.block.z}};
  for (const kernel::Param& param : program.params) {
    launch.params.push_back(values.at(param.argument)(param.part, param.axis));
  }
  launch.memory = memory.regions();
  launch.backwards = true;
  reference::run(program, launch);
}

}  // namespace

const kernel::KernelProgram& RowsProgram::program(const RowsForm& form) {
  const auto found = programs_.find(form);
  if (found != programs_.end()) return found->second;
  kernel::KernelProgram made = kernel::lower_rows(functions_.file(), functions_.types(), kernel_, form, {});
  const std::vector<std::string> faults = kernel::verify(made);
  if (!faults.empty()) throw std::runtime_error(faults.front() + "\n" + kernel::print(made));
  return programs_.emplace(form, std::move(made)).first->second;
}

const RowsProgram::Loaded& RowsProgram::loaded(const RowsForm& form, Where where) {
  Loaded& out = loaded_[{form, where}];
  if (out.code == nullptr) {
    runtime::Backend& backend = backend_of(where);
    out.artifact = codegen::emit(program(form), codegen::device_target(backend.target()));
    out.code = backend.load(out.artifact);
  }
  return out;
}

void RowsProgram::run(Call& call, Where where, bool gpu_plan, unsigned workers) {
  Memory memory(where, call);
  runtime::RowCall planned = to_row_call(kernel_, call, memory);
  const std::vector<kernel::RowSource> sources = kernel::row_sources(kernel_, functions_.types());
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    const View& view = call.outputs[k];
    const DType dtype = kernel::row_value_dtype(kernel_, functions_.types(), sources[kernel_.outputs[k].value]);
    planned.outputs.push_back({memory.address(view.buffer) + static_cast<uintptr_t>(view.offset_bytes),
                               size_bytes(dtype), view.strides_bytes});
  }
  planned.is_host = !gpu_plan;
  planned.workers = workers;
  const auto plan = runtime::plan_rows(planned);
  if (!plan) throw std::runtime_error("one launch does not cover the rows");
  plan_ = *plan;
  Launches launches(kernel_, call, plan_, memory);
  for (const RowPass& pass : plan_.passes) {
    launches.prepare(pass);
    if (where == Where::reference) {
      run_reference(program(launches.form()), pass, launches.values, memory);
      continue;
    }
    const Loaded& kernel = loaded(launches.form(), where);
    const auto value_of = [&](const ParamSlot& slot) { return launches.values[slot.argument](slot.part, slot.axis); };
    const std::vector<std::byte> params = runtime::fill_params(kernel.artifact, value_of);
    backend_of(where).launch(*kernel.code, {pass.grid, pass.block}, params, *backend_of(where).default_queue());
  }
  if (where != Where::reference) backend_of(where).synchronize();
  memory.fetch();
}

}  // namespace jitc::rows
