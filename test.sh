#!/usr/bin/env bash
# Builds everything and runs every test; arguments go to ctest, for example:
#   ./test.sh                     all tests
#   ./test.sh -R unit             those whose name holds "unit"
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

install_packages "${build_packages[@]}" "${test_packages[@]}"
/usr/bin/python3 -c 'import numpy' || die "the tests need NumPy for /usr/bin/python3 (Debian: python3-numpy)"
configure release -DJITC_BUILD_TESTS=ON -DJITC_BUILD_BENCH=ON
build release
exec ctest --test-dir build/release --output-on-failure --parallel "$(nproc)" "$@"
