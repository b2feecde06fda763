// Copies of every form: the right bytes, in the fewest calls, and no byte beside them.
#include <cstring>

#include "runtime/cuda/driver_abi.hpp"
#include "tests/unit/runtime_common/random_views.hpp"
#include "tests/unit/runtime_cuda/any_scene.hpp"
#include "tests/unit/runtime_cuda/cuda_scene.hpp"

using namespace jitc;
using namespace jitc::tests;
using Direction = runtime::StridedCopy::Direction;
using Ints = std::vector<int64_t>;

namespace {

using Bytes = std::vector<uint8_t>;

/// A block of memory, of the host or of a device, with elements of 4 bytes somewhere in it.
struct Elems {
  Bytes host;
  Array device;  ///< valid: it has the elements, and `host` is what was sent there
  int64_t first = 0;
  Ints strides;

  std::byte* data() { return (device.valid() ? device.data() : reinterpret_cast<std::byte*>(host.data())) + first; }
  Bytes bytes(const Stream& stream) const { return device.valid() ? device.to_vector<uint8_t>(stream) : host; }
  void send(const BackendScene& scene, const Stream& stream) {
    device = scene.empty({static_cast<int64_t>(host.size())}, DType::u1, stream);
    device.copy_from_host(host, stream);
  }
};

/// They lie in any order of axes, some backwards, with gaps; a source may stand still along axes.
Elems place_by_chance(const Ints& shape, bool may_repeat, Chance& chance) {
  Elems out;
  out.strides.resize(shape.size());
  int64_t stride = 4, low = 0, high = 4;
  for (const int axis : chance.permutation(static_cast<int>(shape.size()))) {
    const auto i = static_cast<size_t>(axis);
    if (may_repeat && chance.one_in(5)) continue;
    const int64_t distance = stride + (chance.one_in(3) ? 4 * chance.from(0, 2) : 0);
    out.strides[i] = chance.one_in(3) ? -distance : distance;
    (out.strides[i] < 0 ? low : high) += (shape[i] - 1) * out.strides[i];
    stride += distance * (shape[i] - 1);
  }
  out.first = 16 - low;
  out.host.resize(static_cast<size_t>(high - low + 32));
  for (uint8_t& byte : out.host) byte = static_cast<uint8_t>(chance.from(0, 255));
  return out;
}

/// What the destination's block must hold afterwards, one element after the other.
Bytes expected(const Ints& shape, const Elems& dst, const Elems& src) {
  Bytes out = dst.host;
  const Ints to = offsets_of(shape, dst.strides);
  const Ints from = offsets_of(shape, src.strides);
  for (size_t i = 0; i < to.size(); ++i)
    std::memcpy(out.data() + dst.first + to[i], src.host.data() + src.first + from[i], 4);
  return out;
}

/// Copies between blocks that chance made.
void copy_by_chance(const BackendScene& scene, const Stream& stream, Direction direction, Chance& chance) {
  const Ints shape = chance.shape(4, 5);
  Elems dst = place_by_chance(shape, false, chance);
  Elems src = place_by_chance(shape, true, chance);
  const Bytes wanted = expected(shape, dst, src);
  const Bytes source = src.host;
  if (direction != Direction::device_to_host) dst.send(scene, stream);
  if (direction != Direction::host_to_device) src.send(scene, stream);
  scene->copy({direction, dst.data(), src.data(), shape, dst.strides, src.strides, 4}, *stream.queue());
  if (stream.queue() != scene->default_queue()) stream.synchronize();
  REQUIRE(dst.bytes(stream) == wanted);
  REQUIRE(src.bytes(stream) == source);
}

uint64_t copies_of(const CudaScene& scene) {
  uint64_t count = 0;
  for (const char* function : {"cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
                               "cuMemcpyDtoDAsync_v2", "cuMemcpy2DUnaligned_v2", "cuMemcpy2DAsync_v2"}) {
    count += scene.fake->count(function);
  }
  return count;
}

}  // namespace

TEST_CASE("elements at any strides are copied, and no byte beside them") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  Chance chance(7);
  for (const Direction direction : {Direction::host_to_device, Direction::device_to_host, Direction::within_device}) {
    for (int i = 0; i < 150; ++i) {
      CAPTURE(static_cast<int>(direction), i);
      copy_by_chance(scene, i % 2 == 0 ? scene.default_stream() : stream, direction, chance);
    }
  }
}

TEST_CASE("contiguous arrays are copied in one call") {
  const CudaScene scene;
  const Array array = scene.empty({8, 8});
  array.copy_from_host(std::vector<int32_t>(64));
  CHECK(copies_of(scene) == 1);
  CHECK(scene.fake->count("cuMemcpyHtoD_v2") == 1);
  array.to_vector<int32_t>();
  CHECK(scene.fake->count("cuMemcpyDtoH_v2") == 1);
  const Array copy = array.copy();
  CHECK(scene.fake->count("cuMemcpyDtoDAsync_v2") == 1);
}

TEST_CASE("on a stream copies do not wait") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Array array = scene.empty({8}, DType::i4, stream);
  std::vector<int32_t> host(8, 3);
  array.copy_from_host(host, stream);
  const Array copy = array.copy(stream);
  CHECK(scene.fake->pending() > 0);
  copy.copy_to_host(host, stream);  // which waits for memory that is not page-locked
  CHECK(scene.fake->count("cuMemcpyHtoDAsync_v2") == 1);
  CHECK(scene.fake->count("cuMemcpyDtoDAsync_v2") == 1);
  CHECK(scene.fake->count("cuMemcpyDtoHAsync_v2") == 1);
  stream.synchronize();
}

TEST_CASE("without a stream a copy is done when it returns, also within the device") {
  const CudaScene scene;
  scene.fake->hold();
  const Array array = scene.iota({8});
  const Array copy = array.copy();
  CHECK(scene.fake->pending() == 0);
}

TEST_CASE("rows with gaps are copied as one rectangle") {
  const CudaScene scene;
  const Array array = scene.iota({8, 8}).slice(1, 0, 4);
  const uint64_t before = copies_of(scene);
  std::vector<int32_t> host(32);
  array.copy_to_host(host);
  CHECK(copies_of(scene) == before + 1);
  CHECK(scene.fake->count("cuMemcpy2DUnaligned_v2") == 1);
  const Stream stream = scene.make_stream();
  array.copy_to_host(host, stream);
  stream.synchronize();
  CHECK(scene.fake->count("cuMemcpy2DAsync_v2") == 1);
  CHECK(host[31] == 59);
}

TEST_CASE("rows too far apart for a rectangle are copied one by one") {
  FakePose pose;
  pose.devices[0].attributes = {{runtime::cuda::CU_DEVICE_ATTRIBUTE_MAX_PITCH, 16}};
  const CudaScene scene(pose);
  const Array array = scene.iota({8, 8}).slice(1, 0, 4);
  std::vector<int32_t> host(32);
  array.copy_to_host(host);
  CHECK(scene.fake->count("cuMemcpyDtoH_v2") == 8);
  CHECK(host[31] == 59);
}

TEST_CASE("a transposed array takes one call and not one for each column") {
  const CudaScene scene;
  const Array array = scene.iota({64, 48});
  const uint64_t before = copies_of(scene);
  std::vector<int32_t> host(64 * 48);
  array.transpose().copy_to_host(HostView(host.data(), DType::i4, {48, 64}));
  CHECK(copies_of(scene) == before + 1);
  CHECK(host[1] == 48);
  array.transpose().copy_from_host(HostView(host.data(), DType::i4, {48, 64}));
  CHECK(copies_of(scene) == before + 2);
  CHECK(array.to_vector<int32_t>()[1] == 1);
}

TEST_CASE("an array turned around is copied within the device") {
  const AnyScene scene(GENERATE(every_driver()));
  const Array array = scene.iota({6}).slice(0, 5, -7, -1);
  CHECK(array.copy().to_vector<int32_t>() == std::vector<int32_t>{5, 4, 3, 2, 1, 0});
}

TEST_CASE("zeros are set in the order of the stream") {
  const AnyScene scene(GENERATE(every_driver()));
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({4}, stream);
  scene->fill_zero(array.data() + 4, 8, *stream.queue());
  CHECK(array.to_vector<int32_t>(stream) == std::vector<int32_t>{0, 0, 0, 3});
}

TEST_CASE("host memory of a copy by way of packed memory is not used after a failure") {
  const CudaScene scene;
  scene.fake->hold();
  const Stream stream = scene.make_stream();
  const Array array = scene.iota({6}, stream).slice(0, 5, -7, -1);
  scene.script("cuStreamSynchronize", 1);
  std::vector<int32_t> host(6);
  CHECK_ERROR(array.copy_to_host(host, stream), ErrorCode::device,
              "waiting for a copy on cuda:0: cuStreamSynchronize returned CUDA_ERROR_INVALID_VALUE (1): invalid "
              "argument");
  CHECK(scene.fake->pending() == 0);
}
