#include <catch2/catch.hpp>

#include "src/types/type.hpp"
#include "src/types/type_names.hpp"

using namespace jitc;
using types::Strength;

TEST_CASE("equal types have equal ids") {
  types::TypeTable t;
  CHECK(t.array({f4, 2, Layout::c, false, {}}) == t.array({f4, 2, Layout::c, false, {}}));
  CHECK(t.array({f4, 2, Layout::c, false, {}}) != t.array({f4, 2, Layout::any, false, {}}));
  CHECK(t.tuple({t.scalar(f4), t.scalar(i8)}) == t.tuple({t.scalar(f4), t.scalar(i8)}));
  CHECK(t.scalar(f8) != t.scalar(f8, Strength::kWeakConst));
}

TEST_CASE("types print as signatures write them") {
  types::TypeTable t;
  CHECK(t.to_string(t.scalar(u2)) == "u2");
  CHECK(t.to_string(t.scalar(i8, Strength::kWeakConst)) == "int");
  CHECK(t.to_string(t.scalar(f8, Strength::kWeakRuntime)) == "float?");
  CHECK(t.to_string(t.array({f4, 1, Layout::any, false, {}})) == "f4[:]");
  CHECK(t.to_string(t.array({f4, 1, Layout::c, false, {}})) == "f4[::1]");
  CHECK(t.to_string(t.array({f8, 3, Layout::c, false, {}})) == "f8[:,:,::1]");
  CHECK(t.to_string(t.array({i1, 2, Layout::fortran, false, {}})) == "i1[::1,:]");
  CHECK(t.to_string(t.array({f4, 2, Layout::any, false, {"n", "m"}})) == "f4[n,m]");
  CHECK(t.to_string(t.tuple({t.scalar(f4), t.scalar(b1)})) == "(f4, b1)");
  CHECK(t.to_string(t.tuple({t.scalar(f4)})) == "(f4,)");
  CHECK(t.to_string(t.none()) == "none");
}

TEST_CASE("every spelling of a type names it") {
  CHECK(types::scalar_type_from_name("float32") == f4);
  CHECK(types::scalar_type_from_name("double") == f8);
  CHECK(types::scalar_type_from_name("boolean") == b1);
  CHECK(types::scalar_type_from_name("uint") == u8);
  CHECK(types::scalar_type_from_name("intc") == i4);
  CHECK(types::scalar_type_from_name("float16") == f2);
  CHECK(types::scalar_type_from_name("bfloat16") == bf16);
  CHECK(types::scalar_type_from_name("complex64") == c8);
  CHECK_FALSE(types::scalar_type_from_name("float31"));
  for (std::string_view n : types::scalar_type_names()) CHECK(types::scalar_type_from_name(n).has_value());
}
