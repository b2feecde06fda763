// One broken program per rule of the verifier.
#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"
#include "tests/unit/kernel/programs.hpp"

namespace jitc::kernel {
namespace {

const Type kI8 = scalar(DType::i8);
const Type kF4 = scalar(DType::f4);
const Type kB1 = scalar(DType::b1);

/// The only broken rule of the program.
std::string broken_rule(const KernelProgram& program) {
  const std::vector<std::string> errors = verify(program);
  REQUIRE(errors.size() == 1);
  return errors[0];
}
std::string broken_rule(Builder& b) { return broken_rule(b.take()); }

/// Adds a node with any type: what the builder would not do.
ExprId raw(Builder& b, Type type, decltype(Expr::kind) kind) { return b.program().exprs.add({{}, type, kind}); }

TEST_CASE("A well-formed program breaks no rule") {
  Builder b("k");
  const uint32_t x = array_params(b, "x", DType::f4, 1);
  const LocalId i = b.add_local("i", kI8);
  const LabelId loop = b.add_label("loop");
  b.loop(
      loop, [&] { return b.compare(CompareOp::kLt, b.local(i), b.param(x + 1)); },
      [&] {
        b.store({b.param(x), {{b.local(i), b.param(x + 2)}}}, b.math(MathFn::kPowi, {value(b, 2.0F), b.local(i)}));
        b.if_then(value(b, true), [&] { b.continue_loop(loop); });
        b.exit(loop);
      },
      [&] { b.assign(i, b.binary(BinaryOp::kAdd, b.local(i), value(b, int64_t{1}))); });
  b.return_thread();
  CHECK(verify(b.take()).empty());
}

TEST_CASE("References must lead somewhere") {
  Builder b("k");
  SECTION("an operand that comes later") {
    raw(b, kI8, Unary{UnaryOp::kNeg, ExprId(1)});
    raw(b, kI8, Const{1});
    CHECK(broken_rule(b) == "expr 0: operand 1 is not an earlier expression");
  }
  SECTION("an expression that is its own operand") {
    raw(b, kI8, Unary{UnaryOp::kNeg, ExprId(0)});
    CHECK(broken_rule(b) == "expr 0: operand 0 is not an earlier expression");
  }
  SECTION("a parameter") {
    raw(b, kI8, ParamRef{0});
    CHECK(broken_rule(b) == "expr 0: parameter 0 does not exist");
  }
  SECTION("a local") {
    raw(b, kI8, LocalRef{LocalId(2)});
    CHECK(broken_rule(b) == "expr 0: local 2 does not exist");
  }
  SECTION("the value of a statement") {
    b.assign(b.add_local("i", kI8), ExprId(5));
    CHECK(broken_rule(b) == "stmt 0: expression 5 does not exist");
  }
  SECTION("the local of an assignment") {
    b.assign(LocalId(3), value(b, int64_t{1}));
    CHECK(broken_rule(b) == "stmt 0: local 3 does not exist");
  }
  SECTION("a label") {
    b.exit(LabelId(0));
    CHECK(broken_rule(b) == "stmt 0: label 0 does not exist");
  }
  SECTION("a fail site") {
    b.fail(1);
    CHECK(broken_rule(b) == "stmt 0: fail site 1 does not exist");
  }
  SECTION("a statement") {
    KernelProgram program = b.take();
    program.body.push_back(StmtId(7));
    CHECK(broken_rule(program) == "body 0: statement 7 does not exist");
  }
}

TEST_CASE("Statements form a tree") {
  Builder b("k");
  SECTION("one statement in two places") {
    b.return_thread();
    KernelProgram program = b.take();
    program.body.push_back(StmtId(0));
    CHECK(broken_rule(program) == "stmt 0: the statement is in 2 places");
  }
  SECTION("a forgotten statement") {
    b.return_thread();
    KernelProgram program = b.take();
    program.body.clear();
    CHECK(broken_rule(program) == "stmt 0: the statement is in 0 places");
  }
  SECTION("a block that contains itself") {
    b.scope(b.add_label("s"), [] {});
    std::get<Scope>(b.program().stmts[StmtId(0)].kind).body.push_back(StmtId(0));
    CHECK(broken_rule(b) == "stmt 0: the statement is in 2 places");
  }
}

TEST_CASE("Parameters are parts of arguments") {
  Builder b("k");
  array_params(b, "x", DType::f4, 2);
  b.scalar_param("a", DType::f4);
  Param& x = b.program().params[0];
  Param& extent = b.program().params[1];
  Param& a = b.program().params[5];
  SECTION("of an argument that exists") {
    a.argument = 2;
    CHECK(broken_rule(b) == "param 5: argument 2 does not exist");
  }
  SECTION("of the right sort") {
    a.argument = 0;
    CHECK(broken_rule(b) == "param 5: the part does not belong to such an argument");
  }
  SECTION("of an axis that exists") {
    extent.axis = 2;
    CHECK(broken_rule(b) == "param 1: axis 2 of an array of rank 2");
  }
  SECTION("data is a pointer to the elements") {
    x.type = pointer(DType::f8, MemorySpace::kGlobal);
    CHECK(broken_rule(b) == "param 0: the parameter is ptr<global f8>, not ptr<global f4>");
  }
  SECTION("extents are i8") {
    extent.type = scalar(DType::i4);
    CHECK(broken_rule(b) == "param 1: the parameter is i4, not i8");
  }
  SECTION("scalars have the argument's type") {
    a.type = kI8;
    CHECK(broken_rule(b) == "param 5: the parameter is i8, not f4");
  }
}

TEST_CASE("Expressions have the types of their operations") {
  Builder b("k");
  const ExprId i = value(b, int64_t{1});  // expr 0
  const ExprId f = value(b, 1.5F);        // expr 1
  const ExprId t = value(b, true);        // expr 2
  const uint32_t x = array_params(b, "x", DType::f4, 1);
  const ExprId p = b.param(x);  // expr 3
  const LocalId local = b.add_local("v", kF4);
  SECTION("a constant that does not fit") {
    raw(b, scalar(DType::u1), Const{256});
    CHECK(broken_rule(b) == "expr 4: the constant has bits outside u1");
  }
  SECTION("a bool that is neither 0 nor 1") {
    raw(b, kB1, Const{2});
    CHECK(broken_rule(b) == "expr 4: the constant has bits outside b1");
  }
  SECTION("a constant pointer") {
    raw(b, pointer(DType::f4, MemorySpace::kGlobal), Const{0});
    CHECK(broken_rule(b) == "expr 4: a constant cannot be a ptr<global f4>");
  }
  SECTION("a parameter read as another type") {
    raw(b, kF4, ParamRef{x});
    CHECK(broken_rule(b) == "expr 4: the parameter is ptr<global f4>, the node f4");
  }
  SECTION("a local read as another type") {
    raw(b, kI8, LocalRef{local});
    CHECK(broken_rule(b) == "expr 4: the local is f4, the node i8");
  }
  SECTION("a narrow thread index") {
    raw(b, scalar(DType::i4), ThreadIndex{});
    CHECK(broken_rule(b) == "expr 4: a thread index is i8, not i4");
  }
  SECTION("a fourth axis") {
    b.thread(ThreadValue::kBlockIdx, 3);
    CHECK(broken_rule(b) == "expr 4: block_idx has no axis 3");
  }
  SECTION("a second axis of lanes") {
    b.thread(ThreadValue::kLaneId, 1);
    CHECK(broken_rule(b) == "expr 4: lane_id has no axis 1");
  }
  SECTION("the square root of an integer") {
    b.unary(UnaryOp::kSqrt, i);
    CHECK(broken_rule(b) == "expr 4: 'sqrt' of i8");
  }
  SECTION("minus of a bool") {
    b.unary(UnaryOp::kNeg, t);
    CHECK(broken_rule(b) == "expr 4: '-' of b1");
  }
  SECTION("a unary operation that changes the type") {
    raw(b, kI8, Unary{UnaryOp::kNeg, f});
    CHECK(broken_rule(b) == "expr 4: '-' of f4 is not i8");
  }
  SECTION("a test that is not b1") {
    raw(b, kF4, Unary{UnaryOp::kIsNan, f});
    CHECK(broken_rule(b) == "expr 4: 'isnan' of f4 is not f4");
  }
  SECTION("operands of two types") {
    b.binary(BinaryOp::kAdd, i, f);
    CHECK(broken_rule(b) == "expr 4: the right operand is f4, not i8");
  }
  SECTION("division of integers") {
    b.binary(BinaryOp::kDiv, i, i);
    CHECK(broken_rule(b) == "expr 4: '/' of i8");
  }
  SECTION("floored division of floats") {
    b.binary(BinaryOp::kFloorDiv, f, f);
    CHECK(broken_rule(b) == "expr 4: '//' of f4");
  }
  SECTION("the sum of bools") {
    b.binary(BinaryOp::kAdd, t, t);
    CHECK(broken_rule(b) == "expr 4: '+' of b1");
  }
  SECTION("a comparison of two types") {
    b.compare(CompareOp::kLt, i, f);
    CHECK(broken_rule(b) == "expr 4: the right operand is f4, not i8");
  }
  SECTION("a comparison of pointers") {
    b.compare(CompareOp::kEq, p, p);
    CHECK(broken_rule(b) == "expr 4: pointers are not compared");
  }
  SECTION("a comparison that is not b1") {
    raw(b, kI8, Compare{CompareOp::kLt, i, i});
    CHECK(broken_rule(b) == "expr 4: a comparison is b1, not i8");
  }
  SECTION("a pointer converted to an integer") {
    b.convert(DType::i8, p);
    CHECK(broken_rule(b) == "expr 4: ptr<global f4> does not convert to i8");
  }
  SECTION("a condition that is a number") {
    b.select(i, f, f);
    CHECK(broken_rule(b) == "expr 4: the condition is i8, not b1");
  }
  SECTION("values of two types") {
    b.select(t, f, i);
    CHECK(broken_rule(b) == "expr 4: the second value is i8, not f4");
  }
  SECTION("fma of integers") {
    b.fma(i, i, i);
    CHECK(broken_rule(b) == "expr 4: fma of i8");
  }
  SECTION("fma of two types") {
    b.fma(f, f, i);
    CHECK(broken_rule(b) == "expr 4: the operand is i8, not f4");
  }
  SECTION("too few arguments") {
    b.math(MathFn::kPow, {f});
    CHECK(broken_rule(b) == "expr 4: pow takes 2 arguments, not 1");
  }
  SECTION("the sine of an integer") {
    b.math(MathFn::kSin, {i});
    CHECK(broken_rule(b) == "expr 4: sin of i8");
  }
  SECTION("an exponent of the wrong type") {
    b.math(MathFn::kLdexp, {f, i});
    CHECK(broken_rule(b) == "expr 4: the argument is i8, not i4");
  }
  SECTION("a math result of the wrong type") {
    raw(b, kF4, MathCall{MathFn::kFrexpExp, {f}});
    CHECK(broken_rule(b) == "expr 4: frexp_exp gives i4, not f4");
  }
  SECTION("a load through a number") {
    b.load({i, {}});
    CHECK(broken_rule(b) == "expr 4: the base is i8, not a pointer");
  }
  SECTION("a load that converts") {
    raw(b, scalar(DType::f8), Load{{p, {}}});
    CHECK(broken_rule(b) == "expr 4: a load of f4 elements gives f8");
  }
  SECTION("a float as an index") {
    b.load({p, {{f, i}}});
    CHECK(broken_rule(b) == "expr 4: the index is f4, not i8");
  }
  SECTION("a float as a stride") {
    b.load({p, {{i, f}}});
    CHECK(broken_rule(b) == "expr 4: the stride is f4, not i8");
  }
  SECTION("an address of other elements") {
    raw(b, pointer(DType::f8, MemorySpace::kGlobal), Address{{p, {}}});
    CHECK(broken_rule(b) == "expr 4: the base is ptr<global f4>, not ptr<global f8>");
  }
}

TEST_CASE("Statements have the types of what they write and test") {
  Builder b("k");
  const uint32_t x = array_params(b, "x", DType::f4, 1);
  const ExprId i = value(b, int64_t{1});
  SECTION("an assignment that converts") {
    b.assign(b.add_local("v", kF4), i);
    CHECK(broken_rule(b) == "stmt 0: the value is i8, not f4");
  }
  SECTION("a store that converts") {
    b.store({b.param(x), {}}, i);
    CHECK(broken_rule(b) == "stmt 0: the value is i8, not f4");
  }
  SECTION("a store to constant memory") {
    const ExprId table = b.local(b.add_local("table", pointer(DType::i8, MemorySpace::kConst)));
    b.store({table, {}}, i);
    CHECK(broken_rule(b) == "stmt 0: a store to constant memory");
  }
  SECTION("a condition that is a number") {
    b.if_then(i, [] {});
    CHECK(broken_rule(b) == "stmt 0: the condition is i8, not b1");
  }
  SECTION("a loop's condition that is a number") {
    b.loop(
        b.add_label("l"), [&] { return i; }, kNothing, kNothing);
    CHECK(broken_rule(b) == "stmt 0: the condition is i8, not b1");
  }
  SECTION("a failure with three values") {
    b.fail(b.add_fail_site({}), {i, i, i});
    CHECK(broken_rule(b) == "stmt 0: 3 values, not at most 2");
  }
  SECTION("a failure with a float") {
    b.fail(b.add_fail_site({}), {value(b, 1.0)});
    CHECK(broken_rule(b) == "stmt 0: the value is f8, not i8");
  }
}

TEST_CASE("Nothing leaves a loop of lanes before its last round") {
  Builder b("k");
  const LabelId loop = b.add_label("lanes"), inner = b.add_label("inner");
  const auto forever = [&] { return value(b, true); };
  SECTION("not the loop itself") {
    b.loop(
        loop, forever, [&] { b.exit(loop); }, kNothing, 8);
    CHECK(broken_rule(b) == "stmt 0: exit of label 0 from a loop of lanes");
  }
  SECTION("nor one around it") {
    b.scope(inner, [&] {
      b.loop(
          loop, forever, [&] { b.exit(inner); }, kNothing, 8);
    });
    CHECK(broken_rule(b) == "stmt 0: exit of label 1 from a loop of lanes");
  }
  SECTION("but a scope inside of it") {
    b.loop(
        loop, forever, [&] { b.scope(inner, [&] { b.exit(inner); }); }, kNothing, 8);
    CHECK(verify(b.take()).empty());
  }
}

TEST_CASE("Labels are left and continued from inside") {
  Builder b("k");
  const LabelId label = b.add_label("l");
  const auto forever = [&] { return value(b, true); };
  SECTION("exit from outside") {
    b.scope(label, [] {});
    b.exit(label);
    CHECK(broken_rule(b) == "stmt 1: exit of label 0, which does not enclose it");
  }
  SECTION("one label for two scopes") {
    b.scope(label, [&] { b.scope(label, [] {}); });
    CHECK(broken_rule(b) == "stmt 0: label 0 is defined twice");
  }
  SECTION("continue of a scope") {
    b.scope(label, [&] { b.continue_loop(label); });
    CHECK(broken_rule(b) == "stmt 0: continue of label 0, whose loop body does not enclose it");
  }
  SECTION("continue from a loop's step") {
    b.loop(label, forever, kNothing, [&] { b.continue_loop(label); });
    CHECK(broken_rule(b) == "stmt 0: continue of label 0, whose loop body does not enclose it");
  }
  SECTION("continue from a loop's head") {
    const auto head = [&] {
      b.continue_loop(label);
      return value(b, true);
    };
    b.loop(label, head, kNothing, kNothing);
    CHECK(broken_rule(b) == "stmt 0: continue of label 0, whose loop body does not enclose it");
  }
  SECTION("exit from a loop's head is fine") {
    const auto head = [&] {
      b.exit(label);
      return value(b, true);
    };
    b.loop(label, head, kNothing, kNothing);
    CHECK(verify(b.take()).empty());
  }
}

}  // namespace
}  // namespace jitc::kernel
