// The C++ block of docs/cache.md.
#include <iostream>
#include <jitc/jitc.hpp>

constexpr const char* kText = R"dsl(
@vectorize("f4(f4)")
def half(x):
    return x / f4(2)
)dsl";

int main() {
  jitc::CacheOptions options;  // what the environment says
  options.folder = "";         // nothing on disk
  jitc::set_cache(options);
  std::cout << jitc::cache_statistics().compiled << " kernels compiled\n";
  for (int i = 0; i < 3; ++i) jitc::compile(kText)["half"].ptx("sm_80");
  return jitc::cache_statistics().compiled == 1 ? 0 : 1;
}
