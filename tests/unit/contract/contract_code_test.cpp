// What becomes of the kernels in machine code.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "src/codegen/codegen.hpp"
#include "tests/support/host_assembly.hpp"
#include "tests/unit/contract/contraction.hpp"

using namespace jitc;
using namespace jitc::contract;
using tests::host_has;
using tests::loop_with;
using Machine = kernel::ContractForm::Machine;

namespace {

size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}

}  // namespace

TEST_CASE("the host's innermost loop multiplies in registers") {
  if (!host_has("fma") || host_has("avx512f")) {
    WARN("this processor has no AVX2, or wider vectors: the code is not checked");
    return;
  }
  for (const DType dtype : {f4, f8}) {
    Contraction c = product_of(dtype, dtype, dtype, dtype, {1, 12, 32, 8});
    c.host.thread_n = dtype == f4 ? 16 : 8;
    const std::string loop = loop_with(codegen::assembly(Trial(c).program(Machine::host), {}), "vfmadd");
    INFO(loop);
    CHECK(count(loop, R"(vfmadd\w+\s+%ymm\d+, %ymm\d+, %ymm\d+)") == 12);
    CHECK(count(loop, "vbroadcast") == 6);
    CHECK(count(loop, R"(vmov\w+\s+%ymm\d+, )") == 0);  // stores
    CHECK(count(loop, R"(vmov\w+\s+.*\(.*, %ymm)") == 2);
  }
}

TEST_CASE("the device's kernels need no local memory") {
  if (std::system("ptxas --version > /dev/null 2>&1") != 0) {
    WARN("there is no ptxas: registers are not checked");
    return;
  }
  struct Case {
    DType dtype;
    kernel::ContractTile tile;
  };
  const Case cases[] = {{f4, {128, 128, 8, 8, 8}}, {f4, {64, 64, 16, 4, 4}}, {f4, {16, 128, 16, 2, 4}},
                        {f8, {128, 64, 8, 8, 4}},  {c8, {128, 64, 8, 8, 4}}, {c16, {64, 64, 8, 4, 4}},
                        {i4, {128, 128, 8, 8, 8}}, {b1, {64, 64, 16, 4, 4}}};
  for (const Case& one : cases) {
    Contraction c = product_of(one.dtype, one.dtype, one.dtype, one.dtype, {1, 300, 300, 300});
    c.device = one.tile;
    const kernel::KernelProgram program = Trial(c).program(Machine::device);
    for (const int sm : {80, 90}) {
      const std::string base = fmt::format("contraction_{}", getpid());
      std::ofstream(base + ".ptx") << codegen::emit(program, {codegen::Target::Kind::nvptx, sm}).code;
      const std::string command = fmt::format("ptxas -v -arch=sm_{0} {1}.ptx -o /dev/null > {1}.txt 2>&1", sm, base);
      CHECK(std::system(command.c_str()) == 0);
      std::stringstream text;
      text << std::ifstream(base + ".txt").rdbuf();
      INFO(name(one.dtype) << ", " << one.tile.block_m << " x " << one.tile.block_n << "\n" << text.str());
      CHECK(text.str().find("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads") != std::string::npos);
      std::remove((base + ".ptx").c_str());
      std::remove((base + ".txt").c_str());
    }
  }
}
