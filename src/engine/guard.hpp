// The border of the library: what leaves it is jitc::Error.
#pragma once

#include <new>
#include <string>

#include "jitc/error.hpp"
#include "src/base/check.hpp"
#include "src/codegen/codegen.hpp"

namespace jitc::engine {

/// Runs `body`; turns the compiler's own exceptions into jitc::Error. Our bugs are caught here and nowhere else.
template <class Body>
decltype(auto) guarded(const Body& body) {
  try {
    return body();
  } catch (const base::InternalError& error) {
    throw Error(ErrorCode::internal, std::string("this is a bug in jitc, not in your program: ") + error.what());
  } catch (const codegen::TargetError& error) {
    throw Error(ErrorCode::target, error.what());
  } catch (const codegen::MathLibraryError& error) {
    throw Error(ErrorCode::io, error.what());
  } catch (const std::bad_alloc&) { throw Error(ErrorCode::memory, "out of host memory"); }
}

}  // namespace jitc::engine
