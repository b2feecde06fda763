#include "src/cache/settings.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <optional>

namespace jitc::cache {
namespace {

/// The environment with these variables of ours and no others, until the end.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const char* name :
         {"JITC_CACHE", "JITC_CACHE_DIR", "JITC_CACHE_SHARED", "JITC_CACHE_LIMIT", "XDG_CACHE_HOME", "HOME"}) {
      const char* old = std::getenv(name);
      old_[name] = old == nullptr ? std::nullopt : std::optional<std::string>(old);
      set(name, values.contains(name) ? std::optional<std::string>(values.at(name)) : std::nullopt);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : old_) set(name, value);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> old_;
};

Settings with(const std::map<std::string, std::string>& values) {
  const Environment environment(values);
  return settings_of_environment();
}

TEST_CASE("the folder is the one that is named, else jitc in the user's caches") {
  CHECK(with({{"HOME", "/h"}}).folder == "/h/.cache/jitc");
  CHECK(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).folder == "/x/jitc");
  CHECK(with({{"HOME", "/h"}, {"XDG_CACHE_HOME", "relative"}}).folder == "/h/.cache/jitc");
  CHECK(with({{"HOME", "/h"}, {"JITC_CACHE_DIR", "/d"}}).folder == "/d");
  CHECK(with({}).why_off == "there is no home folder (set JITC_CACHE_DIR)");
}

TEST_CASE("the cache can be turned off") {
  for (const char* value : {"off", "0"}) {
    const Settings settings = with({{"HOME", "/h"}, {"JITC_CACHE", value}, {"JITC_CACHE_SHARED", "/s"}});
    CHECK_FALSE(settings.is_on());
    CHECK(settings.provided.empty());
    CHECK(settings.why_off == std::string("JITC_CACHE=") + value);
  }
  CHECK(with({{"HOME", "/h"}, {"JITC_CACHE", "on"}}).is_on());
  const Settings odd = with({{"HOME", "/h"}, {"JITC_CACHE", "maybe"}});
  CHECK(odd.is_on());
  CHECK(odd.problem == "JITC_CACHE is 'maybe'; it may be on or off, and was taken for on");
}

TEST_CASE("limits are numbers of bytes, or of larger units") {
  const auto limit = [](const char* text) { return with({{"HOME", "/h"}, {"JITC_CACHE_LIMIT", text}}); };
  CHECK(limit("1000").limit_bytes == 1000);
  CHECK(limit("8K").limit_bytes == 8192);
  CHECK(limit("3M").limit_bytes == 3u << 20);
  CHECK(limit("2G").limit_bytes == 2ull << 30);
  CHECK(limit("0").limit_bytes == 0);
  for (const char* wrong : {"x", "-1", "5T", "1.5G", "99999999999999999999", "18446744073709551615G", "M"}) {
    INFO(wrong);
    CHECK(limit(wrong).limit_bytes == uint64_t{512} << 20);
    CHECK(limit(wrong).problem ==
          "JITC_CACHE_LIMIT is '" + std::string(wrong) + "', which is no size like 800M or 2G; the limit is 512M");
  }
}

TEST_CASE("several folders may be shared") {
  CHECK(with({{"HOME", "/h"}, {"JITC_CACHE_SHARED", "/a::/b c"}}).provided == std::vector<std::string>{"/a", "/b c"});
}

}  // namespace
}  // namespace jitc::cache
