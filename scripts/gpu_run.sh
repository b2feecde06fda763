#!/usr/bin/env bash
# On a machine with a GPU, from an unpacked bundle of scripts/gpu_bundle.sh: runs the cases and the examples on cuda:0,
# then compute-sanitizer where it is installed, and leaves logs and a summary.
#   gpu-bundle/run OUT-FOLDER [DEVICE]
set -uo pipefail
bundle=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
out=$(mkdir -p "${1:?where to leave the logs}" && readlink -f "$1")
device=${2:-cuda:0}
cd "$bundle"
failed=0

# step NAME COMMAND…: its output goes to OUT/NAME.log, its end to the summary.
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$out/$name.log" 2>&1; then result=passed; else result="FAILED ($?)" failed=1; fi
  printf '%-28s %-12s %4d s  %s\n' "$name" "$result" $((SECONDS - start)) "$(tail -n 1 "$out/$name.log" | cut -c1-80)" |
    tee -a "$out/summary.txt"
}

example() { (cd dsl-examples && JITC_EXAMPLE_DEVICE=$device python3 -B ../tests/examples/run_example.py ../bin/jitc "$1"); }
sanitize() {
  (cd dsl-examples && compute-sanitizer --tool "$1" --error-exitcode 9 --target-processes all ../bin/jitc run tiled_matmul.dsl matmul_f4 \
    --device "$device" --arg A=random:f4[64,64] --arg B=random:f4[64,64] --arg C=zeros:f4[64,64] --grid 4,4 --block 16,16)
}

: >"$out/summary.txt"
step doctor bin/jitc doctor
for area in tests/cases/*/; do
  step "cases.$(basename "$area")" env JITC_TEST_DEVICE="$device" JITC_TEST_ORACLE="$bundle/tests/numpy_oracle.py" \
    JITC_TEST_PYTHON="$(command -v python3)" bin/run_cases "$area"
done
step array_calls python3 -B tests/array_calls.py bin/run_calls --device "$device" --count 600
for file in dsl-examples/*.dsl; do
  step "examples.$(basename "$file" .dsl)" example "$(basename "$file")"
done
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck synccheck initcheck; do step "sanitizer.$tool" sanitize "$tool"; done
fi
exit "$failed"
