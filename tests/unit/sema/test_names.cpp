#include <catch2/catch.hpp>
#include <set>

#include "src/sema/builtins.hpp"
#include "src/sema/file_scope.hpp"
#include "src/sema/nearest.hpp"

using namespace jitc::sema;

TEST_CASE("no module has two built-ins of one name") {
  std::set<std::pair<char, std::string>> seen;
  for (const Builtin& b : all_builtins()) {
    for (char module : b.modules) {
      INFO(module << " " << b.name);
      CHECK(seen.insert({module, std::string(b.name)}).second);
    }
  }
}

TEST_CASE("math and numpy spell their functions differently and share the rest") {
  CHECK(find_builtin(Module::kMath, "atan2") != nullptr);
  CHECK(find_builtin(Module::kMath, "arctan2") == nullptr);
  CHECK(find_builtin(Module::kNumpy, "arctan2") != nullptr);
  CHECK(find_builtin(Module::kMath, "sqrt") == find_builtin(Module::kNumpy, "sqrt"));
  CHECK(find_builtin(Module::kCuda, "sqrt") == nullptr);
}

TEST_CASE("modules are known without an import") {
  const FileScope scope;
  for (const char* name : {"cuda", "math", "np", "numba", "operator"}) {
    INFO(name);
    const auto found = scope.find(name);
    REQUIRE(found);
    CHECK(std::holds_alternative<ModuleEntity>(*found));
  }
  CHECK_FALSE(scope.find("scipy"));
}

TEST_CASE("a file's own name wins over a built-in") {
  FileScope scope;
  scope.bind("sqrt", {}, FunctionEntity{3});
  CHECK(std::holds_alternative<FunctionEntity>(*scope.find("sqrt")));
}

TEST_CASE("the nearest name is near") {
  const std::vector<std::string_view> names = {"floor", "sqrt", "exp", "threadIdx"};
  CHECK(nearest_name("flor", names) == "floor");
  CHECK(nearest_name("sqtr", names) == "sqrt");
  CHECK(nearest_name("threadidx", names) == "threadIdx");
  CHECK_FALSE(nearest_name("banana", names));
  CHECK_FALSE(nearest_name("x", names));
  CHECK_FALSE(nearest_name(std::string(100000, 'a'), names));
}
