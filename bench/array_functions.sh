#!/bin/sh
# All that is measured of array functions, into docs/benchmarks. Best on a machine that does nothing else.
#
#   bench/array_functions.sh [PYTHON [BUILD]]
#
# PYTHON has numpy, numexpr and numba; BUILD is a release build with JITC_BUILD_BENCH. Run in the repository's root.
set -eu
python=${1:-python3}
build=${2:-build/release}
results=docs/benchmarks
cmake --build "$build" --target bench_array_functions bench_sass
"$python" -B bench/array_function_peers.py "$build/bench/array_functions" 1 $results/array_functions_1_thread.json
"$python" -B bench/array_function_peers.py "$build/bench/array_functions" 2 $results/array_functions_2_threads.json
"$build/bench/sass" $results/sass.json
