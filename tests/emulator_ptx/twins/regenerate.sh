#!/bin/sh
# Compiles the twins anew and runs their test on what comes out: regenerate.sh TEST. Ends with 77 where there is no nvcc.
set -e
if ! command -v nvcc > /dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  echo "skipped: no nvcc"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
"$(dirname "$0")/compile.sh" "$folder"
JITC_TWINS=$folder "$1"
