#include "bench/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace jitc::bench {

/// The functions used, with the signatures of NVRTC's manual; a result of 0 is success.
struct Nvrtc::Api {
  using Program = void*;
  void* library = nullptr;
  int (*nvrtcVersion)(int* major, int* minor);
  int (*nvrtcCreateProgram)(Program*, const char* source, const char* name, int header_count,
                            const char* const* headers, const char* const* include_names);
  int (*nvrtcDestroyProgram)(Program*);
  int (*nvrtcCompileProgram)(Program, int option_count, const char* const* options);
  int (*nvrtcGetPTXSize)(Program, size_t*);
  int (*nvrtcGetPTX)(Program, char*);
  int (*nvrtcGetProgramLogSize)(Program, size_t*);
  int (*nvrtcGetProgramLog)(Program, char*);

  ~Api() { dlclose(library); }
};

namespace {

template <class F>
void bind(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw std::runtime_error(fmt::format("libnvrtc has no {}", name));
}

void* open_library() {
  for (const char* path :
       {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}) {
    if (void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

void require(int result, const char* what) {
  if (result != 0) throw std::runtime_error(fmt::format("{} failed with {}", what, result));
}

}  // namespace

Nvrtc::Nvrtc(std::unique_ptr<Api> api) : api_(std::move(api)) {}
Nvrtc::~Nvrtc() = default;

std::unique_ptr<Nvrtc> Nvrtc::find() {
  void* library = open_library();
  if (!library) return nullptr;
  auto api = std::make_unique<Api>();
  api->library = library;
  bind(library, "nvrtcVersion", api->nvrtcVersion);
  bind(library, "nvrtcCreateProgram", api->nvrtcCreateProgram);
  bind(library, "nvrtcDestroyProgram", api->nvrtcDestroyProgram);
  bind(library, "nvrtcCompileProgram", api->nvrtcCompileProgram);
  bind(library, "nvrtcGetPTXSize", api->nvrtcGetPTXSize);
  bind(library, "nvrtcGetPTX", api->nvrtcGetPTX);
  bind(library, "nvrtcGetProgramLogSize", api->nvrtcGetProgramLogSize);
  bind(library, "nvrtcGetProgramLog", api->nvrtcGetProgramLog);
  return std::unique_ptr<Nvrtc>(new Nvrtc(std::move(api)));
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  require(api_->nvrtcVersion(&major, &minor), "nvrtcVersion");
  return fmt::format("NVRTC {}.{}", major, minor);
}

std::string Nvrtc::compile(const std::string& source, const std::vector<const char*>& options) const {
  Api::Program program = nullptr;
  require(api_->nvrtcCreateProgram(&program, source.c_str(), "twin.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
  const int result = api_->nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  // The log where it failed, else the PTX; the sizes include the final NUL.
  auto size_of = result == 0 ? api_->nvrtcGetPTXSize : api_->nvrtcGetProgramLogSize;
  auto text_of = result == 0 ? api_->nvrtcGetPTX : api_->nvrtcGetProgramLog;
  size_t size_bytes = 0;
  require(size_of(program, &size_bytes), "nvrtcGet…Size");
  std::string text(size_bytes, '\0');
  require(text_of(program, text.data()), "nvrtcGet…");
  api_->nvrtcDestroyProgram(&program);
  if (result != 0) throw std::runtime_error(text);
  return text;
}

}  // namespace jitc::bench
