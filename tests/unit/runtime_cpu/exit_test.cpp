// The end of the process, in processes of their own.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/scenarios.hpp"

namespace {

/// Of exit_program.cpp.
int run(const std::string& scenario) { return jitc::tests::exit_status(JITC_TEST_EXIT_PROGRAM, scenario); }

}  // namespace

TEST_CASE("static streams, arrays, events and kernels go in any order at the end of the process") {
  CHECK(run("idle") == 0);
}

TEST_CASE("the end of the process finishes what runs and drops what waits") { CHECK(run("busy") == 0); }

TEST_CASE("another thread may end the process while one waits for a stream") { CHECK(run("exit_elsewhere") == 0); }

TEST_CASE("a function that a stream calls may end the process") {
  CHECK(run("exit_in_callback") == 0);
  CHECK(run("default_work_at_exit") == 0);
}

TEST_CASE("the destructor of a static object may use the device") { CHECK(run("work_in_a_destructor") == 0); }

TEST_CASE("a thread's own stream may be used by destructors that come after it") {
  CHECK(run("own_queue_in_a_static_destructor") == 0);
  CHECK(run("own_queue_in_a_thread_local_destructor") == 0);
}

TEST_CASE("the process may end while other threads work with the device") {
  for (int i = 0; i < 10; ++i) CHECK(run("threads_at_work") == 0);
}
