// Addresses: where memory is, and what is said of an address where there is none.
#include <catch2/catch.hpp>

#include "runtime/emulator/memory/address_ranges.hpp"
#include "runtime/emulator/memory/address_space.hpp"

using namespace jitc::emulator;

namespace {

AddressProblem problem(AddressSpace& space, const AddressQuery& query, int device = 0) {
  return space.map_for(device)->find(query).problem;
}

std::string explain(AddressSpace& space, const AddressQuery& query) { return space.map_for(0)->explain(query); }

std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace

TEST_CASE("device memory has addresses that are none of the host's, and bytes behind them") {
  AddressSpace space;
  const AllocationPtr one = space.allocate(64, {});
  CHECK(is_device_address(one->base));
  CHECK_FALSE(is_device_address(reinterpret_cast<uint64_t>(one->bytes)));
  CHECK(one->base % 512 == 0);
  CHECK(space.map_for(0)->find({one->base + 8, 4}).bytes == one->bytes + 8);
}

TEST_CASE("an access may end where its allocation ends, and no byte behind") {
  AddressSpace space;
  const AllocationPtr one = space.allocate(64, {});
  CHECK(problem(space, {one->base + 60, 4}) == AddressProblem::none);
  CHECK(problem(space, {one->base + 61, 4}) == AddressProblem::crosses_end);
  CHECK(problem(space, {one->base + 64, 1}) == AddressProblem::outside);
  CHECK(problem(space, {one->base - 1, 1}) == AddressProblem::outside);
  CHECK(problem(space, {UINT64_MAX - 1, 16}) == AddressProblem::outside);
  CHECK(problem(space, {0, 4}) == AddressProblem::outside);
}

TEST_CASE("what is wrong with an address is a sentence with the nearest allocation") {
  AddressSpace space;
  CHECK(explain(space, {16, 4}) == "4 bytes at 0x10: the device has no memory");
  const AllocationPtr one = space.allocate(64, {});
  const std::string place = "an allocation of 64 bytes at " + hex(one->base);
  CHECK(explain(space, {one->base + 64, 4}) ==
        "4 bytes at " + hex(one->base + 64) + ": right behind the end of " + place);
  CHECK(explain(space, {one->base + 72, 4}) ==
        "4 bytes at " + hex(one->base + 72) + ": 8 bytes behind the end of " + place);
  CHECK(explain(space, {one->base - 8, 4}) == "4 bytes at " + hex(one->base - 8) + ": 8 bytes before " + place);
  CHECK(explain(space, {one->base + 62, 4}) ==
        "4 bytes at " + hex(one->base + 62) + ": at offset 62 it crosses the end of " + place);
  CHECK(explain(space, {one->base + 2, 4, 4}) == "4 bytes at " + hex(one->base + 2) + ": not a multiple of 4");
}

TEST_CASE("freed memory is known as what it was, and its address never comes again") {
  AddressSpace space;
  const AllocationPtr one = space.allocate(64, {});
  space.release(one);
  CHECK(space.was_freed(one->base + 63));
  CHECK(space.containing(one->base) == nullptr);
  CHECK(problem(space, {one->base, 4}) == AddressProblem::freed);
  CHECK(explain(space, {one->base + 4, 4}) == "4 bytes at " + hex(one->base + 4) +
                                                  ": at offset 4 of an allocation of 64 bytes at " + hex(one->base) +
                                                  ", now free");
  CHECK(space.allocate(64, {})->base != one->base);
}

TEST_CASE("a map keeps the bytes of memory that is freed meanwhile, and knows that it is free") {
  AddressSpace space;
  const AllocationPtr one = space.allocate(64, {});
  const auto map = space.map_for(0);
  AddressReader reader(*map);
  CHECK(reader.find(one->base, 4, true) != nullptr);
  space.release(one);
  CHECK(reader.find(one->base, 4, true) == nullptr);
  CHECK(map->find({one->base, 4}).problem == AddressProblem::freed);
}

TEST_CASE("the reader remembers an allocation without forgetting the checks") {
  AddressSpace space;
  AllocationOwner constant = {MemoryKind::module_constant, 0, true};
  const AllocationPtr one = space.allocate(64, constant);
  const AllocationPtr other = space.allocate(8, {});
  const auto map = space.map_for(0);
  AddressReader reader(*map);
  CHECK(reader.find(one->base + 60, 4, false) == one->bytes + 60);
  CHECK(reader.find(one->base + 60, 4, true) == nullptr);
  CHECK(reader.find(one->base + 60, 8, false) == nullptr);
  CHECK(reader.find(other->base, 8, true) == other->bytes);
  CHECK(reader.find(one->base - 4, 4, false) == nullptr);
}

TEST_CASE("a kernel may not write constants, and may not touch memory of another device") {
  AddressSpace space;
  const AllocationPtr constant = space.allocate(64, {MemoryKind::module_constant, 0, true});
  const AllocationPtr far = space.allocate(64, {MemoryKind::device, 1});
  CHECK(problem(space, {constant->base, 4, 1, false}) == AddressProblem::none);
  CHECK(problem(space, {constant->base, 4, 1, true}) == AddressProblem::read_only);
  CHECK(problem(space, {far->base, 4}) == AddressProblem::other_device);
  CHECK(problem(space, {far->base, 4}, 1) == AddressProblem::none);
}

TEST_CASE("pinned and managed memory is at the host's address on every device") {
  AddressSpace space;
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::managed}) {
    const AllocationPtr one = space.allocate(64, {kind, 0});
    CHECK(one->base == reinterpret_cast<uint64_t>(one->bytes));
    CHECK(problem(space, {one->base, 4}, 1) == AddressProblem::none);
  }
}

TEST_CASE("memory of the program is registered once, in no part twice") {
  AddressSpace space;
  std::vector<std::byte> bytes(256);
  const AllocationOwner owner = {MemoryKind::registered};
  const AllocationPtr one = space.add_registered(bytes.data() + 64, 64, owner);
  REQUIRE(one != nullptr);
  CHECK(space.add_registered(bytes.data() + 64, 64, owner) == nullptr);
  CHECK(space.add_registered(bytes.data() + 127, 1, owner) == nullptr);
  CHECK(space.add_registered(bytes.data(), 65, owner) == nullptr);
  CHECK(space.add_registered(bytes.data(), 64, owner) != nullptr);
  space.release(one);
  CHECK(space.add_registered(bytes.data() + 64, 64, owner) != nullptr);
}

TEST_CASE("a map is made anew only when something changed") {
  AddressSpace space;
  const AllocationPtr one = space.allocate(64, {});
  const auto map = space.map_for(0);
  CHECK(space.map_for(0) == map);
  space.release(one);
  CHECK(space.map_for(0) != map);
}

TEST_CASE("only so many freed allocations keep their names") {
  AddressSpace space;
  const AllocationPtr first = space.allocate(1, {});
  space.release(first);
  for (int i = 0; i < 4096; ++i) space.release(space.allocate(1, {}));
  CHECK_FALSE(space.was_freed(first->base));
}
