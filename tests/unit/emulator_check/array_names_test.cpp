#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/emulator/driver/launch_arrays.hpp"
#include "runtime/emulator/memory/address_space.hpp"
#include "runtime/emulator/program/load_module.hpp"

using namespace jitc::emulator;

namespace {

/// Accesses the array that is parameter 0.
const std::string kLoadsFirst = "ld.param.u64 %d0, [p0];\nld.global.u8 %r, [%d0];\n";

/// A launch of a kernel with this comment and parameters of 8 bytes, with one allocation.
class NamedLaunch {
 public:
  NamedLaunch(const std::string& comment, size_t count_params, uint64_t size_bytes,
              const std::string& body = kLoadsFirst)
      : data(space_.allocate(size_bytes, {})), loaded_(load_module(text(comment, count_params, body))) {
    linked_.program = &loaded_.programs.at(0);
    params_.resize(count_params);
    map_ = space_.map_for(0);
    launch_.program = &linked_;
    launch_.memory = map_.get();
  }

  /// What the body's last access is said to be of, where it goes to the offset in the allocation.
  std::string name(std::vector<int64_t> params, int64_t offset) {
    set_params(std::move(params));
    const DecodedFunction& entry = linked_.program->functions[0];
    Fault fault;
    fault.kind = FaultKind::out_of_bounds;
    fault.function = &entry;
    fault.step = static_cast<uint32_t>(entry.steps.size());
    while (entry.steps[--fault.step].action == Action::ret) continue;
    fault.address = data->base + static_cast<uint64_t>(offset);
    return driver::array_element_of(launch_, fault);
  }

  std::string name_by_address(std::vector<int64_t> params, int64_t offset) {
    set_params(std::move(params));
    return driver::array_element_at(launch_, data->base + static_cast<uint64_t>(offset));
  }

 private:
  void set_params(std::vector<int64_t> params) {
    params_ = std::move(params);
    launch_.params = std::as_bytes(std::span(params_));
  }

  static std::string text(const std::string& comment, size_t count_params, const std::string& body) {
    std::string params;
    for (size_t i = 0; i < count_params; ++i) params += (i == 0 ? "" : ", ") + (".param .u64 p" + std::to_string(i));
    return ".version 7.0\n.target sm_80\n.address_size 64\n" + comment + ".visible .entry k(" + params +
           ")\n{\n.reg .pred %p;\n.reg .b32 %r;\n.reg .b64 %d<9>;\n" + body + "ret;\n}\n";
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

const std::string kTwoArrays =
    "// k(x: f4[::1], y: f4[::1])\n//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: y.data\n"
    "//   param 3: y.shape[0]\n";

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

TEST_CASE("an address alone has the name of the one array around it") {
  NamedLaunch launch(kTwoArrays, 4, 4096);
  const int64_t base = base_of(launch);
  CHECK(launch.name_by_address({base, 10, base + 1024, 10}, 36) == "x[9] (x is f4[::1] of shape (10,))");
  CHECK(launch.name_by_address({base, 10, base + 1024, 10}, 1024) == "y[0] (y is f4[::1] of shape (10,))");
  CHECK(launch.name_by_address({base, 10, base + 1024, 10}, 40).empty());
  CHECK(launch.name_by_address({base, 10, base + 1024, 10}, 1020).empty());
  CHECK(launch.name_by_address({base, 10, base + 36, 10}, 36).empty());
}

TEST_CASE("between the elements of a view lie those of another") {
  NamedLaunch launch(
      "// k(x: f4[:], y: f4[:])\n//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: x.strides[0]\n"
      "//   param 3: y.data\n//   param 4: y.shape[0]\n//   param 5: y.strides[0]\n",
      6, 4096);
  const int64_t base = base_of(launch);
  CHECK(launch.name_by_address({base, 10, 8, base + 4, 10, 8}, 16) == "x[2] (x is f4[:] of shape (10,))");
  CHECK(launch.name_by_address({base, 10, 8, base + 4, 10, 8}, 20) == "y[2] (y is f4[:] of shape (10,))");
}

TEST_CASE("the array is the one whose address the access starts from") {
  const std::string heads = "ld.param.u64 %d0, [p0];\nld.param.u64 %d1, [p1];\nld.param.u64 %d2, [p2];\n";
  for (const std::string body :
       {"st.global.u32 [%d2], %r;\n", "st.global.u32 [%d2+-2800], %r;\n", "red.global.add.u32 [%d2], %r;\n",
        "cvta.to.global.u64 %d3, %d2;\nst.global.u32 [%d3], %r;\n",
        "mad.wide.s32 %d3, %r, 4, %d2;\nst.global.u32 [%d3], %r;\n",
        "shl.b64 %d3, %d1, 2;\nadd.s64 %d4, %d3, %d2;\nst.global.u32 [%d4], %r;\n",
        "sub.s64 %d3, %d2, %d0;\nst.global.u32 [%d3], %r;\n",
        "ld.global.u64 %d3, [%d0];\nadd.s64 %d3, %d3, %d2;\nst.global.u32 [%d3], %r;\n",
        "mul.lo.s64 %d3, %d0, 12;\nadd.s64 %d3, %d2, %d3;\nst.global.u32 [%d3], %r;\n",
        "add.s64 %d3, %d2, 4;\nselp.b64 %d4, %d3, %d2, %p;\nst.global.u32 [%d4], %r;\n",
        "mov.u64 %d3, %d2;\nL:\nadd.s64 %d3, %d3, 4;\n@%p bra L;\nst.global.u32 [%d3], %r;\n"}) {
    CAPTURE(body);
    NamedLaunch launch(kTwoArrays, 4, 4096, heads + body);
    const int64_t base = base_of(launch);
    CHECK(launch.name({base, 10, base + 2048, 10}, 0) == "y[-512] (y is f4[::1] of shape (10,))");
    CHECK(launch.name({base, 10, base, 10}, 8) == "y[2] (y is f4[::1] of shape (10,))");
  }
}

TEST_CASE("an access that starts from two arrays, or from none, is named by its address") {
  const std::string heads = "ld.param.u64 %d0, [p0];\nld.param.u64 %d1, [p1];\nld.param.u64 %d2, [p2];\n";
  for (const std::string body :
       {"selp.b64 %d3, %d0, %d2, %p;\nst.global.u32 [%d3], %r;\n",
        "mov.u64 %d3, %d0;\n@%p mov.u64 %d3, %d2;\nst.global.u32 [%d3], %r;\n",
        "ld.global.u64 %d3, [%d2];\nst.global.u32 [%d3], %r;\n", "st.global.u32 [%d1], %r;\n"}) {
    CAPTURE(body);
    NamedLaunch launch(kTwoArrays, 4, 4096, heads + body);
    const int64_t base = base_of(launch);
    CHECK(launch.name({base, 10, base + 2048, 10}, 8) == "x[2] (x is f4[::1] of shape (10,))");
    CHECK(launch.name({base, 10, base + 2048, 10}, 44).empty());
  }
}

TEST_CASE("the address of an array without elements is no array's") {
  NamedLaunch launch(kTwoArrays, 4, 4096);
  const int64_t base = base_of(launch);
  CHECK(launch.name({0, 0, base, 10}, 12 - base) == "x[3] (x is f4[::1] of shape (0,))");
  NamedLaunch rows("// k(x: f4[:,::1])\n//   param 0: x.data\n//   param 1: x.shape[0]\n//   param 2: x.shape[1]\n", 3,
                   64);
  CHECK(rows.name({0, 5, 0}, 8 - base_of(rows)) == "x[2, 0] (x is f4[:,::1] of shape (5, 0))");
}

TEST_CASE("parameters that lie in memory are read there") {
  NamedLaunch launch(
      "// k(x: f4[::1], y: f4[::1])\n//   param 0: the address of these\n//   byte 16: x.data\n"
      "//   byte 24: y.data\n",
      1, 4096,
      "ld.param.u64 %d0, [p0];\ncvta.to.global.u64 %d1, %d0;\nld.global.u64 %d2, [%d1+24];\n"
      "st.global.u32 [%d2], %r;\n");
  const int64_t x = base_of(launch) + 1024, y = base_of(launch) + 2048;
  std::memcpy(launch.data->bytes + 16, &x, sizeof x);
  std::memcpy(launch.data->bytes + 24, &y, sizeof y);
  CHECK(launch.name({base_of(launch)}, 1024) == "y[-256] (y is f4[::1])");
}

TEST_CASE("nothing is said of a kernel without a comment, and of addresses out of any array") {
  NamedLaunch launch("// k(x: f4[::1])\n//   param 0: x.data\n", 1, 64);
  CHECK(launch.name_by_address({0}, 8).empty());
  NamedLaunch unknown("", 1, 64);
  CHECK(unknown.name({base_of(unknown)}, 8).empty());
}
