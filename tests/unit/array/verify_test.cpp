#include "src/array/verify.hpp"

#include "tests/unit/array/plans.hpp"

using namespace jitc;
using namespace jitc::array;

namespace {

Program program_of(const std::string& body) { return check_array_function("f4[:](f4[:,:])", "x", body).plan().program; }

template <class Kind>
Node& find(Program& program) {
  for (uint32_t k = 0; k < program.nodes.size(); ++k) {
    if (std::holds_alternative<Kind>(program.nodes[NodeId(k)].kind)) return program.nodes[NodeId(k)];
  }
  FAIL("no such node");
  return program.nodes[NodeId(0)];
}

}  // namespace

TEST_CASE("programs of the builder keep the rules") { CHECK(verify(program_of("return x.sum(axis=1)[::2]")).empty()); }

TEST_CASE("a fold that does not say what becomes of each axis breaks a rule") {
  Program program = program_of("return x.sum(axis=1)");
  std::get<Fold>(find<Fold>(program).kind).folded.pop_back();
  REQUIRE_FALSE(verify(program).empty());
  CHECK(verify(program).front().find("a fold says of each axis whether it goes") != std::string::npos);
}

TEST_CASE("what is taken before it is defined breaks a rule") {
  Program program = program_of("return (x + 1).sum(axis=1)");
  program.body.erase(program.body.begin() + 1);
  CHECK_FALSE(verify(program).empty());
}

TEST_CASE("a permutation with an axis twice breaks a rule") {
  Program program = program_of("return x.T[0] + 1");
  std::get<Permute>(find<Permute>(program).kind).axes = {0, 0};
  CHECK_FALSE(verify(program).empty());
}

TEST_CASE("a store without its mark breaks a rule") {
  Program program = program_of("x[0] = 1\nreturn x[0]");
  for (uint32_t k = 0; k < program.nodes.size(); ++k) program.nodes[NodeId(k)].is_stored = false;
  CHECK_FALSE(verify(program).empty());
}
