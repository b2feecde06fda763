#include "bench/opencl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

namespace jitc::bench {
namespace {

// Numbers of the OpenCL 1.2 specification's cl.h.
constexpr uint64_t kDeviceTypeCpu = 1 << 1;
constexpr uint64_t kMemReadWrite = 1 << 0, kMemUseHostPtr = 1 << 3;
constexpr uint64_t kMapRead = 1 << 0;
constexpr uint32_t kPlatformVersion = 0x0901, kProgramBuildLog = 0x1183;

void require(int result, const char* what) {
  if (result != 0) throw std::runtime_error(fmt::format("{} failed with {}", what, result));
}

template <class F>
void bind(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw std::runtime_error(fmt::format("libOpenCL has no {}", name));
}

}  // namespace

/// The functions used; handles are opaque pointers, a result of 0 is success. Never unloaded: PoCL's threads may still
/// run.
struct OpenCl::Api {
  using Handle = void*;
  int (*clGetPlatformIDs)(uint32_t capacity, Handle* platforms, uint32_t* count);
  int (*clGetPlatformInfo)(Handle platform, uint32_t key, size_t capacity, void* value, size_t* size);
  int (*clGetDeviceIDs)(Handle platform, uint64_t type, uint32_t capacity, Handle* devices, uint32_t* count);
  Handle (*clCreateContext)(const intptr_t* properties, uint32_t count, const Handle* devices, void* notify, void* user,
                            int* result);
  Handle (*clCreateCommandQueue)(Handle context, Handle device, uint64_t properties, int* result);
  Handle (*clCreateBuffer)(Handle context, uint64_t flags, size_t size, void* host, int* result);
  Handle (*clCreateProgramWithSource)(Handle context, uint32_t count, const char** texts, const size_t* sizes,
                                      int* result);
  int (*clBuildProgram)(Handle program, uint32_t count, const Handle* devices, const char* options, void* notify,
                        void* user);
  int (*clGetProgramBuildInfo)(Handle program, Handle device, uint32_t key, size_t capacity, void* value, size_t* size);
  Handle (*clCreateKernel)(Handle program, const char* name, int* result);
  int (*clSetKernelArg)(Handle kernel, uint32_t index, size_t size, const void* value);
  int (*clEnqueueNDRangeKernel)(Handle queue, Handle kernel, uint32_t rank, const size_t* offset, const size_t* global,
                                const size_t* local, uint32_t event_count, const Handle* events, Handle* event);
  void* (*clEnqueueMapBuffer)(Handle queue, Handle buffer, uint32_t blocking, uint64_t flags, size_t offset,
                              size_t size, uint32_t event_count, const Handle* events, Handle* event, int* result);
  int (*clEnqueueUnmapMemObject)(Handle queue, Handle buffer, void* mapped, uint32_t event_count, const Handle* events,
                                 Handle* event);
  int (*clFinish)(Handle queue);
  int (*clReleaseMemObject)(Handle);
  int (*clReleaseKernel)(Handle);
  int (*clReleaseProgram)(Handle);
  int (*clReleaseCommandQueue)(Handle);
  int (*clReleaseContext)(Handle);

  explicit Api(void* library) {
#define JITC_BIND(name) bind(library, #name, name)
    JITC_BIND(clGetPlatformIDs);
    JITC_BIND(clGetPlatformInfo);
    JITC_BIND(clGetDeviceIDs);
    JITC_BIND(clCreateContext);
    JITC_BIND(clCreateCommandQueue);
    JITC_BIND(clCreateBuffer);
    JITC_BIND(clCreateProgramWithSource);
    JITC_BIND(clBuildProgram);
    JITC_BIND(clGetProgramBuildInfo);
    JITC_BIND(clCreateKernel);
    JITC_BIND(clSetKernelArg);
    JITC_BIND(clEnqueueNDRangeKernel);
    JITC_BIND(clEnqueueMapBuffer);
    JITC_BIND(clEnqueueUnmapMemObject);
    JITC_BIND(clFinish);
    JITC_BIND(clReleaseMemObject);
    JITC_BIND(clReleaseKernel);
    JITC_BIND(clReleaseProgram);
    JITC_BIND(clReleaseCommandQueue);
    JITC_BIND(clReleaseContext);
#undef JITC_BIND
  }
};

struct OpenCl::Session {
  Api api;
  std::string name;
  Api::Handle device = nullptr, context = nullptr, queue = nullptr;

  Session(Api functions, Api::Handle platform, Api::Handle cpu) : api(functions), device(cpu) {
    // "OpenCL 3.0 PoCL 3.1-debian  Linux, RelWithDebInfo, …"
    char version[256] = {};
    require(api.clGetPlatformInfo(platform, kPlatformVersion, sizeof version - 1, version, nullptr),
            "clGetPlatformInfo");
    const std::string text = version;
    const size_t begin = text.find("PoCL ");
    name = begin == std::string::npos ? text : text.substr(begin, text.find_first_of("-+ ", begin + 5) - begin);
    int result = 0;
    context = api.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    require(result, "clCreateContext");
    queue = api.clCreateCommandQueue(context, device, 0, &result);
    require(result, "clCreateCommandQueue");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    if (queue) api.clReleaseCommandQueue(queue);
    if (context) api.clReleaseContext(context);
  }

  std::string build_log(Api::Handle program) const {
    size_t size_bytes = 0;
    api.clGetProgramBuildInfo(program, device, kProgramBuildLog, 0, nullptr, &size_bytes);
    std::string log(size_bytes, '\0');
    api.clGetProgramBuildInfo(program, device, kProgramBuildLog, size_bytes, log.data(), nullptr);
    return log;
  }
};

struct OpenCl::Kernel::State {
  std::shared_ptr<const Session> session;
  Api::Handle program = nullptr, kernel = nullptr;
  std::vector<std::pair<Api::Handle, HostBuffer>> buffers;

  explicit State(std::shared_ptr<const Session> the_session) : session(std::move(the_session)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const auto& [buffer, host] : buffers) session->api.clReleaseMemObject(buffer);
    if (kernel) session->api.clReleaseKernel(kernel);
    if (program) session->api.clReleaseProgram(program);
  }

  void set(uint32_t index, const HostBuffer& host) {
    int result = 0;
    const Api::Handle buffer = session->api.clCreateBuffer(session->context, kMemReadWrite | kMemUseHostPtr,
                                                           host.size_bytes, host.data, &result);
    require(result, "clCreateBuffer");
    buffers.emplace_back(buffer, host);
    require(session->api.clSetKernelArg(kernel, index, sizeof buffer, &buffer), "clSetKernelArg");
  }
  void set(uint32_t index, int value) {
    require(session->api.clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
  }

  /// Mapping a buffer is what promises that its host memory is up to date.
  void map_all() const {
    for (const auto& [buffer, host] : buffers) {
      int result = 0;
      void* mapped = session->api.clEnqueueMapBuffer(session->queue, buffer, 1, kMapRead, 0, host.size_bytes, 0,
                                                     nullptr, nullptr, &result);
      require(result, "clEnqueueMapBuffer");
      require(session->api.clEnqueueUnmapMemObject(session->queue, buffer, mapped, 0, nullptr, nullptr),
              "clEnqueueUnmapMemObject");
    }
    require(session->api.clFinish(session->queue), "clFinish");
  }
};

OpenCl::Kernel::Kernel(std::unique_ptr<State> state) : state_(std::move(state)) {}
OpenCl::Kernel::Kernel(Kernel&&) noexcept = default;
OpenCl::Kernel::~Kernel() = default;

void OpenCl::Kernel::launch(const std::array<size_t, 3>& global, const std::array<size_t, 3>& local) const {
  const Session& session = *state_->session;
  require(session.api.clEnqueueNDRangeKernel(session.queue, state_->kernel, 3, nullptr, global.data(), local.data(), 0,
                                             nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  state_->map_all();
}

OpenCl::OpenCl(std::shared_ptr<const Session> session) : session_(std::move(session)) {}
OpenCl::~OpenCl() = default;

std::unique_ptr<OpenCl> OpenCl::find() {
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  const Api api(library);
  std::array<Api::Handle, 16> platforms{};
  uint32_t count = 0;
  if (api.clGetPlatformIDs(platforms.size(), platforms.data(), &count) != 0) return nullptr;
  for (uint32_t i = 0; i < count && i < platforms.size(); ++i) {
    Api::Handle device = nullptr;
    if (api.clGetDeviceIDs(platforms[i], kDeviceTypeCpu, 1, &device, nullptr) != 0) continue;
    return std::unique_ptr<OpenCl>(new OpenCl(std::make_shared<const Session>(api, platforms[i], device)));
  }
  return nullptr;
}

const std::string& OpenCl::name() const { return session_->name; }

OpenCl::Kernel OpenCl::kernel(const std::string& source, const std::string& kernel_name,
                              const std::vector<KernelArgument>& arguments) const {
  const Session& session = *session_;
  auto state = std::make_unique<Kernel::State>(session_);
  const char* text = source.c_str();
  int result = 0;
  state->program = session.api.clCreateProgramWithSource(session.context, 1, &text, nullptr, &result);
  require(result, "clCreateProgramWithSource");
  if (session.api.clBuildProgram(state->program, 1, &session.device, "", nullptr, nullptr) != 0)
    throw std::runtime_error(session.build_log(state->program));
  state->kernel = session.api.clCreateKernel(state->program, kernel_name.c_str(), &result);
  require(result, "clCreateKernel");
  uint32_t index = 0;
  for (const KernelArgument& argument : arguments) {
    std::visit([&](const auto& value) { state->set(index, value); }, argument);
    ++index;
  }
  return Kernel(std::move(state));
}

}  // namespace jitc::bench
