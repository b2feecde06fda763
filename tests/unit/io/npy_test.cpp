#include "src/io/npy.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "src/io/array_spec.hpp"
#include "src/io/format_array.hpp"
#include "src/io/input_error.hpp"
#include "src/io/npy_header.hpp"

using namespace jitc;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// A file of version `major` with this dict and these data.
std::string npy(const std::string& dict, const std::string& data = {}, char major = 1) {
  std::string out = std::string("\x93NUMPY") + major + '\0';
  for (size_t i = 0; i < (major == 1 ? 2U : 4U); ++i) out.push_back(static_cast<char>(dict.size() >> (8 * i)));
  return out + dict + data;
}

std::string dict(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

/// The elements, or the refusal with its help.
std::string parsed(const std::string& file) {
  try {
    return io::format_literal(io::parse_npy(bytes_of(file), "a.npy"));
  } catch (const io::InputError& error) {
    CHECK(error.code() == ErrorCode::io);
    CHECK_THAT(error.what(), StartsWith("a.npy: "));
    return error.help().empty() ? error.what() : std::string(error.what()) + " | " + error.help();
  }
}

std::string parsed_dict(const std::string& text) { return parsed(npy(text)); }

}  // namespace

TEST_CASE("headers are read in any spelling that Python allows") {
  const std::string two("\1\0\2\0", 4);
  CHECK(parsed(npy(dict("'<i2'", "(2,)"), two)) == "i2[2] {1, 2}");
  CHECK(parsed(npy("{'shape':(2,),'descr':\"<i2\",'fortran_order':False}", two)) == "i2[2] {1, 2}");
  CHECK(parsed(npy("  {'shape': [2], 'fortran_order': True, 'descr': u'=i2'}   ", two)) == "i2[2] {1, 2}");
  CHECK(parsed(npy(dict("'i2'", "(2L,)"), two)) == "i2[2] {1, 2}");
  CHECK(parsed(npy(dict("'>i2'", "(2,)"), two)) == "i2[2] {256, 512}");
  CHECK(parsed(npy(dict("'<i2'", "( 1 , 2 )"), two, 2)) == "i2[1,2] {{1, 2}}");
  CHECK(parsed(npy(dict("'|b1'", "(4,)"), std::string("\0\1\2\xFF", 4))) == "b1[4] {false, true, true, true}");
  CHECK(parsed(npy(dict("'?'", "()"), "\1", 3)) == "b1[] {true}");
}

TEST_CASE("half precision and complex numbers are read and written; bfloat16 goes out as its bits") {
  CHECK(parsed(npy(dict("'<f2'", "(2,)"), std::string("\x66\x2e\xff\x7b", 4))) == "f2[2] {0.1, 65500}");
  const std::string one_and_minus_two("\0\0\x80\x3f\0\0\0\xc0", 8), swapped("\x3f\x80\0\0\xc0\0\0\0", 8);
  CHECK(parsed(npy(dict("'<c8'", "(1,)"), one_and_minus_two)) == "c8[1] {1-2j}");
  CHECK(parsed(npy(dict("'>c8'", "(1,)"), swapped)) == "c8[1] {1-2j}");
  CHECK_THAT(io::format_npy_header(f2, {3}), Contains("'descr': '<f2'"));
  CHECK_THAT(io::format_npy_header(c16, {3}), Contains("'descr': '<c16'"));
  CHECK_THAT(io::format_npy_header(bf16, {3}), Contains("'descr': '<u2'"));
}

TEST_CASE("Fortran order is brought into C order and remembered") {
  const io::HostArray array = io::parse_npy(bytes_of(npy(dict("'u1'", "(2, 3)", "True"), "abcdef")), "a.npy");
  CHECK(array.fortran_order);
  CHECK(io::format_literal(array) == "u1[2,3] {{97, 99, 101}, {98, 100, 102}}");
  CHECK(io::format_literal(io::transposed(array)) == "u1[3,2] {{97, 98}, {99, 100}, {101, 102}}");
}

TEST_CASE("dtypes that jitc lacks are refused by name and with a way out") {
  const auto refusal = [](const std::string& descr) { return parsed_dict(dict(descr, "(0,)")); };
  CHECK(refusal("'<c32'") ==
        "a.npy: its dtype '<c32' is complex numbers of a precision that jitc does not have | convert it first: "
        "a.astype('c16')");
  CHECK_THAT(refusal("'<f16'"), Contains("its dtype '<f16' is a float that jitc does not have"));
  CHECK_THAT(refusal("'|O'"), Contains("its dtype '|O' is Python objects (a pickle)"));
  CHECK_THAT(refusal("'<U7'"), Contains("its dtype '<U7' is text"));
  CHECK_THAT(refusal("'|S7'"), Contains("its dtype '|S7' is byte strings"));
  CHECK_THAT(refusal("'<M8[ns]'"), Contains("its dtype '<M8[ns]' is dates"));
  CHECK_THAT(refusal("'<m8[s]'"), Contains("its dtype '<m8[s]' is time spans"));
  CHECK_THAT(refusal("'|V12'"), Contains("its dtype '|V12' is raw records"));
  CHECK_THAT(refusal("[('x', '<f4'), ('y', '<f4', (2,))]"), Contains("it holds a structured dtype (records)"));
  CHECK_THAT(refusal("'<i3'"), Contains("its dtype '<i3' is none that jitc knows"));
  CHECK_THAT(refusal("'\x1b[31m'"), Contains("its dtype '?[31m'"));
  CHECK_THAT(refusal("''"), Contains("its dtype '' is empty"));
  CHECK_THAT(refusal("4"), Contains("its descr is not a string"));
}

TEST_CASE("data of another length than the header says are refused with both lengths") {
  CHECK(parsed(npy(dict("'<f4'", "(2, 3)"), std::string(20, '\0'))) ==
        "a.npy: it is cut short: f4[2,3] has 24 bytes of data, 20 are there | write the file again");
  CHECK(parsed(npy(dict("'<f4'", "(2,)"), std::string(11, '\0'))) ==
        "a.npy: 3 bytes follow after the 8 bytes of f4[2] | a file holds one array; write it again with np.save");
  CHECK_THAT(parsed(npy(dict("'<f4'", "(0, 5)"), "x")), Contains("1 bytes follow after the 0 bytes of f4[0,5]"));
}

TEST_CASE("files that are something else are told apart") {
  CHECK(parsed("") == "a.npy: the file is empty");
  CHECK_THAT(parsed("PK\3\4 zip archive"), Contains("it is a .npz archive"));
  CHECK_THAT(parsed("\x80\4 pickle"), Contains("it is a Python pickle"));
  CHECK_THAT(parsed("1,2,3\n4,5,6\n"), Contains("it is not a .npy file"));
  CHECK_THAT(parsed("\x93NUMPY"), Contains("it is not a .npy file"));
  CHECK_THAT(parsed(npy(dict("'<f4'", "()"), "1234", 4)), Contains("version 4.0 of the .npy format is unknown"));
}

TEST_CASE("damaged headers are refused") {
  CHECK_THAT(parsed(std::string("\x93NUMPY\1\0\1", 9)), Contains("it ends after 9 bytes, inside the header"));
  CHECK_THAT(parsed(std::string("\x93NUMPY\1\0\xff\xff{", 11)),
             Contains("its header claims to be 65535 bytes long, 1 are there"));
  CHECK_THAT(parsed(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{", 13)),
             Contains("its header claims to be 4294967295 bytes long, the limit is 1048576"));
  CHECK_THAT(parsed_dict("{'descr': '<f4'"), Contains("',' is missing in a dict"));
  CHECK_THAT(parsed_dict("{'descr': '<f4"), Contains("a string is not closed"));
  CHECK_THAT(parsed_dict("__import__('os')"), Contains("an unexpected character (at character 0)"));
  CHECK_THAT(parsed_dict("(1, 2)"), Contains("its header is not a dict"));
  CHECK_THAT(parsed_dict("{1: 2}"), Contains("a key that is not a string"));
  CHECK_THAT(parsed_dict("{'descr': '<f4', 'shape': ()}"), Contains("lacks the key 'fortran_order'"));
  CHECK_THAT(parsed_dict("{'descr': '<f4', 'descr': '<f4'}"), Contains("the key 'descr' twice"));
  CHECK_THAT(parsed_dict("{'color': '<f4'}"), Contains("an unknown key 'color'"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "()", "1")), Contains("fortran_order is neither True nor False"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "4")), Contains("its shape is not a tuple"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(4)")), Contains("its shape is not a tuple"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "('4',)")), Contains("not a tuple of integers"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(1.5,)")), Contains("a number is not an integer"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(-1,)")), Contains("the negative extent -1"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(99999999999999999999,)")), Contains("an extent beyond 2^63"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(9223372036854775807, 2)")), Contains("more bytes than can be addressed"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "(0, 9223372036854775807, 2)")), Contains("more bytes than can be addressed"));
  CHECK_THAT(parsed_dict(dict("'<f4'", "()") + "x"), Contains("text after the literal"));
  std::string axes = "(";
  for (int i = 0; i < 65; ++i) axes += "1,";
  CHECK_THAT(parsed_dict(dict("'<f4'", axes + ")")), Contains("more than 64 axes"));
  CHECK_THAT(parsed_dict(std::string(60000, '(')), Contains("brackets nested too deeply"));
}

TEST_CASE("no change and no cut of a valid file does harm") {
  std::mt19937 random(1);
  const std::string files[] = {npy(dict("'<f4'", "(2, 3)"), std::string(24, '\1')),
                               npy(dict("'>i8'", "(3,)", "True"), std::string(24, '\2'), 2),
                               npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234", 3)};
  size_t accepted = 0;
  for (const std::string& file : files) {
    for (size_t cut = 0; cut < file.size(); ++cut)
      CHECK_THROWS_AS(io::parse_npy(bytes_of(file.substr(0, cut)), "f"), io::InputError);
    for (int round = 0; round < 20000; ++round) {
      std::string changed = file;
      for (size_t i = 1 + random() % 3; i > 0; --i) changed[random() % changed.size()] = static_cast<char>(random());
      try {
        const io::HostArray array = io::parse_npy(bytes_of(changed), "f");
        if (array.bytes.size() > changed.size()) FAIL("more data than the file has");
        ++accepted;
      } catch (const io::InputError&) {}
    }
  }
  CHECK(accepted > 1000);
}
