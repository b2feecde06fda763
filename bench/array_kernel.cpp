#include "bench/array_kernel.hpp"

#include <stdexcept>

#include "src/array/plan.hpp"
#include "src/codegen/codegen.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::bench {
namespace {

using kernel::Walk;

/// What runtime/common chooses for millions of elements, and for rows of up to 4096.
kernel::CallForm form_of(const std::string& name) {
  using kernel::RowsForm;
  if (name == "map_axpb") {
    return kernel::ElementwiseForm{
        .params = {Walk::next, Walk::next}, .results = {Walk::next}, .elems_per_thread = 4, .narrow = true};
  }
  if (name == "transpose") {
    return kernel::ElementwiseForm{
        .params = {Walk::across}, .results = {Walk::next}, .rank = 2, .tile_axis = 0, .shared_tiles = true};
  }
  RowsForm rows{.shape = RowsForm::Shape::block, .count = 16, .reads = {Walk::next}, .writes = {Walk::next}};
  if (name == "row_softmax") return rows;
  if (name == "full_sum") {
    rows.phase = RowsForm::Phase::first;
    return rows;
  }
  if (name != "product") throw std::runtime_error("no form for " + name);
  return kernel::ContractForm{.machine = kernel::ContractForm::Machine::device,
                              .a = {kernel::Neighbours::second},
                              .b = {kernel::Neighbours::second},
                              .outputs = {Walk::next},
                              .tile = {128, 128, 8, 8, 8}};
}

/// The kernel that is launched where the arrays fit it: of several the last one.
uint32_t main_part(const array::Plan& plan) {
  uint32_t part = 0;
  for (uint32_t k = 0; k < plan.kernels.size(); ++k) {
    if (!plan.kernels[k].is_step) part = k;
  }
  return part;
}

}  // namespace

ArrayKernel compile_array_kernel(const std::string& name, const std::string& text, const std::string& target) {
  const std::shared_ptr<const pipeline::Module> module = pipeline::check(text, {});
  if (!module->ok) throw std::runtime_error(name + ".dsl has errors");
  const pipeline::KernelVariant& variant = module->kernels.at(0).variants.at(0);
  const kernel::KernelProgram program = pipeline::lower_part(*module, variant, main_part(*variant.plan), form_of(name));
  const Artifact artifact = codegen::emit(program, codegen::parse_target(target));
  return {artifact.code, artifact.symbol};
}

}  // namespace jitc::bench
