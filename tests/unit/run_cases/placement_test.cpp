#include "tests/support/run_cases/placement.hpp"

#include <catch2/catch.hpp>

#include "src/io/array_spec.hpp"

namespace jitc::cases {
namespace {

io::HostArray matrix() { return io::make_array(io::parse_arg_spec("i2[2,3]{1, 2, 3, 4, 5, 6}")); }

ArgumentInfo argument(Layout layout, bool written) {
  ArgumentInfo info{.name = "x", .dtype = DType::i2, .is_array = true, .rank = 2, .layout = layout};
  info.written = written;
  return info;
}

constexpr Placing kAll[] = {Placing::kPlain, Placing::kShifted, Placing::kSpread, Placing::kReversed};

TEST_CASE("Every placement holds the elements and nothing else") {
  for (Layout layout : {Layout::any, Layout::c, Layout::fortran}) {
    for (Placing placing : kAll) {
      CAPTURE(name(placing));
      const Placement p = place(matrix(), argument(layout, true), placing);
      std::optional<std::string> problem;
      CHECK(read_back(p, p.image, problem).bytes == matrix().bytes);
      CHECK_FALSE(problem);
    }
  }
}

TEST_CASE("Placements have the strides that they are named after") {
  const auto strides = [](Layout layout, Placing placing) {
    return place(matrix(), argument(layout, true), placing).strides_bytes;
  };
  CHECK(strides(Layout::any, Placing::kPlain) == std::vector<int64_t>{6, 2});
  CHECK(strides(Layout::any, Placing::kSpread) == std::vector<int64_t>{24, 4});
  CHECK(strides(Layout::any, Placing::kReversed) == std::vector<int64_t>{-6, -2});
  CHECK(strides(Layout::c, Placing::kReversed) == std::vector<int64_t>{6, 2});
  CHECK(strides(Layout::fortran, Placing::kSpread) == std::vector<int64_t>{2, 4});
}

TEST_CASE("A shifted array begins one element after an aligned address") {
  const Placement plain = place(matrix(), argument(Layout::c, true), Placing::kPlain);
  const Placement shifted = place(matrix(), argument(Layout::c, true), Placing::kShifted);
  CHECK(plain.offset_bytes % 64 == 0);
  CHECK(shifted.offset_bytes == plain.offset_bytes + 2);
}

TEST_CASE("A read-only array that does not vary along an axis has stride 0 there") {
  const io::HostArray rows = io::make_array(io::parse_arg_spec("i2[2,3]{7, 8, 9, 7, 8, 9}"));
  CHECK(place(rows, argument(Layout::any, false), Placing::kSpread).strides_bytes == std::vector<int64_t>{0, 4});
  CHECK(place(rows, argument(Layout::any, true), Placing::kSpread).strides_bytes == std::vector<int64_t>{24, 4});
}

TEST_CASE("A byte that changes beside the elements is found") {
  const Placement p = place(matrix(), argument(Layout::any, true), Placing::kSpread);
  std::vector<std::byte> image = p.image;
  image[static_cast<size_t>(p.offset_bytes) + 2] = std::byte{0};  // between two elements
  std::optional<std::string> problem;
  read_back(p, image, problem);
  CHECK(problem == "memory outside the array was written");
}

TEST_CASE("Arrays without elements can be placed") {
  const io::HostArray none = io::make_zeros(DType::i2, {0, 3});
  for (Placing placing : kAll) {
    const Placement p = place(none, argument(Layout::any, true), placing);
    std::optional<std::string> problem;
    CHECK(read_back(p, p.image, problem).size() == 0);
    CHECK_FALSE(problem);
  }
}

}  // namespace
}  // namespace jitc::cases
