#include "src/codegen/rename_entry.hpp"

#include "src/base/check.hpp"
#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

namespace {

/// Nothing else in PTX has the name in it: texts that a kernel prints are numbers there.
void rename_in_ptx(std::string& ptx, const std::string& from, const std::string& to) {
  std::string out;
  out.reserve(ptx.size() + ptx.size() / 8);
  size_t begin = 0;
  for (size_t at = ptx.find(from); at != std::string::npos; at = ptx.find(from, begin)) {
    out.append(ptx, begin, at - begin);
    out += to;
    begin = at + from.size();
  }
  ptx = out.append(ptx, begin);
}

void rename_in_object(std::string& object, const std::string& from, const std::string& to) {
  const auto fail = [](llvm::Error error) {
    JITC_CHECK(!error, "the symbol of an object: " + llvm::toString(std::move(error)));
  };
  const llvm::MemoryBufferRef bytes(object, "object");
  auto file = llvm::object::ObjectFile::createObjectFile(bytes);
  if (!file) return fail(file.takeError());
  llvm::objcopy::ConfigManager config;
  config.Common.SymbolsToRename[from] = to;
  llvm::SmallString<0> renamed;
  llvm::raw_svector_ostream out(renamed);
  fail(llvm::objcopy::executeObjcopyOnBinary(config, **file, out));
  object.assign(renamed.data(), renamed.size());
}

}  // namespace

void rename_entry(std::string& code, Artifact::Kind kind, const std::string& from, const std::string& to) {
  if (from == to) return;
  if (kind == Artifact::Kind::ptx) {
    rename_in_ptx(code, from, to);
  } else {
    rename_in_object(code, from, to);
  }
}

}  // namespace jitc::codegen
