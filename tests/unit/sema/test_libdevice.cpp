// The table of libdevice fits the functions that serve it, and every name has a case.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "src/kernel/math_types.hpp"
#include "src/sema/libdevice.hpp"

using namespace jitc;
using namespace jitc::sema;

namespace {

bool is_kind_of(DType a, DType b) { return is_float(a) ? a == b : !is_float(b); }

std::string all_cases() {
  std::stringstream text;
  for (const auto& entry : std::filesystem::directory_iterator(JITC_SOURCE_ROOT "/tests/cases/libdevice")) {
    text << std::ifstream(entry.path()).rdbuf();
  }
  return text.str();
}

}  // namespace

TEST_CASE("libdevice has Numba's 317 names, each once") {
  std::set<std::string_view> names;
  for (const LibdeviceFunction& row : libdevice_functions()) names.insert(row.name);
  CHECK(names.size() == 317);
  CHECK(libdevice_functions().size() == 317);
}

TEST_CASE("rows of libdevice have the types of what serves them, but for the widths of integers") {
  for (const LibdeviceFunction& row : libdevice_functions()) {
    INFO(row.name);
    CHECK(row.param_count > 0);
    CHECK(row.result_count == (row.served == Served::kPair ? 2 : 1));
    if (row.served != Served::kMath && row.served != Served::kPair) continue;
    const auto fn = row.as<kernel::MathFn>();
    CHECK(is_kind_of(row.params[0], kernel::argument_type(fn, 0, row.params[0])));
    for (size_t i = 0; i < row.param_count; ++i) {
      CHECK(is_kind_of(row.params[i], kernel::argument_type(fn, i, row.params[0])));
    }
  }
}

TEST_CASE("names are found, and others are not") {
  const Builtin* found = find_builtin(Module::kLibdevice, "fma_rz");
  REQUIRE(found != nullptr);
  CHECK(libdevice_function(*found).name == "fma_rz");
  CHECK(find_builtin(Module::kLibdevice, "sinus") == nullptr);
  CHECK(builtin_names(Module::kLibdevice).size() == 317);
}

TEST_CASE("every function of libdevice is called in a case") {
  const std::string text = all_cases();
  for (const LibdeviceFunction& row : libdevice_functions()) {
    INFO(row.name);
    CHECK(text.find("libdevice." + std::string(row.name) + "(") != std::string::npos);
  }
}
