#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "src/source/diagnostic.hpp"

using namespace jitc::source;
using nlohmann::json;

TEST_CASE("JSON holds code, severity, message, file, range, labels, help and fix-it") {
  const SourceFile file("a.dsl", "x = 1\né = [0)\n");
  DiagnosticSink sink;
  sink.report(DiagId::kMismatchedBracket, {13, 14}, ")", "[").label({11, 12}, "opened here").fixit({13, 14}, "]");
  const json out = json::parse(to_json(file, sink.all()));
  REQUIRE(out.size() == 1);
  CHECK(out[0]["code"] == "JT0115");
  CHECK(out[0]["severity"] == "error");
  CHECK(out[0]["message"] == "')' does not match the opening '['");
  CHECK(out[0]["file"] == "a.dsl");
  CHECK(out[0]["range"]["start"] == json({{"line", 2}, {"column", 7}, {"offset", 13}}));
  CHECK(out[0]["range"]["end"] == json({{"line", 2}, {"column", 8}, {"offset", 14}}));
  CHECK(out[0]["labels"][0]["text"] == "opened here");
  CHECK(out[0]["labels"][0]["range"]["start"]["column"] == 5);
  CHECK(out[0]["help"].is_null());
  CHECK(out[0]["fixit"]["replacement"] == "]");
  CHECK(out[0]["fixit"]["range"]["start"]["offset"] == 13);
}

TEST_CASE("JSON of no diagnostics is an empty array") {
  CHECK(json::parse(to_json(SourceFile("a", ""), {})) == json::array());
}

TEST_CASE("JSON is well-formed whatever the text holds") {
  const SourceFile file("\xFF.dsl", "\x80\x00");
  DiagnosticSink sink;
  sink.report(DiagId::kExpectedExpression, {0, 1}, "'\x80\x01'");
  CHECK(json::parse(to_json(file, sink.all())).size() == 1);
}
