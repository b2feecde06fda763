#include "src/cli/stage_table.hpp"

#include <catch2/catch.hpp>

using namespace jitc;

TEST_CASE("the table of stages ends with their sum") {
  cli::StageTable table;
  table.add("read", 0.5);
  table.add(std::vector<pipeline::StageTime>{{"lex", 0.25}});
  table.add(codegen::EmitTimes{1, 2, 3, 4}, 10.125);
  CHECK(table.text() ==
        "stage                    ms\n"
        "read                  0.500\n"
        "lex                   0.250\n"
        "emit LLVM IR          1.000\n"
        "link math             2.000\n"
        "optimize              3.000\n"
        "machine code          4.000\n"
        "other                 0.125\n"
        "total                10.875\n");
}

TEST_CASE("parts of a stage are shown below it and not counted again") {
  cli::StageTable table;
  table.add("read", 0.5);
  table.add("run", 0.25);
  table.add_part("kernel", 0.125);
  CHECK(table.text() ==
        "stage                    ms\n"
        "read                  0.500\n"
        "run                   0.250\n"
        "  kernel              0.125\n"
        "total                 0.750\n");
}
