#include "src/source/utf8.hpp"

#include <catch2/catch.hpp>

#include "src/source/visible.hpp"

using namespace jitc::source;

TEST_CASE("every scalar value survives encoding and decoding") {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 97) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    append_utf8(text, c);
    const Decoded back = decode_utf8(text, 0);
    if (!back.valid || back.code_point != c || back.size_bytes != text.size()) FAIL("U+" << std::hex << uint32_t(c));
    if (find_invalid_utf8(text) != std::string_view::npos) FAIL("U+" << std::hex << uint32_t(c));
  }
}

TEST_CASE("overlong forms, surrogates, cut sequences and stray bytes are ill-formed") {
  for (const char* text : {"\xC0\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3",
                           "\xE6\xBC", "\x80", "\xFF", "\xF8\x88\x80\x80\x80"}) {
    CAPTURE(text);
    CHECK(find_invalid_utf8(text) == 0);
    CHECK_FALSE(decode_utf8(text, 0).valid);
  }
}

TEST_CASE("the first ill-formed byte is found behind any number of good ones") {
  for (size_t good = 0; good < 20; ++good) {
    CHECK(find_invalid_utf8(std::string(good, 'a') + "\xC3\xA9\xFF" + std::string(20, 'b')) == good + 2);
  }
}

TEST_CASE("visible text has no control characters and is well-formed") {
  CHECK(visible(std::string("a\0b\x1B\x7F", 5)) == "a␀b␛␡");
  CHECK(visible("a\xFFz") == "a\xEF\xBF\xBDz");
  CHECK(visible("a\xE2\x80\xAEz") == "a\xEF\xBF\xBDz");  // right-to-left override
  CHECK(visible("a\tz é") == "a\tz é");
}

TEST_CASE("a character is named so that it can be told from one that looks the same") {
  CHECK(quoted_character('$') == "'$'");
  CHECK(quoted_character(0x2212) == "'−' (U+2212)");
  CHECK(quoted_character(7) == "U+0007");
  CHECK(quoted_character(0x200B) == "U+200B");
}
