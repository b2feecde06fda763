#include "tests/support/run_cases/numpy_oracle.hpp"

#include <catch2/catch.hpp>

#include "tests/support/run_cases/compare.hpp"

namespace jitc::cases {
namespace {

io::HostArray array(const std::string& spec) { return io::make_array(io::parse_arg_spec(spec)); }

TEST_CASE("NumPy computes with the inputs by name, all jobs in one process") {
  const std::vector<NumpyResult> results = run_numpy({
      {"y = x * 2\nz = np.full((2,), n)\n",
       {{"x", array("f4[3]{1, 2, nan}")}, {"n", Scalar::of(int64_t{5})}},
       {"y", "z"}},
      {"y = x > 1\n", {{"x", array("u1[2,1]{1, 2}")}}, {"y"}},
  });
  REQUIRE(results.size() == 2);
  REQUIRE(results[0].error.empty());
  CHECK_FALSE(first_difference({}, array("f4[3]{2, 4, nan}"), results[0].outs[0]));
  CHECK_FALSE(first_difference({}, array("i8[2]{5, 5}"), results[0].outs[1]));
  CHECK_FALSE(first_difference({}, array("b1[2,1]{False, True}"), results[1].outs[0]));
}

TEST_CASE("A section that fails fails its own case only") {
  const std::vector<NumpyResult> results = run_numpy({{"y = nothing\n", {}, {"y"}}, {"y = np.int8(3)\n", {}, {"y"}}});
  CHECK(results[0].error == "the numpy section fails: NameError: name 'nothing' is not defined");
  CHECK(results[1].error.empty());
}

TEST_CASE("Python's numbers are weak beside typed scalars") {
  const std::vector<NumpyResult> results = run_numpy({{"y = n * 2.5\n", {{"n", Scalar::of(1.5F)}}, {"y"}}});
  REQUIRE(results[0].error.empty());
  CHECK_FALSE(first_difference({}, array("f4[]{3.75}"), results[0].outs[0]));
}

}  // namespace
}  // namespace jitc::cases
