#include "src/cache/entry.hpp"

#include <catch2/catch.hpp>

namespace jitc::cache {
namespace {

Entry sample() { return {"build", "axpy cpu", std::string("key\0with\nall", 12), std::string(300, '\x7f')}; }

TEST_CASE("an entry is read as it was written") {
  CHECK(decode(encode(sample())) == sample());
  const Entry empty;
  CHECK(decode(encode(empty)) == empty);
}

TEST_CASE("an entry with any bit flipped is none") {
  const std::string good = encode(sample());
  for (size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      INFO("bit " << bit << " of byte " << at);
      CHECK_FALSE(decode(bad));
    }
  }
}

TEST_CASE("an entry of any other length is none") {
  const std::string good = encode(sample());
  for (size_t size = 0; size < good.size(); ++size) CHECK_FALSE(decode(good.substr(0, size)));
  CHECK_FALSE(decode(good + '\0'));
  CHECK_FALSE(decode(good + good));
}

TEST_CASE("names are of 32 digits, and others for other keys and builds") {
  const std::string name = entry_name("build", "key");
  CHECK(is_entry_name(name));
  CHECK(name == entry_name("build", "key"));
  CHECK(name != entry_name("build", "kez"));
  CHECK(name != entry_name("builD", "key"));
  CHECK_FALSE(is_entry_name(name + "0"));
  CHECK_FALSE(is_entry_name("../../../../../../../etc/passwd"));
  CHECK_FALSE(is_entry_name(std::string(32, 'G')));
}

}  // namespace
}  // namespace jitc::cache
