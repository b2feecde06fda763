// The end of the process, in processes of their own.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/scenarios.hpp"

namespace {

/// Of exit_program.cpp.
int run(const std::string& scenario) { return jitc::tests::exit_status(JITC_TEST_EXIT_PROGRAM, scenario); }

}  // namespace

TEST_CASE("static CUDA streams, arrays, events and kernels go at the end of the process") {
  CHECK(run("static_handles") == 0);
}

TEST_CASE("also with work in flight") { CHECK(run("work_in_flight") == 0); }

TEST_CASE("also when the driver has gone before them") { CHECK(run("driver_gone") == 0); }

TEST_CASE("also when a kernel has broken the context") { CHECK(run("broken_context") == 0); }

TEST_CASE("another thread may end the process while one launches kernels") { CHECK(run("exit_elsewhere") == 0); }

TEST_CASE("the process may end while other threads use the GPU") {
  for (int i = 0; i < 5; ++i) CHECK(run("threads_at_work") == 0);
}

TEST_CASE("the destructor of a static object may use the GPU") { CHECK(run("work_in_a_destructor") == 0); }
