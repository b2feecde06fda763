// Packing of parameters, and the checks of arguments before it.
#include "runtime/common/params.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/common/buffer.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"

using namespace jitc;
using tests::HostBackend;
using Part = ParamSlot::Part;

namespace {

Array make(const std::vector<int64_t>& shape, DType dtype = f4) {
  return HostBackend::array(std::make_shared<HostBackend>(), shape, dtype);
}

ArgumentInfo array_info(std::string name, int rank, Layout layout = Layout::any,
                        std::vector<std::string> extent_names = {}) {
  return {std::move(name), f4, true, rank, layout, false, true, std::move(extent_names)};
}

template <class T>
T read(const std::vector<std::byte>& block, size_t offset) {
  T value;
  std::memcpy(&value, block.data() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("the parameter block holds scalars, addresses, extents and strides at their offsets") {
  Artifact artifact;
  artifact.params = {{Part::scalar, 0, 0, 0, 2},  {Part::scalar, 1, 0, 4, 4},  {Part::data, 2, 0, 8, 8},
                     {Part::extent, 2, 1, 16, 8}, {Part::stride, 2, 0, 24, 8}, {Part::scalar, 3, 0, 32, 1}};
  artifact.params_size_bytes = 33;
  const Array view = make({4, 6}).slice(0, 3, -5, -1).slice(1, 1, 6);
  const std::vector<std::byte> block =
      runtime::pack_params(artifact, std::vector<Argument>{int16_t{-2}, 1.5f, view, true});
  REQUIRE(block.size() == 33);
  CHECK(read<int16_t>(block, 0) == -2);
  CHECK(read<uint16_t>(block, 2) == 0);
  CHECK(read<float>(block, 4) == 1.5f);
  CHECK(read<std::byte*>(block, 8) == view.buffer()->data() + 3 * 24 + 4);
  CHECK(read<int64_t>(block, 16) == 5);
  CHECK(read<int64_t>(block, 24) == -24);
  CHECK(read<uint8_t>(block, 32) == 1);
}

TEST_CASE("an array without elements is passed as a null address") {
  Artifact artifact;
  artifact.params = {{Part::data, 0, 0, 0, 8}, {Part::extent, 0, 0, 8, 8}};
  artifact.params_size_bytes = 16;
  const std::vector<std::byte> block = runtime::pack_params(artifact, std::vector<Argument>{make({0})});
  CHECK(read<std::byte*>(block, 0) == nullptr);
  CHECK(read<int64_t>(block, 8) == 0);
}

TEST_CASE("arrays must have the layout their argument declares") {
  const std::vector<ArgumentInfo> infos{{"n", i4, false}, array_info("X", 2, Layout::c)};
  const Array c = make({3, 4});
  CHECK_NOTHROW(runtime::check_layouts("kernel 'k'", infos, std::vector<Argument>{1, c}));
  CHECK_ERROR(runtime::check_layouts("kernel 'k'", infos, std::vector<Argument>{1, c.transpose()}), ErrorCode::argument,
              "kernel 'k': argument 2 'X' is declared f4[:,::1] and must be C-contiguous, but it has shape (4, 3) and "
              "strides (4, 16); pass a contiguous copy or declare it f4[:,:]");
  const std::vector<ArgumentInfo> fortran{array_info("Y", 2, Layout::fortran)};
  CHECK_NOTHROW(runtime::check_layouts("kernel 'k'", fortran, std::vector<Argument>{c.transpose()}));
  CHECK_ERROR(
      runtime::check_layouts("kernel 'k'", fortran, std::vector<Argument>{c}), ErrorCode::argument,
      "kernel 'k': argument 1 'Y' is declared f4[::1,:] and must be Fortran-contiguous, but it has shape (3, 4) "
      "and strides (16, 4); pass a contiguous copy or declare it f4[:,:]");
  const std::vector<ArgumentInfo> any{array_info("Z", 1)};
  CHECK_NOTHROW(runtime::check_layouts("kernel 'k'", any, std::vector<Argument>{make({8}).slice(0, 0, 8, 3)}));
}

TEST_CASE("extents of one name must be equal") {
  const std::vector<ArgumentInfo> infos{array_info("A", 2, Layout::any, {"m", "k"}),
                                        array_info("B", 2, Layout::any, {"k", ""})};
  CHECK_NOTHROW(runtime::check_named_extents("kernel 'mm'", infos, std::vector<Argument>{make({2, 3}), make({3, 9})}));
  CHECK_ERROR(runtime::check_named_extents("kernel 'mm'", infos, std::vector<Argument>{make({2, 128}), make({127, 9})}),
              ErrorCode::argument, "kernel 'mm': k is 128 in A (axis 1) but 127 in B (axis 0)");
  const std::vector<ArgumentInfo> square{array_info("S", 2, Layout::any, {"n", "n"})};
  CHECK_ERROR(runtime::check_named_extents("kernel 'sq'", square, std::vector<Argument>{make({3, 4})}),
              ErrorCode::argument, "kernel 'sq': n is 3 in S (axis 0) but 4 in S (axis 1)");
}
