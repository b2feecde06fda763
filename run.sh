#!/usr/bin/env bash
# Builds jitc and runs it. Without arguments: the pairwise distances of Fisher's iris measurements.
#   ./run.sh                      the demonstration
#   ./run.sh ARGUMENTS…           the built `jitc` with these arguments; paths are relative to where you are
here=$PWD
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

install_packages "${build_packages[@]}"
[[ -f build/release/build.ninja ]] || configure release -DJITC_BUILD_TESTS=OFF
build release jitc
jitc=$PWD/build/release/bin/jitc

if (($# > 0)); then
  cd "$here"
  exec "$jitc" "$@"
fi

command=(run dsl-examples/pairwise.dsl pairwise --arg X=dsl-examples/data/iris.npy --arg 'D=empty:f8[150,150]'
         --print D --time)
echo "Pairwise distances of Fisher's 150 iris flowers, four measurements each:"
echo "  jitc ${command[*]}"
echo
exec "$jitc" "${command[@]}"
