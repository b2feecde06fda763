// LLVM never ends the process, keeps no memory, and may be used from many threads at once.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <catch2/catch.hpp>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include <thread>

#include "src/base/check.hpp"
#include "src/codegen/check_module.hpp"
#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm_session.hpp"
#include "src/codegen/machine.hpp"
#include "src/codegen/optimize.hpp"
#include "tests/support/process_memory.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen;
using namespace jitc::codegen::tests;
using base::InternalError;

/// The back end's output for LLVM IR text.
std::string machine_code(const std::string& ir, const Target& target) {
  return with_session(true, [&](LlvmSession& session) {
    const MachineSpec spec = machine_spec(target);
    llvm::SMDiagnostic problem;
    session.machine = make_machine(spec, 3);
    session.module = llvm::parseAssemblyString(ir, problem, session.context);
    if (!session.module) throw std::logic_error(problem.getMessage().str());
    session.module->setTargetTriple(spec.triple);
    session.module->setDataLayout(session.machine->createDataLayout());
    check_module(*session.module, target.kind);
    optimize(session, target.kind, 3);
    return emit_machine_code(session, Output::kAssembly);
  });
}

const Target kSm80 = {Target::Kind::nvptx, 80};

std::string unary_call(const std::string& intrinsic) {
  return "declare float @" + intrinsic + "(float)\ndefine float @f(float %x) {\n  %y = call float @" + intrinsic +
         "(float %x)\n  ret float %y\n}\n";
}

TEST_CASE("a call outside the allow-list is our error, found before the back end") {
  CHECK_THROWS_WITH(machine_code(unary_call("llvm.sin.f32"), kSm80), Catch::Contains("call of llvm.sin.f32"));
  CHECK_THROWS_WITH(machine_code(unary_call("sinf"), {}), Catch::Contains("call of sinf"));
  CHECK_THROWS_AS(machine_code(unary_call("llvm.sin.f32"), {}), InternalError);
}

TEST_CASE("what makes LLVM give up is an exception, and the next compile works") {
#ifdef __SANITIZE_ADDRESS__
  // What LLVM held when it gave up is abandoned by design: its frames have no destructors to run.
  const __lsan::ScopedDisabler abandoned;
#endif
  const auto give_up = [] {
    with_session(true, [](LlvmSession& session) {
      const MachineSpec spec = machine_spec(kSm80);
      llvm::SMDiagnostic problem;
      session.machine = make_machine(spec, 3);
      session.module = llvm::parseAssemblyString(unary_call("llvm.sin.f32"), problem, session.context);
      session.module->setTargetTriple(spec.triple);
      session.module->setDataLayout(session.machine->createDataLayout());
      emit_machine_code(session, Output::kAssembly);
    });
  };
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_WITH(give_up(), Catch::StartsWith("LLVM gave up: "));
    CHECK(emit(axpy(), kSm80).code.size() > 100);
  }
}

TEST_CASE("both back ends select every allowed intrinsic that they may get") {
  const std::string real = GENERATE("f32 float", "f64 double");
  const std::string suffix = real.substr(0, 3), type = real.substr(4);
  std::string ir;
  const auto define = [&](const std::string& name, const std::string& result, const std::vector<std::string>& args) {
    std::string params, types;
    for (size_t i = 0; i < args.size(); ++i) {
      const bool immediate = args[i].find(' ') != std::string::npos;
      params += (i ? ", " : "") + (immediate ? args[i] : args[i] + " %" + std::to_string(i));
      types += (i ? ", " : "") + args[i].substr(0, args[i].find(' '));
    }
    std::string formal;
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i].find(' ') == std::string::npos) {
        formal += (formal.empty() ? "" : ", ") + args[i] + " %" + std::to_string(i);
      }
    }
    std::string function = name;
    for (char& c : function) c = c == '.' ? '_' : c;
    ir += "declare " + result + " @llvm." + name + "(" + types + ")\ndefine " + result + " @" + function + "(" +
          formal + ") {\n  %r = call " + result + " @llvm." + name + "(" + params + ")\n  ret " + result + " %r\n}\n";
  };
  for (const std::string name : {"fabs", "sqrt", "floor", "ceil", "trunc", "roundeven", "rint"}) {
    define(name + "." + suffix, type, {type});
  }
  define("fma." + suffix, type, {type, type, type});
  define("copysign." + suffix, type, {type, type});
  define("is.fpclass." + suffix, "i1", {type, "i32 7"});
  for (const std::string to : {"i32", "i64"}) {
    define("fptosi.sat." + to + "." + suffix, to, {type});
    define("fptoui.sat." + to + "." + suffix, to, {type});
  }
  if (suffix == "f32") {
    for (const std::string width : {"i8", "i16", "i32", "i64"}) {
      for (const std::string name : {"umin", "umax", "smin", "smax", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"}) {
        define(name + "." + width, width, {width, width});
      }
      for (const std::string name : {"sadd", "ssub", "smul", "uadd", "usub", "umul"}) {
        define(name + ".with.overflow." + width, "{" + width + ",i1}", {width, width});
      }
      for (const std::string name : {"fshl", "fshr"}) define(name + "." + width, width, {width, width, width});
      for (const std::string name : {"bitreverse", "ctpop"}) define(name + "." + width, width, {width});
      for (const std::string name : {"abs", "ctlz", "cttz"}) define(name + "." + width, width, {width, "i1 false"});
      if (width != "i8") define("bswap." + width, width, {width});
    }
  }
  CHECK_NOTHROW(machine_code(ir, kSm80));
  CHECK_NOTHROW(machine_code(ir, {Target::Kind::nvptx, 50}));
  CHECK_NOTHROW(machine_code(ir, {}));
}

TEST_CASE("three hundred compiles leave memory flat") {
  const auto compile = [](int times) {
    for (int i = 0; i < times; ++i) {
      emit(axpy(), kSm80);
      if (i % 3 == 0) emit(axpy(), {});
    }
  };
  compile(60);
  const int64_t before_bytes = jitc::tests::resident_bytes();
  compile(300);
  if (jitc::tests::kResidentSizeCounts) CHECK(jitc::tests::resident_bytes() - before_bytes < (4 << 20));
}

TEST_CASE("sixteen threads compile at once, all to the same bytes") {
  const std::string ptx = emit(pairwise(), kSm80).code, object = emit(pairwise(), {}).code;
  std::vector<std::thread> threads;
  std::vector<int> different(16, 0);
  for (size_t i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        different[i] += emit(pairwise(), kSm80).code != ptx;
        different[i] += emit(pairwise(), {}).code != object;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(different == std::vector<int>(16, 0));
}

TEST_CASE("the times of the parts are reported") {
  EmitTimes times;
  emit(axpy(), kSm80, {}, &times);
  CHECK(times.emit_ms > 0);
  CHECK(times.optimize_ms > 0);
  CHECK(times.machine_ms > 0);
}

TEST_CASE("the IR and the assembly can be looked at") {
  CHECK_THAT(llvm_ir(axpy(), kSm80), Catch::Contains("define") && Catch::Contains("@axpy"));
  CHECK_THAT(assembly(axpy(), kSm80), Catch::Contains(".entry axpy"));
  CHECK_THAT(assembly(axpy(), {}), Catch::Contains("axpy:"));
  CHECK(emit(axpy(), {}).code.substr(1, 3) == "ELF");
}

}  // namespace
