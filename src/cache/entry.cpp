// magic, four lengths, the four texts, and the hash of all that: numbers in the order of the machine, which alone reads
// them.
#include "src/cache/entry.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace jitc::cache {

namespace {

/// Counts up when the format changes.
constexpr std::string_view kMagic = "jitc cache v001\n";
constexpr size_t kHashBytes = sizeof(XXH128_canonical_t);

using Lengths = std::array<uint64_t, 4>;
constexpr size_t kHeadBytes = kMagic.size() + sizeof(Lengths);

std::string hash_of(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  return {reinterpret_cast<const char*>(bytes.digest), kHashBytes};
}

std::string hash_of(std::string_view bytes) { return hash_of(XXH3_128bits(bytes.data(), bytes.size())); }

}  // namespace

std::string entry_name(std::string_view build, std::string_view key) {
  // The build's hash is the seed: no copy of the two together.
  const uint64_t seed = XXH3_64bits(build.data(), build.size());
  const std::string hash = hash_of(XXH3_128bits_withSeed(key.data(), key.size(), seed));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (const char byte : hash) {
    const auto bits = static_cast<uint8_t>(byte);
    name += kDigits[bits >> 4];
    name += kDigits[bits & 15];
  }
  return name;
}

bool is_entry_name(std::string_view name) {
  return name.size() == 2 * kHashBytes &&
         std::all_of(name.begin(), name.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string encode(const Entry& entry) {
  const Lengths lengths = {entry.build.size(), entry.title.size(), entry.key.size(), entry.value.size()};
  std::string out(kMagic);
  out.append(reinterpret_cast<const char*>(&lengths), sizeof(lengths));
  for (const std::string* text : {&entry.build, &entry.title, &entry.key, &entry.value}) out += *text;
  return out += hash_of(out);
}

std::optional<Entry> decode(std::string_view bytes) {
  if (bytes.size() < kHeadBytes + kHashBytes || !bytes.starts_with(kMagic)) return {};
  const std::string_view hashed = bytes.substr(0, bytes.size() - kHashBytes);
  if (hash_of(hashed) != bytes.substr(hashed.size())) return {};
  Lengths lengths;
  std::memcpy(lengths.data(), bytes.data() + kMagic.size(), sizeof(lengths));
  std::string_view rest = hashed.substr(kHeadBytes);
  std::array<std::string, lengths.size()> texts;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (lengths[i] > rest.size()) return {};
    texts[i] = rest.substr(0, lengths[i]);
    rest.remove_prefix(lengths[i]);
  }
  if (!rest.empty()) return {};
  return Entry{std::move(texts[0]), std::move(texts[1]), std::move(texts[2]), std::move(texts[3])};
}

}  // namespace jitc::cache
