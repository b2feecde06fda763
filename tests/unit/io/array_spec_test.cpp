#include "src/io/array_spec.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "src/io/format_array.hpp"
#include "src/io/input_error.hpp"

using namespace jitc;
using Catch::Matchers::Contains;

namespace {

std::string made(std::string_view spec, std::optional<DType> declared = {}) {
  return io::format_literal(io::make_array(io::parse_arg_spec(spec), declared));
}

/// The message of what `action` throws, with its help.
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const io::InputError& error) { return std::string(error.what()) + " | " + error.help(); }
  return "nothing was thrown";
}

std::string refused(std::string_view spec, std::optional<DType> declared = {}) {
  return refusal([&] { made(spec, declared); });
}

ArgumentInfo array_of(DType dtype, int rank, Layout layout = Layout::any) {
  ArgumentInfo info;
  info.name = "x";
  info.dtype = dtype;
  info.is_array = true;
  info.rank = rank;
  info.layout = layout;
  return info;
}

}  // namespace

TEST_CASE("fills make arrays of their type and shape") {
  CHECK(made("zeros:f4[2,2]") == "f4[2,2] {{0, 0}, {0, 0}}");
  CHECK(made("ones:i8[3]") == "i8[3] {1, 1, 1}");
  CHECK(made("ones:b1[2]") == "b1[2] {true, true}");
  CHECK(made("full:2.5:f4[2]") == "f4[2] {2.5, 2.5}");
  CHECK(made("full:nan:f8[1]") == "f8[1] {nan}");
  CHECK(made("full:-1:i2[1,1,1]") == "i2[1,1,1] {{{-1}}}");
  CHECK(made("empty:u1[2]") == "u1[2] {0, 0}");
  CHECK(made("arange:f4[2,3]") == "f4[2,3] {{0, 1, 2}, {3, 4, 5}}");
  CHECK(made("arange:i4[]") == "i4[] {0}");
  CHECK(made("zeros:f4[0,3]") == "f4[0,3] {}");
  CHECK(made(" zeros : f4 [ 2 ] ") == "f4[2] {0, 0}");
}

TEST_CASE("arange wraps where the type is too narrow") {
  const io::HostArray array = io::make_array(io::parse_arg_spec("arange:u1[258]"));
  CHECK(array.element(255).bits == 255);
  CHECK(array.element(257).bits == 1);
}

TEST_CASE("a missing dtype is the declared one") {
  CHECK(made("zeros:[2]", f4) == "f4[2] {0, 0}");
  CHECK(made("[2]{1, 2}", i1) == "i1[2] {1, 2}");
  CHECK(refused("zeros:[2]") == "the array has no type | write it before the shape, such as zeros:f4[100]");
}

TEST_CASE("literals are flat or nested, in C order") {
  CHECK(made("f4[3]{1, 2.5, nan}") == "f4[3] {1, 2.5, nan}");
  CHECK(made("i4[2,2]{1,2,3,4}") == "i4[2,2] {{1, 2}, {3, 4}}");
  CHECK(made("i4[2,2] {{1, 2}, {3, 4},}") == "i4[2,2] {{1, 2}, {3, 4}}");
  CHECK(made("b1[2]{true, 0}") == "b1[2] {true, false}");
  CHECK(made("f8[0]{}") == "f8[0] {}");
  CHECK(made("f8[]{7}") == "f8[] {7}");
}

TEST_CASE("a printed literal reads back to the same elements") {
  for (const char* spec : {"random:f4[7]:seed=3", "normal:f8[2,3]:seed=1", "random:i8[4]", "random:u8[4]",
                           "random:b1[9]", "f8[4]{-0, inf, 1e-320, 1e300}"}) {
    const io::HostArray first = io::make_array(io::parse_arg_spec(spec));
    const io::HostArray second = io::make_array(io::parse_arg_spec(io::format_literal(first)));
    CHECK(first.shape == second.shape);
    CHECK(first.bytes == second.bytes);
  }
}

TEST_CASE("random numbers depend on seed and index alone") {
  const std::string first = made("random:f8[3]:seed=5");
  CHECK(first == made("random:f8[3]:seed=5"));
  CHECK(first != made("random:f8[3]:seed=6"));
  CHECK(made("random:f8[3]") == made("random:f8[3]:seed=0"));
  const io::HostArray longer = io::make_array(io::parse_arg_spec("random:f8[10]:seed=5"));
  const io::HostArray shorter = io::make_array(io::parse_arg_spec("random:f8[3]:seed=5"));
  for (int64_t i = 0; i < 3; ++i) CHECK(longer.element(i).bits == shorter.element(i).bits);
}

TEST_CASE("random stays inside its range") {
  const auto outside = [](const char* spec, double low, double high) {
    const io::HostArray array = io::make_array(io::parse_arg_spec(spec));
    int count = 0;
    for (int64_t i = 0; i < array.size(); ++i) {
      const io::HostArray& a = array;
      const double value = a.dtype == f4   ? double(reinterpret_cast<const float*>(a.bytes.data())[i])
                           : a.dtype == f8 ? reinterpret_cast<const double*>(a.bytes.data())[i]
                                           : double(reinterpret_cast<const int32_t*>(a.bytes.data())[i]);
      count += !(value >= low && value < high);
    }
    return count;
  };
  CHECK(outside("random:f4[1000]", 0, 1) == 0);
  CHECK(outside("random:f8[1000]:seed=1", 0, 1) == 0);
  CHECK(outside("random:f8[1000]:low=-2:high=3", -2, 3) == 0);
  CHECK(outside("random:i4[1000]:low=-3:high=4", -3, 4) == 0);
}

TEST_CASE("random ranges and options that make no sense are refused") {
  CHECK_THAT(refused("random:i4[2]:low=3:high=3"), Contains("there is nothing from 3 up to 3"));
  CHECK_THAT(refused("random:f4[2]:low=3"), Contains("there is nothing from 3 up to 1"));
  CHECK_THAT(refused("random:u1[2]:high=256"), Contains("256 does not fit u1"));
  CHECK_THAT(refused("random:i4[2]:low=3"), Contains("needs high="));
  CHECK_THAT(refused("normal:i4[2]"), Contains("normal: makes f2, bf16, f4 or f8, not i4"));
  CHECK_THAT(refused("normal:f4[2]:low=1"), Contains("'low' is not an option"));
  CHECK_THAT(refused("zeros:f4[2]:seed=1"), Contains("'seed' is not an option"));
  CHECK_THAT(refused("random:f4[2]:seed=-1"), Contains("seed: -1 does not fit u8"));
  CHECK_THAT(refused("random:f4[2]:seed"), Contains("'=' is missing after seed"));
}

TEST_CASE("text that is no SPEC says what is wrong") {
  CHECK_THAT(refused(""), Contains("'' is not a SPEC: it is empty"));
  CHECK_THAT(refused("hello"), Contains("neither a number nor a file that ends in .npy"));
  CHECK_THAT(refused("zeroes:f4[2]"), Contains("'zeroes:' makes no array"));
  CHECK_THAT(refused("zeros:q4[2]"), Contains("'q4' is no type | the types are b1"));
  CHECK_THAT(refused("zeros:f3[2]"), Contains("'f3' is no type"));
  CHECK_THAT(refused("zeros:f4"), Contains("'[' is missing before the shape"));
  CHECK_THAT(refused("zeros:f4[2"), Contains("']' is missing after the shape"));
  CHECK_THAT(refused("zeros:f4[-2]"), Contains("'-2' is not an extent"));
  CHECK_THAT(refused("zeros:f4[2]x"), Contains("'x' is too much"));
  CHECK_THAT(refused("f4[2]"), Contains("'{' is missing before the elements"));
  CHECK_THAT(refused("f4[2]{1}"), Contains("1 elements are written, the shape holds 2"));
  CHECK_THAT(refused("f4[2]{1,,2}"), Contains("an element is missing"));
  CHECK_THAT(refused("f4[2]{1 2"), Contains("',' is missing between elements"));
  CHECK_THAT(refused("f4[2]{{1, 2}}"), Contains("nested deeper than the shape"));
  CHECK_THAT(refused("f4[2,2]{{1}, {2, 3, 4}}"), Contains("inner braces hold 1 elements, the shape says 2"));
  CHECK_THAT(refused("q4(1)"), Contains("'q4' is no type"));
  CHECK_THAT(refused("f4(1"), Contains("')' is missing after the value"));
  CHECK_THAT(refused("u1[1]{256}"), Contains("256 does not fit u1 (0 to 255)"));
  CHECK_THAT(refused("full:2.5"), Contains("':' is missing between the value and the type"));
}

TEST_CASE("no text does harm to the parser") {
  constexpr std::string_view kParts[] = {"zeros", "random", "full", ":", "[", "]",   "{",
                                         "}",     "(",      ")",    ",", "=", "f4",  "seed",
                                         "low",   "1",      "-",    " ", ".", "nan", "99999999999999999999",
                                         "\xff"};
  std::mt19937 random(1);
  size_t accepted = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 10; i > 0; --i) text += kParts[random() % std::size(kParts)];
    try {
      io::parse_arg_spec(text);
      ++accepted;
    } catch (const io::InputError&) {}
  }
  CHECK(accepted > 1000);
  CHECK_THROWS_AS(io::parse_arg_spec("f4[1]" + std::string(100000, '{')), io::InputError);
}

TEST_CASE("absurd shapes are refused before anything is allocated") {
  CHECK_THAT(refused("zeros:f4[9000000000000000000]"), Contains("more bytes than can be addressed"));
  CHECK_THAT(refused("zeros:f4[4000000000,4000000000]"), Contains("more bytes than can be addressed"));
  CHECK_THAT(refused("zeros:f4[1000000000000]"), Contains("needs 4000000000000 bytes, more than this machine's"));
  CHECK_THAT(refused("f4[4294967296,4294967296]{1}"), Contains("elements are written"));
}

TEST_CASE("an argument must have the declared type and rank") {
  const auto argument = [](std::string_view spec, const ArgumentInfo& info) {
    return refusal([&] { io::make_argument(io::parse_arg_spec(spec), info); });
  };
  CHECK(argument("zeros:f4[2]", array_of(f4, 1)) == "nothing was thrown");
  CHECK(argument("zeros:f8[2]", array_of(f4, 1)) ==
        "argument x: it is f8[2], f4[:] is wanted | convert the elements to f4");
  CHECK(argument("zeros:f4[2,3]", array_of(f4, 1)) == "argument x: it is f4[2,3], f4[:] is wanted | it needs 1 axis");
  CHECK_THAT(argument("2.5", array_of(f4, 1)),
             Contains("argument x: 2.5 is a scalar, f4[:] is wanted | full:2.5:f4[N] makes"));
  ArgumentInfo scalar;
  scalar.name = "n";
  scalar.dtype = i4;
  CHECK(argument("7", scalar) == "nothing was thrown");
  CHECK(argument("i4(7)", scalar) == "nothing was thrown");
  CHECK(argument("i4[]{7}", scalar) == "nothing was thrown");
  CHECK_THAT(argument("i8(7)", scalar), Contains("argument n: it is a scalar of type i8, i4 is wanted"));
  CHECK_THAT(argument("2.5", scalar), Contains("argument n: 2.5 is not a whole number"));
  CHECK_THAT(argument("zeros:i4[1]", scalar), Contains("argument n: it is i4[1], i4 is wanted"));
}

TEST_CASE("argument types are written as in signatures") {
  CHECK(io::type_text(array_of(f4, 2)) == "f4[:,:]");
  CHECK(io::type_text(array_of(f4, 3, Layout::c)) == "f4[:,:,::1]");
  CHECK(io::type_text(array_of(f8, 2, Layout::fortran)) == "f8[::1,:]");
  ArgumentInfo named = array_of(i1, 2);
  named.extent_names = {"n", ""};
  CHECK(io::type_text(named) == "i1[n,:]");
}
