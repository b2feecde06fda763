// Texts that went wrong on their way: every mutation of a sample loads or is refused, quickly and in little memory, and
// what loads can be run.
#include <sys/resource.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/emulator/one_block.hpp"
#include "tests/unit/emulator/samples.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

constexpr int kMutationsPerText = 500;
constexpr int kLoadsPerRun = 4;
constexpr double kMostSeconds = 2;
constexpr long kMostKibibytes = 512 << 10;
constexpr uint64_t kMostGlobalBytes = 1 << 20;

/// Without the tables: comments are not what goes wrong.
std::string without_comments(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("//")) text += line + "\n";
  }
  return text;
}

/// The samples, and the families of tests/emulator_ptx.
std::vector<std::string> texts_to_mutate() {
  std::vector<std::string> texts;
  for (const Sample& sample : samples()) texts.push_back(sample.text);
  for (const auto& file : std::filesystem::directory_iterator(JITC_PTX_FAMILIES))
    texts.push_back(without_comments(file.path()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// The first kernel, with addresses in its first parameters, for a while. However it ends: it ends.
void run_for_a_while(const std::string& text) {
  const emulator::LoadedModule loaded = emulator::load_module(text);
  if (loaded.programs.empty() || loaded.image.global_bytes > kMostGlobalBytes) return;
  OneBlock block(text, {32});
  const uint32_t param_bytes = loaded.programs[0].functions[0].param_bytes;
  for (uint32_t at = 0; at + 8 <= param_bytes && at < 16; at += 8)
    block.set_param(at, block.address_of_global(128 * at));
  block.run(2000);
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Mutator {
 public:
  Mutator(std::string text, uint32_t seed) : text_(std::move(text)), chance_(seed) {}

  std::string mutate() {
    std::string text = text_;
    const int count = chance_() % 2 == 0 ? 1 : 1 + static_cast<int>(chance_() % 4);
    for (int i = 0; i < count && !text.empty(); ++i) mutate_once(text);
    return text;
  }

 private:
  size_t place(const std::string& text) { return chance_() % text.size(); }

  /// The next digit from `at` on becomes another.
  void replace_digit(std::string& text, size_t at) {
    at = text.find_first_of("0123456789", at);
    if (at != std::string::npos) text[at] = static_cast<char>('0' + chance_() % 10);
  }

  void mutate_once(std::string& text) {
    const size_t at = place(text);
    const size_t length = 1 + chance_() % 12;
    switch (chance_() % 8) {
      case 0: text[at] = static_cast<char>(chance_()); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(place(text), length)); break;
      case 3: text.resize(at); break;
      case 4: text.insert(at, 1, "{}()[]<>,;:.@%!|=\"/0f-"[chance_() % 22]); break;
      case 5: text[at] = text[place(text)]; break;
      default: replace_digit(text, at); break;  // what still parses
    }
  }

  std::string text_;
  std::mt19937 chance_;
};

TEST_CASE("Mutated texts load or are refused, and what loads runs") {
  uint32_t seed = 1;
  int count_loaded = 0;
  double longest = 0;
  for (const std::string& original : texts_to_mutate()) {
    Mutator mutator(original, seed++);
    for (int i = 0; i < kMutationsPerText; ++i) {
      const std::string text = mutator.mutate();
      const double begin = cpu_seconds();
      const std::string error = load_error(text);
      longest = std::max(longest, cpu_seconds() - begin);
      if (error != "no error" && error.rfind("line ", 0) != 0) FAIL(error);
      if (error == "no error" && ++count_loaded % kLoadsPerRun == 0) run_for_a_while(text);
    }
  }
  CHECK(count_loaded > 1000);
  CHECK(longest < kMostSeconds);
#ifndef __SANITIZE_ADDRESS__  // which keeps what is freed
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  CHECK(usage.ru_maxrss < kMostKibibytes);
#endif
}

TEST_CASE("Declarations without measure are refused") {
  for (std::string_view wrong :
       {".global .b8 a[18446744073709551615];", ".global .b8 a[4294967296][4294967296];", ".global .b64 a[2147483648];",
        ".global .align 2147483648 .b8 a;", ".global .align 3 .b8 a;", ".const .b8 a[1000000];",
        ".global .b8 a[2000000000]; .global .b8 b[2000000000];", ".global .b32 a = 99999999999999999999;",
        ".func f() { .reg .b32 %r<4294967295>; }", ".func f() { .local .b8 a[1000000000]; }",
        ".func f() { .reg .v4 .b128 %q; mov.b128 %q, %q; }", ".global .b128 a = 1;", ".alias a, b;",
        ".entry k(.param .b8 a[100000]) { }", ".func (.reg .b128 r) f() { ret; }"}) {
    CAPTURE(wrong);
    CHECK(load_error(module_text(wrong)).rfind("line ", 0) == 0);
  }
  CHECK(load_error(module_text(".global .b8 a[] = " + std::string(1000, '{') + "1" + std::string(1000, '}') + ";"))
            .find("nested too deeply") != std::string::npos);
}

TEST_CASE("A text cut anywhere loads or is refused") {
  const std::string text = samples().front().text;
  for (size_t length = 0; length < text.size(); length += 7) {
    const std::string error = load_error(text.substr(0, length));
    CHECK((error == "no error" || error.rfind("line ", 0) == 0));
  }
}

TEST_CASE("Many tokens of one kind are refused quickly") {
  for (std::string_view piece :
       {"{", "(", "[", "@", "%a", ".x", "1 ", "!", "a:", ".reg .b32 a;", "{ ret; ", "/**/", ".version 7.0"}) {
    std::string text = entry_text("");
    text.resize(text.find("ret;"));
    for (int i = 0; i < 20000; ++i) text += piece;
    CHECK(load_error(text).rfind("line ", 0) == 0);
  }
}

}  // namespace
}  // namespace jitc::emulator_test
