#include "src/array/host_eval.hpp"

#include "tests/unit/array/plans.hpp"

using namespace jitc;

namespace {

/// The value that the host computes for the extent `expr` of one i8 parameter.
int64_t extent_of(const std::string& expr, int64_t n) {
  const CheckedText text = check_array_function("f8[:](i8)", "n", "return np.zeros(" + expr + ")");
  const array::Program& program = text.plan().program;
  for (const array::Node& node : program.nodes) {
    if (!std::holds_alternative<array::Fill>(node.kind)) continue;
    const auto* extent = std::get_if<array::ScalarExtent>(&program.extents[node.shape[0]]);
    REQUIRE(extent != nullptr);
    const auto& map = std::get<array::Map>(program.nodes[array::NodeId(extent->node)].kind);
    REQUIRE(map.args.size() == 1);
    const Scalar arg = Scalar::of(n);
    return static_cast<int64_t>(array::evaluate(*text.module->types, *map.function, std::span(&arg, 1)).bits);
  }
  return -1;
}

}  // namespace

TEST_CASE("the host computes ints as kernels do") {
  CHECK(extent_of("n // 3 + 1", 10) == 4);
  CHECK(extent_of("-(-n // 3)", 10) == 4);
  CHECK(extent_of("n % 4", -1) == 3);
  CHECK(extent_of("max(n, 5) - min(n, 2)", 3) == 3);
  CHECK(extent_of("n // (n - n)", 3) == 0);
  CHECK(extent_of("(n << 0) if False else n * n", 7) == 49);
  CHECK(extent_of("1 if n > 3 and n < 5 else 2", 4) == 1);
}

TEST_CASE("the host computes floats as kernels do") {
  CHECK(extent_of("int(math.ceil(n / 4))", 9) == 3);
  CHECK(extent_of("int(n * 0.5)", 9) == 4);
  CHECK(extent_of("int(math.sqrt(n))", 17) == 4);
}
