#include "src/sema/einsum_text.hpp"

#include <catch2/catch.hpp>

using jitc::sema::parse_einsum;

namespace {

std::string output_of(const char* text, const std::vector<int>& ranks) {
  std::string problem;
  const auto parsed = parse_einsum(text, ranks, problem);
  return parsed ? parsed->output : "error: " + problem;
}

}  // namespace

TEST_CASE("letters of the result are those that are written") {
  CHECK(output_of("ij,jk->ik", {2, 2}) == "ik");
  CHECK(output_of(" i j , j k -> k i ", {2, 2}) == "ki");
  CHECK(output_of("ii->", {2}) == "");
}

TEST_CASE("without a result, letters that occur once stand in the order of the alphabet") {
  CHECK(output_of("ij,jk", {2, 2}) == "ik");
  CHECK(output_of("ba", {2}) == "ab");
  CHECK(output_of("ii", {2}) == "");
}

TEST_CASE("an ellipsis stands for the axes that have no letters") {
  CHECK(output_of("...ij,...jk->...ik", {4, 3}).size() == 4);
  CHECK(output_of("i...", {3}).size() == 3);
  CHECK(output_of("...", {0}) == "");
}

TEST_CASE("what is wrong with a text of letters is said") {
  CHECK(output_of("ij,jk->ik", {2}) == "error: letters for 1 operands, not for 2");
  CHECK(output_of("ijk", {2}) == "error: 2 letters for operand 0, which has 2 axes: 'ijk' has 3");
  CHECK(output_of("ij->ijj", {2}) == "error: each letter once in the result, not 'j' twice");
  CHECK(output_of("ij->k", {2}) == "error: letters of the operands in the result, not 'k'");
  CHECK(output_of("i1->i", {2}) == "error: letters, commas, '...' and '->', not '1'");
  CHECK(output_of("...i->i", {2}) == "error: '...' in the result, as the operands have it");
}
