// Calls of whatever returns arrays.
#include "runtime/common/error.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

CallReport call(const Function& handle, const std::vector<Argument>& given, const CallOptions& options,
                const LaunchEvents* events) {
  return guarded([&] {
    const FunctionState& function = Access::state(handle);
    if (function.is_array_function()) return call_array_function(function, given, options, events);
    if (function.is_gufunc()) return call_gufunc(function, given, options, events);
    if (function.is_reduction()) {
      runtime::fail(ErrorCode::argument, "'{}' is a reduction: give its array to reduce(), which returns the result",
                    function.group->name);
    }
    if (!function.is_ufunc()) {
      runtime::fail(ErrorCode::argument,
                    "'{}' is a kernel and returns nothing: run it with launch({{.grid = …, .block = …}}, …)",
                    function.group->name);
    }
    return call_ufunc(function, given, options, events);
  });
}

}  // namespace jitc::engine
