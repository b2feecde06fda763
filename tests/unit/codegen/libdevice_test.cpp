// The math functions of a user's libdevice.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "src/codegen/libdevice.hpp"
#include "src/math/math_library.hpp"
#include "tests/support/libdevice_path.hpp"
#include "tests/unit/codegen/math_rows.hpp"
#include "tests/unit/codegen/ptx_text.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;
using codegen::Target;

constexpr std::string_view kTaken[] = {
#define JITC_LIBDEVICE(name, stem) name,
#include "src/codegen/libdevice.def"
#undef JITC_LIBDEVICE
};

/// The rows of math.def that libdevice serves.
std::vector<MathRow> taken() {
  std::vector<MathRow> out;
  for (const MathRow& row : kMathRows) {
    if (std::find(std::begin(kTaken), std::end(kTaken), row.name) != std::end(kTaken)) out.push_back(row);
  }
  return out;
}

constexpr MathRow kOrders[] = {
    {MathFn::kJnF4, "jn", 2}, {MathFn::kJnF8, "jn", 2}, {MathFn::kYnF4, "yn", 2}, {MathFn::kYnF8, "yn", 2}};

std::string error_of(const std::string& path) {
  try {
    codegen::read_libdevice(path);
  } catch (const codegen::MathLibraryError& error) { return error.what(); }
  return "no error";
}

/// A file of the test's own, which goes with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes)
      : path_(std::filesystem::temp_directory_path() / ("jitc_libdevice_" + std::to_string(std::rand()) + ".bc")) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// PTX of every function of libdevice's, with a name for messages.
template <class Check>
void for_each_ptx(int sm, const codegen::EmitOptions& options, const Check& check) {
  std::vector<MathRow> rows = taken();
  rows.insert(rows.end(), std::begin(kOrders), std::end(kOrders));
  for (const DType type : {DType::f4, DType::f8}) {
    for (const MathRow& row : rows) {
      const std::string name =
          std::string(row.name) + "_" + std::string(jitc::name(type)) + " for " + std::to_string(sm);
      INFO(name);
      std::string ptx;
      CHECK_NOTHROW(ptx = codegen::emit(call_of(row, type), {Target::Kind::nvptx, sm}, options).code);
      check(ptx, name);
    }
  }
}

TEST_CASE("every function of libdevice's compiles for all GPUs, with nothing left to ask or to link") {
  const std::string path = tests::libdevice_path();
  if (path.empty()) return;
  const int opt_level = GENERATE(3, 0), sm = GENERATE(50, 75, 90);
  const codegen::EmitOptions options{.opt_level = opt_level, .libdevice = codegen::read_libdevice(path)};
  for_each_ptx(sm, options, [](const std::string& ptx, const std::string& name) {
    INFO(name);
    CHECK(count(ptx, R"(__nvvm_reflect|\.extern)") == 0);
  });
}

TEST_CASE("ptxas accepts every function of libdevice's") {
  const std::string path = tests::libdevice_path();
  if (path.empty() || !have_ptxas()) return;
  const int sm = GENERATE(75, 90);
  const codegen::EmitOptions options{.libdevice = codegen::read_libdevice(path)};
  for_each_ptx(sm, options, [&](const std::string& ptx, const std::string& name) {
    const PtxasRun run = run_ptxas(ptx, sm);
    INFO(name << ": " << run.output);
    CHECK(run.status == 0);
  });
}

TEST_CASE("what libdevice lacks stays the library's own, and so does all of the host's") {
  const std::string path = tests::libdevice_path();
  if (path.empty()) return;
  const codegen::EmitOptions with{.opt_level = 0, .libdevice = codegen::read_libdevice(path)};
  const KernelProgram sine = call_of({MathFn::kSin, "sin", 1}, DType::f8);
  CHECK(contains(codegen::llvm_ir(sine, {Target::Kind::nvptx, 80}, with), "@__cudart_sin_cos_coeffs"));
  CHECK(codegen::assembly(sine, {}, with) == codegen::assembly(sine, {}, {.opt_level = 0}));
  const KernelProgram logaddexp = call_of({MathFn::kLogaddexp, "logaddexp", 2}, DType::f8);
  CHECK(!contains(codegen::llvm_ir(logaddexp, {Target::Kind::nvptx, 80}, with), "__nv_"));
}

TEST_CASE("the same text and libdevice give the same bytes") {
  const std::string path = tests::libdevice_path();
  if (path.empty()) return;
  const KernelProgram program = call_of({MathFn::kGamma, "gamma", 1}, DType::f8);
  const auto code = [&] {
    return codegen::emit(program, {Target::Kind::nvptx, 80}, {.libdevice = codegen::read_libdevice(path)}).code;
  };
  CHECK(code() == code());
}

TEST_CASE("a file that cannot be the math library is refused with its path, the reason and what to do") {
  const std::string help = "; name the libdevice.10.bc of a CUDA toolkit, in its folder nvvm/libdevice";
  CHECK(error_of("/nowhere/libdevice.10.bc") == "libdevice /nowhere/libdevice.10.bc: there is no such file" + help);
  CHECK(error_of("/tmp") == "libdevice /tmp: is no file" + help);
  const TemporaryFile text("not bitcode");
  CHECK(error_of(text.path()) == "libdevice " + text.path() + ": is not LLVM bitcode" + help);
  const TemporaryFile other(math::bitcode());
  CHECK(error_of(other.path()) == "libdevice " + other.path() + ": has no function __nv_sinf" + help);
}

TEST_CASE("bitcode that LLVM cannot read is refused, wherever it ends") {
  const std::string_view whole = math::bitcode();
  for (size_t size = 8; size < whole.size(); size += whole.size() / 20 / 4 * 4) {
    const TemporaryFile cut(whole.substr(0, size));
    INFO(size << " bytes: " << error_of(cut.path()));
    CHECK(contains(error_of(cut.path()), "libdevice " + cut.path() + ": LLVM 19"));
  }
}

}  // namespace
