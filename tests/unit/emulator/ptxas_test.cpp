// The same snippets to ptxas, where it is installed: what the emulator refuses is refused there, and so the other way.
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/emulator/samples.hpp"
#include "tests/unit/emulator/snippets.hpp"
#include "tests/unit/emulator/table_text.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

const std::string kPtxas = JITC_PTXAS;

bool assembles(const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("jitc_ptxas_" + std::to_string(getpid()));
  std::ofstream(path) << text;
  const std::string command = kPtxas + " -arch=sm_90 -c " + path.string() + " -o /dev/null >/dev/null 2>&1";
  const bool succeeds = std::system(command.c_str()) == 0;
  std::filesystem::remove(path);
  return succeeds;
}

TEST_CASE("ptxas refuses the wrong snippets") {
  if (kPtxas.empty()) return;
  for (const WrongSnippet& snippet : wrong_snippets()) {
    CAPTURE(snippet.body);
    CHECK_FALSE(assembles(entry_text(snippet.body)));
  }
}

TEST_CASE("ptxas takes the right snippets") {
  if (kPtxas.empty()) return;
  for (std::string_view body : right_snippets()) {
    CAPTURE(body);
    CHECK(assembles(entry_text(body)));
  }
}

TEST_CASE("ptxas takes every row of the instruction table") {
  if (kPtxas.empty()) return;
  CHECK(assembles(table_text()));
}

TEST_CASE("ptxas takes the samples") {
  if (kPtxas.empty()) return;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(assembles(sample.text));
  }
}

}  // namespace
}  // namespace jitc::emulator_test
