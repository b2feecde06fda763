#include <catch2/catch.hpp>

#include <set>

#include "src/source/diagnostic.hpp"

using namespace jitc::source;

TEST_CASE("a report formats the text of its row") {
  DiagnosticSink sink;
  sink.report(DiagId::kMismatchedBracket, {3, 4}, ")", "[").label({1, 2}, "opened here").help("h").fixit({3, 4}, "]");
  REQUIRE(sink.all().size() == 1);
  const Diagnostic& diagnostic = sink.all()[0];
  CHECK(diagnostic.message == "')' does not match the opening '['");
  CHECK(diagnostic.span == Span{3, 4});
  REQUIRE(diagnostic.labels.size() == 1);
  CHECK(diagnostic.labels[0].text == "opened here");
  CHECK(diagnostic.help == "h");
  REQUIRE(diagnostic.fixit);
  CHECK(diagnostic.fixit->replacement == "]");
  CHECK(sink.has_errors());
}

TEST_CASE("the same kind at the same place is reported once") {
  DiagnosticSink sink;
  sink.report(DiagId::kUnclosedBracket, {1, 2}, "(").help("first");
  sink.report(DiagId::kUnclosedBracket, {1, 2}, "(").help("second");
  sink.report(DiagId::kUnclosedBracket, {2, 3}, "(");
  REQUIRE(sink.all().size() == 2);
  CHECK(sink.all()[0].help == "first");
  CHECK(sink.error_count() == 2);
}

TEST_CASE("a full sink stores no more errors") {
  DiagnosticSink sink(3);
  for (uint32_t i = 0; i < 10; ++i) sink.report(DiagId::kUnclosedBracket, {i, i + 1}, "(").help("kept nowhere");
  CHECK(sink.full());
  CHECK(sink.error_count() == 3);
  CHECK(sink.all().size() == 3);
}

TEST_CASE("sorting orders by position and keeps the order of reports at one place") {
  DiagnosticSink sink;
  sink.report(DiagId::kUnclosedBracket, {5, 6}, "(");
  sink.report(DiagId::kUnterminatedString, {1, 9});
  sink.report(DiagId::kNoTry, {5, 8});
  sink.sort_by_position();
  CHECK(sink.all()[0].id == DiagId::kUnterminatedString);
  CHECK(sink.all()[1].id == DiagId::kUnclosedBracket);
  CHECK(sink.all()[2].id == DiagId::kNoTry);
}

TEST_CASE("no two rows share a code") {
  std::set<uint16_t> codes;
  for (size_t i = 0; i < diag_count(); ++i) CHECK(codes.insert(info(static_cast<DiagId>(i)).code).second);
}
