#include "src/io/philox.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "src/io/array_spec.hpp"

using namespace jitc;

TEST_CASE("Philox gives the known answers of its paper's library") {
  CHECK(io::philox4x32({0, 0, 0, 0}, {0, 0}) == io::PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(io::philox4x32({UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}) ==
        io::PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(io::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        io::PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform and normal numbers have the mean and the spread of theirs") {
  const auto moments = [](const char* spec) {
    const io::HostArray array = io::make_array(io::parse_arg_spec(spec));
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < array.size(); ++i) {
      double value = 0;
      std::memcpy(&value, array.bytes.data() + 8 * i, 8);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / static_cast<double>(array.size());
    return std::pair(mean, squares / static_cast<double>(array.size()) - mean * mean);
  };
  const auto [uniform_mean, uniform_variance] = moments("random:f8[100000]:seed=1");
  CHECK(uniform_mean == Approx(0.5).margin(0.005));
  CHECK(uniform_variance == Approx(1.0 / 12).margin(0.002));
  const auto [normal_mean, normal_variance] = moments("normal:f8[100000]:seed=2");
  CHECK(normal_mean == Approx(0).margin(0.01));
  CHECK(normal_variance == Approx(1).margin(0.02));
}
