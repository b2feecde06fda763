// Which form of a kernel of elements fits the arrays of a call on the CPU, and that all forms store the same.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <vector>

#include "runtime/common/make_array.hpp"
#include "runtime/common/params.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "src/codegen/codegen.hpp"
#include "src/engine/elementwise_launch.hpp"
#include "src/pipeline/pipeline.hpp"

using namespace jitc;
using engine::ElementwiseLaunch;
using engine::ElementwiseUse;
using kernel::Walk;

namespace {

Array counted(std::vector<int64_t> shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  std::vector<float> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), -7.0F);
  return Device::open("cpu").to_device(values, shape);
}

ElementwiseLaunch plan(const std::vector<Array>& arrays, const ElementwiseUse& use) {
  std::vector<runtime::Operand> operands;
  for (const Array& array : arrays) operands.push_back(runtime::operand_of({}, array));
  return {arrays[0].shape(), operands, std::vector<engine::ElementwiseInput>(arrays.size() - 1), use};
}

ElementwiseLaunch plan(const std::vector<Array>& arrays, uint64_t stream_bytes) {
  return plan(arrays, ElementwiseUse{.is_host = true, .stream_bytes = stream_bytes});
}

/// out = a - b, by the kernel of the form that is planned.
void subtract(const Array& out, const Array& a, const Array& b, uint64_t stream_bytes) {
  const auto module = pipeline::check("@vectorize(['f4(f4, f4)'])\ndef minus(a, b):\n    return a - b\n", {});
  const ElementwiseLaunch planned = plan({out, a, b}, stream_bytes);
  const Artifact artifact =
      codegen::emit(pipeline::lower_form(*module, module->kernels[0].variants[0], planned.form()), {});
  const auto backend = runtime::cpu::cpu_backend();
  const auto loaded = backend->load(artifact);
  const LaunchConfig config = planned.cover("minus", artifact.max_threads_per_block);
  const std::vector<std::byte> params =
      runtime::fill_params(artifact, [&](const ParamSlot& slot) { return planned.slot_value(slot); });
  backend->launch(*loaded, config, params, *backend->default_queue());
}

void check_subtracts(const Array& out, const Array& a, const Array& b) {
  const std::vector<float> left = a.to_vector<float>(), right = b.to_vector<float>();
  std::vector<float> wanted(left.size());
  for (size_t k = 0; k < left.size(); ++k) wanted[k] = left[k] - right[k];
  for (const uint64_t stream_bytes : {ElementwiseUse::kNoBytes, uint64_t{1}}) {
    CAPTURE(stream_bytes);
    out.copy_from(Device::open("cpu").empty(out.shape(), f4));
    subtract(out, a, b, stream_bytes);
    CHECK(out.to_vector<float>() == wanted);
  }
}

}  // namespace

TEST_CASE("large results of a line go past the caches, but for those that begin within a cache line") {
  const Array out = counted({5000}), a = counted({5000}), b = counted({5001});
  CHECK(plan({out, a}, 20000).form().streams);
  CHECK(!plan({out, a}, 20001).form().streams);
  CHECK(plan({out, b.slice(0, 1, 5001)}, 1).form().streams);
  CHECK(!plan({b.slice(0, 1, 5001), a}, 1).form().streams);
  CHECK(!plan({out, out, a}, 1).form().streams);
  CHECK(!plan({b.slice(0, 0, 5000, 2), a.slice(0, 0, 2500)}, 1).form().streams);
  for (const int64_t count : {1, 1023, 1024, 1025, 5000}) {
    CAPTURE(count);
    check_subtracts(out.slice(0, 0, count), a.slice(0, 0, count), b.slice(0, 1, count + 1));
  }
}

TEST_CASE("what lies across the results is walked in tiles") {
  const Array out = counted({300, 208}), a = counted({208, 300}).transpose(), b = counted({300, 208});
  const kernel::ElementwiseForm form = plan({out, a, b}, 1).form();
  CHECK(form.tile_axis == 0);
  CHECK(form.params == std::vector<Walk>{Walk::across, Walk::next});
  CHECK(form.streams);
  check_subtracts(out, a, b);
  check_subtracts(out, a, counted({208, 300}).transpose());
  check_subtracts(out.slice(1, 1, 208), a.slice(1, 0, 207), b.slice(1, 0, 207));
  CHECK(!plan({counted({300, 207}), a.slice(1, 0, 207)}, 1).form().streams);
  // Few elements, or short ones of an axis, are walked as they come.
  CHECK(plan({counted({100, 100}), counted({100, 100}).transpose()}, 1).form().tile_axis == kernel::kNoTiles);
  CHECK(plan({counted({8, 5000}), counted({5000, 8}).transpose()}, 1).form().tile_axis == kernel::kNoTiles);
}

TEST_CASE("tiles lie along any axis that is not the innermost") {
  const Array b = counted({40, 50, 64});
  for (const std::vector<int>& axes : {std::vector{2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}}) {
    CAPTURE(axes);
    std::vector<int64_t> shape(3);
    for (size_t k = 0; k < 3; ++k) shape[static_cast<size_t>(axes[k])] = b.shape()[k];
    const Array a = counted(shape).transpose(axes);
    check_subtracts(counted({40, 50, 64}), a, b);
  }
  const Array line = counted({50, 1});
  const Array row(line.buffer(), f4, {40, 50, 64}, {0, 4, 0}, 0);
  check_subtracts(counted({40, 50, 64}), counted({64, 50, 40}).transpose(), row);
}

TEST_CASE("the blocks of a GPU share tiles, as many as shared memory has room for") {
  const ElementwiseUse gpu{.elems_in_group = 4};
  const Array out = counted({300, 208}), a = counted({208, 300}).transpose(), b = counted({300, 208});
  const ElementwiseLaunch planned = plan({out, a, b}, gpu);
  CHECK(planned.form().tile_axis == 0);
  CHECK(planned.form().shared_tiles);
  CHECK(planned.form().elems_per_thread == 1);
  CHECK(planned.form().params == std::vector<Walk>{Walk::across, Walk::next});
  const LaunchConfig config = planned.cover("minus", 256);
  CHECK(std::vector{config.grid.x, config.grid.y, config.grid.z} == std::vector{7U, 10U, 1U});
  CHECK(std::vector{config.block.x, config.block.y, config.block.z} == std::vector{32U, 8U, 1U});
  CHECK(!plan({out, b}, gpu).form().shared_tiles);

  std::vector<Array> many(13, a);
  many[0] = out;
  const std::vector<Walk> walks = plan(many, gpu).form().params;
  CHECK(std::ranges::count(walks, Walk::across) == 11);
  CHECK(walks.back() == Walk::strided);
}
