#include "src/codegen/print_format.hpp"

#include "src/codegen/emit_convert.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

/// A zero-terminated string of the module, as a generic pointer.
llvm::Value* text_address(FunctionEmitter& emitter, const std::string& text, unsigned space) {
  llvm::Module& module = emitter.module();
  llvm::Constant* bytes = llvm::ConstantDataArray::getString(emitter.context(), text);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes,
                                          "text", nullptr, llvm::GlobalValue::NotThreadLocal, space);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return emitter.builder().CreateAddrSpaceCast(global, emitter.builder().getPtrTy());
}

/// A zero byte would end the format: it goes as an argument.
void add_text(Builder& b, const std::string& text, std::string& format, std::vector<llvm::Value*>& args) {
  for (const char c : text) {
    if (c == '\0') args.push_back(b.getInt64(0));
    format += c == '\0' ? std::string("%c") : c == '%' ? std::string("%%") : std::string(1, c);
  }
}

llvm::Value* emit_argument(FunctionEmitter& emitter, DType dtype, llvm::Value* value, unsigned text_space) {
  Builder& b = emitter.builder();
  llvm::Type* word = b.getInt64Ty();
  if (is_bool(dtype)) {
    llvm::Value* text =
        b.CreateSelect(value, text_address(emitter, "True", text_space), text_address(emitter, "False", text_space));
    return b.CreatePtrToInt(text, word);
  }
  if (is_int(dtype)) return b.CreateIntCast(value, word, is_signed_int(dtype));
  llvm::Value* wide = emit_convert(b, dtype, DType::f8, value);
  llvm::Value* nan = llvm::ConstantFP::getQNaN(b.getDoubleTy());
  return b.CreateBitCast(b.CreateSelect(b.CreateFCmpUNO(wide, wide), nan, wide), word);
}

const char* conversion(DType dtype) {
  if (is_bool(dtype)) return "%s";
  if (is_float(dtype)) return "%f";
  return is_signed_int(dtype) ? "%lld" : "%llu";
}

}  // namespace

PrintCall emit_print_call(FunctionEmitter& emitter, const Print& stmt, unsigned text_space) {
  PrintCall out;
  std::string format;
  for (const PrintPart& part : stmt.parts) {
    if (!part.value.valid()) {
      add_text(emitter.builder(), part.text, format, out.args);
      continue;
    }
    const DType dtype = emitter.program().exprs[part.value].type.dtype;
    format += conversion(dtype);
    out.args.push_back(emit_argument(emitter, dtype, emitter.value(part.value), text_space));
  }
  out.format = text_address(emitter, format + "\n", text_space);
  return out;
}

llvm::Value* emit_print_buffer(FunctionEmitter& emitter, const PrintCall& call) {
  Builder& b = emitter.builder();
  if (call.args.empty()) return llvm::ConstantPointerNull::get(b.getPtrTy());
  auto* type = llvm::ArrayType::get(b.getInt64Ty(), call.args.size());
  llvm::Value* buffer = emitter.entry_alloca(type, "print.args");
  for (size_t i = 0; i < call.args.size(); ++i) {
    b.CreateStore(call.args[i], b.CreateConstInBoundsGEP2_64(type, buffer, 0, i));
  }
  return buffer;
}

}  // namespace jitc::codegen
