// Texts that went wrong on their way: every mutation of a sample loads or is refused, quickly.
#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/unit/emulator/samples.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

constexpr int kMutationsPerSample = 400;

class Mutator {
 public:
  Mutator(std::string text, uint32_t seed) : text_(std::move(text)), chance_(seed) {}

  std::string mutate() {
    std::string text = text_;
    const int count = 1 + static_cast<int>(chance_() % 4);
    for (int i = 0; i < count && !text.empty(); ++i) mutate_once(text);
    return text;
  }

 private:
  size_t place(const std::string& text) { return chance_() % text.size(); }

  void mutate_once(std::string& text) {
    const size_t at = place(text);
    const size_t length = 1 + chance_() % 12;
    switch (chance_() % 6) {
      case 0: text[at] = static_cast<char>(chance_()); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(place(text), length)); break;
      case 3: text.resize(at); break;
      case 4: text.insert(at, 1, "{}()[]<>,;:.@%!|=\"/0f-"[chance_() % 22]); break;
      default: text[at] = text[place(text)]; break;
    }
  }

  std::string text_;
  std::mt19937 chance_;
};

TEST_CASE("Mutated texts load or are refused") {
  uint32_t seed = 1;
  for (const Sample& sample : samples()) {
    Mutator mutator(sample.text, seed++);
    for (int i = 0; i < kMutationsPerSample; ++i) {
      const std::string text = mutator.mutate();
      const std::string error = load_error(text);
      if (error != "no error" && error.rfind("line ", 0) != 0) FAIL(error);
    }
  }
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
