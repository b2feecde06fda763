// Files and printed text against NumPy's own (numpy_oracle.py makes them).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "src/io/file.hpp"
#include "src/io/format_array.hpp"
#include "src/io/npy.hpp"
#include "tests/support/temporary_folder.hpp"

using jitc::test::TemporaryFolder;

using namespace jitc;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("files, literals and printed arrays are NumPy's") {
  const TemporaryFolder folder;
  const std::string command = std::string("/usr/bin/python3 " JITC_NUMPY_ORACLE " ") + folder.path().string();
  REQUIRE(std::system(command.c_str()) == 0);

  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".npy" || stem.find('.') != std::string::npos) continue;
    const fs::path base = folder.path() / stem;
    const io::HostArray array = io::read_npy(entry.path().string());
    INFO(stem << " " << io::type_text(array.dtype, array.shape));

    io::write_npy(base.string() + ".ours.npy", array);
    CHECK(text_of(base.string() + ".ours.npy") == text_of(base.string() + ".saved.npy"));
    if (fs::exists(base.string() + ".literal")) {
      CHECK(io::format_literal(array) == text_of(base.string() + ".literal"));
    }
    if (array.rank() > 0) CHECK(io::format_pretty(array) == text_of(base.string() + ".pretty"));
    ++count;
  }
  CHECK(count > 1000);
}
