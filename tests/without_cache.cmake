# Read by ctest before it runs anything: tests are of the compiler of today, and leave nothing in the user's caches. Tests of
# the cache name folders of their own.
set(ENV{JITC_CACHE} off)
