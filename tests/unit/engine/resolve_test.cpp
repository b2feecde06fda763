// Which signature takes a launch's arguments, and the words when none does.
#include "src/engine/resolve.hpp"

#include <catch2/catch.hpp>

#include "tests/support/error_text.hpp"
#include "tests/support/host_backend.hpp"

using namespace jitc;
using engine::Resolution;
using engine::Signature;
using tests::HostBackend;

namespace {

Array make(const std::vector<int64_t>& shape, DType dtype) {
  return HostBackend::array(std::make_shared<HostBackend>(), shape, dtype);
}

ArgumentInfo scalar_info(std::string name, DType dtype) { return {std::move(name), dtype}; }
ArgumentInfo array_info(std::string name, DType dtype, int rank = 1, Layout layout = Layout::any) {
  return {std::move(name), dtype, true, rank, layout};
}

using Infos = std::vector<ArgumentInfo>;
const Infos kAxpyF4{scalar_info("a", f4), array_info("x", f4), array_info("out", f4)};
const Infos kAxpyF8{scalar_info("a", f8), array_info("x", f8), array_info("out", f8)};
const std::vector<Signature> kAxpy{{"void(f4, f4[:], f4[:])", kAxpyF4}, {"void(f8, f8[:], f8[:])", kAxpyF8}};

const Infos kFillInt{scalar_info("v", i8), array_info("out", f4)};
const Infos kFillSmall{scalar_info("v", i2), array_info("out", f4)};
const Infos kFillFloat{scalar_info("v", f8), array_info("out", f4)};
const std::vector<Signature> kFill{
    {"void(i8, f4[:])", kFillInt}, {"void(i2, f4[:])", kFillSmall}, {"void(f8, f4[:])", kFillFloat}};

Resolution resolve(const std::vector<Signature>& signatures, const std::vector<Argument>& args) {
  return engine::resolve("kernel 'k'", signatures, args);
}

}  // namespace

TEST_CASE("the arrays' exact types choose the signature") {
  CHECK(resolve(kAxpy, {2.0f, make({4}, f4), make({4}, f4)}).signature == 0);
  CHECK(resolve(kAxpy, {2.0, make({4}, f8), make({4}, f8)}).signature == 1);
}

TEST_CASE("scalars convert to the chosen signature when nothing is lost") {
  const Resolution out = resolve(kAxpy, {2, make({4}, f4), make({4}, f4)});
  CHECK(out.signature == 0);
  const auto& scalar = std::get<Scalar>(out.args[0].value());
  CHECK(scalar.dtype == f4);
  CHECK(scalar.bits == Scalar::of(2.0f).bits);
}

TEST_CASE("exact scalars win over converted ones") {
  CHECK(resolve(kFill, {int64_t{5}, make({4}, f4)}).signature == 0);
  CHECK(resolve(kFill, {int16_t{5}, make({4}, f4)}).signature == 1);
  CHECK(resolve(kFill, {5.0, make({4}, f4)}).signature == 2);
}

TEST_CASE("a scalar that converts to one signature alone chooses it") {
  CHECK(resolve(kFill, {5.5f, make({4}, f4)}).signature == 2);
}

TEST_CASE("several signatures that fit are listed") {
  CHECK_ERROR(resolve(kFill, {5, make({4}, f4)}), ErrorCode::argument,
              "(i4, f4[:]) fits several signatures of kernel 'k'; give the scalars the exact types of one:\n"
              "  void(i8, f4[:])\n  void(i2, f4[:])\n  void(f8, f4[:])");
  CHECK_ERROR(resolve(kFill, {70000, make({4}, f4)}), ErrorCode::argument,
              "(i4, f4[:]) fits several signatures of kernel 'k'; give the scalars the exact types of one:\n"
              "  void(i8, f4[:])\n  void(f8, f4[:])");
}

TEST_CASE("when none fits, each signature says which argument is off") {
  CHECK_ERROR(resolve(kAxpy, {2.0f, make({4}, f4), make({4}, f8)}), ErrorCode::argument,
              "no signature of kernel 'k' takes (f4, f4[:], f8[:])\n"
              "  void(f4, f4[:], f4[:]): argument 3 'out' is f8[:], the signature wants f4[:]\n"
              "  void(f8, f8[:], f8[:]): argument 2 'x' is f4[:], the signature wants f8[:]");
  CHECK_ERROR(resolve(kAxpy, {2.0f, make({4, 4}, f4), 1.0f}), ErrorCode::argument,
              "no signature of kernel 'k' takes (f4, f4[:,:], f4)\n"
              "  void(f4, f4[:], f4[:]): argument 2 'x' is f4[:,:], the signature wants f4[:]\n"
              "  void(f8, f8[:], f8[:]): argument 2 'x' is f4[:,:], the signature wants f8[:]");
  CHECK_ERROR(resolve(kAxpy, {make({}, f4), make({4}, f4), make({4}, f4)}), ErrorCode::argument,
              "no signature of kernel 'k' takes (f4 array, f4[:], f4[:])\n"
              "  void(f4, f4[:], f4[:]): argument 1 'a' is f4 array, the signature wants f4\n"
              "  void(f8, f8[:], f8[:]): argument 1 'a' is f4 array, the signature wants f8");
}

TEST_CASE("a scalar that would lose something is named with its value") {
  CHECK_ERROR(resolve({kAxpy[0]}, {0.1, make({4}, f4), make({4}, f4)}), ErrorCode::argument,
              "no signature of kernel 'k' takes (f8, f4[:], f4[:])\n"
              "  void(f4, f4[:], f4[:]): argument 1 'a' is f8 0.1, which does not convert to f4 without loss");
}

TEST_CASE("a wrong number of arguments names the missing ones") {
  CHECK_ERROR(resolve({kAxpy[0]}, {2.0f, make({4}, f4)}), ErrorCode::argument,
              "kernel 'k' takes 3 arguments, 2 were given: 'out' is missing; its signatures are\n"
              "  void(f4, f4[:], f4[:])");
  CHECK_ERROR(resolve({kAxpy[0]}, {2.0f}), ErrorCode::argument,
              "kernel 'k' takes 3 arguments, 1 was given: 'x', 'out' are missing; its signatures are\n"
              "  void(f4, f4[:], f4[:])");
  CHECK_ERROR(resolve({kAxpy[0]}, {1, 2, 3, 4}), ErrorCode::argument,
              "kernel 'k' takes 3 arguments, 4 were given; its signatures are\n  void(f4, f4[:], f4[:])");
}

TEST_CASE("an array that was never allocated is refused by name") {
  CHECK_ERROR(resolve(kAxpy, {2.0f, Array(), make({4}, f4)}), ErrorCode::argument,
              "kernel 'k': argument 2 'x' is an array that was never allocated on a device");
}

TEST_CASE("of signatures that differ in layout alone, the most specific one that fits is taken") {
  const Infos any{array_info("x", f4, 2)}, c{array_info("x", f4, 2, Layout::c)};
  const std::vector<Signature> both{{"void(f4[:,:])", any}, {"void(f4[:,::1])", c}};
  CHECK(resolve(both, {make({3, 4}, f4)}).signature == 1);
  CHECK(resolve(both, {make({3, 4}, f4).transpose()}).signature == 0);
}
