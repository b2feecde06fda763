#!/bin/sh
# Writes the PTX of the CUDA twins of bench/kernels and of constructs.cu into a folder: compile.sh FOLDER
set -e
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
for kernel in axpy batched_matmul fused histogram pairwise softmax tiled_matmul; do
  "$nvcc" -ptx -arch=compute_80 -fmad=false -DIndex=int "$here/../../../bench/kernels/$kernel.cu" -o "$1/$kernel.ptx"
done
"$nvcc" -ptx -arch=compute_80 "$here/constructs.cu" -o "$1/constructs.ptx"
"$nvcc" -ptx -arch=compute_80 -G "$here/constructs.cu" -o "$1/constructs_debug.ptx"
# The folders of sources are left out.
sed -i -e "s|\"[^\"]*/\([^/\"]*\)\"|\"\1\"|" "$1"/*.ptx
