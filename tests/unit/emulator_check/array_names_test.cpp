#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/emulator/driver/launch_arrays.hpp"
#include "runtime/emulator/memory/address_space.hpp"
#include "runtime/emulator/program/load_module.hpp"

using namespace jitc::emulator;

namespace {

/// A launch of a kernel with this comment and parameters of 8 bytes, with one allocation.
class NamedLaunch {
 public:
  NamedLaunch(const std::string& comment, size_t count_params, uint64_t size_bytes)
      : data(space_.allocate(size_bytes, {})), loaded_(load_module(text(comment, count_params))) {
    linked_.program = &loaded_.programs.at(0);
    params_.resize(count_params);
    map_ = space_.map_for(0);
    launch_.program = &linked_;
    launch_.memory = map_.get();
  }

  std::string name(std::vector<int64_t> params, int64_t offset) {
    params_ = std::move(params);
    launch_.params = std::as_bytes(std::span(params_));
    return driver::array_element_at(launch_, data->base + static_cast<uint64_t>(offset));
  }

 private:
  static std::string text(const std::string& comment, size_t count_params) {
    std::string params;
    for (size_t i = 0; i < count_params; ++i) params += (i == 0 ? "" : ", ") + (".param .u64 p" + std::to_string(i));
    return ".version 7.0\n.target sm_80\n.address_size 64\n" + comment + ".visible .entry k(" + params +
           ")\n{\nret;\n}\n";
  }

  AddressSpace space_;

 public:
  AllocationPtr data;

 private:
  LoadedModule loaded_;
  LinkedProgram linked_ = {nullptr, {}, {}};
  std::vector<int64_t> params_;
  std::shared_ptr<const AddressMap> map_;
  driver::KernelLaunch launch_;
};

int64_t base_of(const NamedLaunch& launch) { return static_cast<int64_t>(launch.data->base); }

}  // namespace

TEST_CASE("an element is named by its index, outside of the array too") {
  NamedLaunch launch("// k(x: f4[:])\n//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: x.strides[0]\n", 3,
                     4096);
  const std::vector<int64_t> params = {base_of(launch), 10, 4};
  CHECK(launch.name(params, 0) == "x[0] (x is f4[:] of shape (10,))");
  CHECK(launch.name(params, 48) == "x[12] (x is f4[:] of shape (10,))");
  CHECK(launch.name(params, -4) == "x[-1] (x is f4[:] of shape (10,))");
  CHECK(launch.name(params, 6) == "x[1] + 2 bytes (x is f4[:] of shape (10,))");
}

TEST_CASE("strides may be of any order and sign") {
  NamedLaunch launch("// k(x: f8[:,:])\n//   param 0: x.data\n//   param 1: x.strides[0]\n//   param 2: x.strides[1]\n",
                     3, 4096);
  CHECK(launch.name({base_of(launch), 8, 80}, 2 * 8 + 3 * 80) == "x[2, 3] (x is f8[:,:])");
  CHECK(launch.name({base_of(launch) + 400, -80, 8}, 400 - 2 * 80 + 8) == "x[2, 1] (x is f8[:,:])");
  NamedLaunch backward(
      "// k(x: f8[:,:])\n//   param 0: x.data\n//   param 1: x.shape[1]\n//   param 2: x.strides[0]\n"
      "//   param 3: x.strides[1]\n",
      4, 4096);
  CHECK(backward.name({base_of(backward) + 72, 10, 80, -8}, 72 + 2 * 80 - 8) ==
        "x[2, 1] (x is f8[:,:] of shape (?, 10))");
}

TEST_CASE("strides that are no parameters follow from the extents, in the order of the type") {
  const std::string tail = "//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: x.shape[1]\n";
  NamedLaunch c("// k(x: i2[:,:])\n" + tail, 3, 4096), fortran("// k(x: i2[::1,:])\n" + tail, 3, 4096);
  CHECK(c.name({base_of(c), 3, 5}, 2 * (5 * 2 + 4)) == "x[2, 4] (x is i2[:,:] of shape (3, 5))");
  CHECK(fortran.name({base_of(fortran), 3, 5}, 2 * (2 + 3 * 4)) == "x[2, 4] (x is i2[::1,:] of shape (3, 5))");
}

TEST_CASE("without its strides an array is counted in bytes") {
  NamedLaunch launch("// k(x: i2[:,:])\n//   param 0: x.data\n", 1, 64);
  CHECK(launch.name({base_of(launch)}, 10) == "x + 10 bytes (x is i2[:,:])");
}

TEST_CASE("of several arrays in an allocation the nearest is named") {
  NamedLaunch launch(
      "// k(x: f4[::1], y: f4[::1])\n//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: y.data\n"
      "//   param 3: y.shape[0]\n",
      4, 4096);
  const std::vector<int64_t> params = {base_of(launch), 10, base_of(launch) + 1024, 10};
  CHECK(launch.name(params, 44) == "x[11] (x is f4[::1] of shape (10,))");
  CHECK(launch.name(params, 1020) == "y[-1] (y is f4[::1] of shape (10,))");
}

TEST_CASE("parameters that lie in memory are read there") {
  NamedLaunch launch("// k(x: f4[::1])\n//   param 0: the address of these\n//   byte 16: x.data\n", 1, 4096);
  const int64_t x = base_of(launch) + 1024;
  std::memcpy(launch.data->bytes + 16, &x, sizeof x);
  CHECK(launch.name({base_of(launch)}, 1024 + 20) == "x[5] (x is f4[::1])");
}

TEST_CASE("what is near no array has no name") {
  NamedLaunch launch("// k(x: f4[::1])\n//   param 0: x.data\n", 1, 64);
  CHECK(launch.name({0}, 8).empty());
  NamedLaunch unknown("", 1, 64);
  CHECK(unknown.name({base_of(unknown)}, 8).empty());
}
