#!/usr/bin/env bash
# Makes build/gpu-bundle.tar.xz: everything that scripts/gpu_run.sh needs on a machine with a GPU, which needs neither
# LLVM nor a matching C library for it.
#   scripts/gpu_bundle.sh; then, where the GPU is: tar xf gpu-bundle.tar.xz && gpu-bundle/run OUT-FOLDER
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages "${build_packages[@]}" "${test_packages[@]}" xz-utils
configure release -DJITC_BUILD_TESTS=ON -DJITC_BUILD_BENCH=ON
build release jitc run_cases run_calls

bundle=build/gpu-bundle
rm -rf "$bundle" "$bundle.tar.xz"
mkdir -p "$bundle"/{bin,lib,tests}

# Programs go with the libraries and the loader that they were linked with.
for program in bin/jitc tests/support/run_cases/run_cases tests/oracle/run_calls; do
  strip -o "$bundle/bin/$(basename "$program").bin" "build/release/$program"
  ldd "build/release/$program" | awk '/=> \//{print $3} /^\t\/lib/{print $1}' | xargs -I{} cp -Lu {} "$bundle/lib/"
  cat >"$bundle/bin/$(basename "$program")" <<'WRAPPER'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/../lib/ld-linux-x86-64.so.2" --library-path "$here/../lib" "$here/$(basename "$0").bin" "$@"
WRAPPER
  chmod +x "$bundle/bin/$(basename "$program")"
done

cp -r tests/cases tests/examples tests/oracle/array_calls.py tests/support/run_cases/numpy_oracle.py "$bundle/tests/"
cp -r dsl-examples "$bundle/"
cp scripts/gpu_run.sh "$bundle/run"
# One dictionary that spans all programs: they share most of LLVM.
tar -C build -cf - gpu-bundle | xz -T2 -6 --lzma2=dict=192MiB >"$bundle.tar.xz"
du -h "$bundle.tar.xz" >&2
