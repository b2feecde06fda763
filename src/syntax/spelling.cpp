// Operators as written. Sample: spelling(CompareOp::kIsNot) is "is not".
#include <cstddef>
#include <iterator>
#include <string_view>

#include "src/base/check.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::syntax {

namespace {

constexpr const char* kUnary[] = {
#define JITC_UNARY(op, spelling) spelling,
#include "src/syntax/operators.def"
};
constexpr const char* kBinary[] = {
#define JITC_BINARY(op, token, assign, spelling, binds) spelling,
#include "src/syntax/operators.def"
};
constexpr const char* kCompare[] = {
#define JITC_COMPARE(op, spelling) spelling,
#include "src/syntax/operators.def"
};
constexpr const char* kBool[] = {
#define JITC_BOOL(op, spelling) spelling,
#include "src/syntax/operators.def"
};

// The rows stand in the order of the enums.
#define JITC_UNARY(op, spelling) static_assert(kUnary[size_t(UnaryOp::op)] == std::string_view(spelling));
#define JITC_BINARY(op, token, assign, spelling, binds) \
  static_assert(kBinary[size_t(BinaryOp::op)] == std::string_view(spelling));
#define JITC_COMPARE(op, spelling) static_assert(kCompare[size_t(CompareOp::op)] == std::string_view(spelling));
#define JITC_BOOL(op, spelling) static_assert(kBool[size_t(BoolOp::op)] == std::string_view(spelling));
#include "src/syntax/operators.def"

template <size_t N, class Op>
const char* row(const char* const (&table)[N], Op op) {
  JITC_CHECK(static_cast<size_t>(op) < N, "no such operator");
  return table[static_cast<size_t>(op)];
}

}  // namespace

const char* spelling(UnaryOp op) { return row(kUnary, op); }
const char* spelling(BinaryOp op) { return row(kBinary, op); }
const char* spelling(CompareOp op) { return row(kCompare, op); }
const char* spelling(BoolOp op) { return row(kBool, op); }

}  // namespace jitc::syntax
