#!/usr/bin/env bash
# Real PTX without a GPU: compiles backend-ptx/corpus with NVRTC 12 and 13, nvcc 13, Triton and numba, and shows what becomes of it.
#
#   scripts/ptx-corpus.sh [MORE.ptx …]
#
# The table says of each file: whether it was read; whether `ptxas` reports the same registers, spills and shared memory for the
# printed text; how many kernels can be sliced and preempted; what both cost. Then every launch in backend-ptx/corpus/cases.py
# runs in the emulator, whole and in slices, and is compared with NumPy; and the equality runs go over the whole corpus.
#
# The tools are wheels of the package index; they are kept in the target folder. Nothing is installed. TILTC names a built tiltc.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(cd "$target" && pwd)
tools=$target/ptx-tools
out=$target/ptx-corpus
corpus=backend-ptx/corpus
mkdir -p "$tools" "$out"

fetch() { # NAME VERSION FOLDER
    [[ -e $tools/$3/.$1-$2 ]] && return
    python3 -m pip download --quiet --no-deps --dest "$tools/wheels" "$1==$2"
    mkdir -p "$tools/$3"
    python3 -m zipfile -e "$tools"/wheels/"${1//-/_}"-"$2"-*.whl "$tools/$3"
    touch "$tools/$3/.$1-$2"
}

fetch nvidia-cuda-nvrtc-cu12 12.9.86 cuda12
fetch nvidia-cuda-nvcc-cu12 12.9.86 cuda12
fetch nvidia-cuda-runtime-cu12 12.9.79 cuda12
fetch nvidia-cuda-cccl-cu12 12.9.27 cuda12
fetch nvidia-cuda-nvcc 13.5.37 cuda13
fetch nvidia-cuda-nvrtc 13.5.37 cuda13
fetch nvidia-nvvm 13.5.37 cuda13
fetch nvidia-cuda-runtime 13.5.37 cuda13
fetch nvidia-cuda-crt 13.5.37 cuda13
fetch triton 3.9.0 triton
fetch numba 0.62.1 numba
fetch llvmlite 0.45.1 numba
fetch numpy 2.3.5 numba
old=$tools/cuda12/nvidia new=$tools/cuda13/nvidia/cu13
chmod +x "$old/cuda_nvcc/bin/ptxas" "$new"/bin/* "$new"/nvvm/bin/* "$tools"/triton/triton/backends/nvidia/bin/*
ln -sf libcudart.so.12 "$old/cuda_runtime/lib/libcudart.so" # the name that numba looks for

echo "compiling the corpus"
rm -f "$out"/*.ptx
LD_LIBRARY_PATH=$old/cuda_nvrtc/lib python3 "$corpus/nvrtc.py" "$old/cuda_nvrtc/lib/libnvrtc.so.12" \
    "$old/cuda_runtime/include:$old/cuda_cccl/include:$old/cuda_nvcc/include" "$out" "$corpus"/*.cu
# the headers of CUB come with the older one only
newer=()
for source in "$corpus"/*.cu; do
    [[ $source == */cub.cu ]] || newer+=("$source")
done
LD_LIBRARY_PATH=$new/lib python3 "$corpus/nvrtc.py" "$new/lib/libnvrtc.so.13" \
    "$new/include:$new/include/cccl:$old/cuda_cccl/include" "$out" "${newer[@]}"
# nvcc itself, which has its own front end
for source in "${newer[@]}"; do
    options=$(sed -n 's/^\/\/ options: //p' "$source" | sed 's/--device-int128//') # which NVRTC has to be told
    for arch in $(sed -n 's/^\/\/ arch: //p' "$source"); do
        (( ${arch%%[a-z]*} >= 75 )) || continue
        # shellcheck disable=SC2086 # several options
        "$new/bin/nvcc" -ptx -w -std=c++17 "-arch=compute_$arch" $options -I "$old/cuda_cccl/include" \
            -o "$out/$(basename "$source" .cu)-sm_$arch-nvcc13.ptx" "$source"
    done
done
TRITON_CACHE_DIR=$tools/triton-cache TRITON_DEFAULT_FP_FUSION=1 PYTHONPATH=$tools/triton \
    python3 "$corpus/kernels_triton.py" "$out"
CUDA_HOME=$old/cuda_nvcc LD_LIBRARY_PATH=$old/cuda_nvcc/nvvm/lib64:$old/cuda_runtime/lib PYTHONPATH=$tools/numba \
    python3 -W ignore "$corpus/kernels_numba.py" "$out"

tiltc=${TILTC:-}
if [[ -z $tiltc ]]; then
    cargo build --quiet --release --locked -p tiltc
    tiltc=$target/release/tiltc
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
python3 "$corpus/table.py" "$tiltc" "$tools" "$scratch" "$out"/*.ptx backend-ptx/tests/data/*.ptx "$@" || failed=1
PYTHONPATH=$tools/numba python3 "$corpus/cases.py" "$tiltc" "$out" || failed=1
echo "in slices:"
PYTHONPATH=$tools/numba python3 "$corpus/cases.py" "$tiltc" "$out" --slices 2,1,2 --order random || failed=1
echo "under many orders of blocks, in slices of many sizes:"
TILT_PTX_CORPUS=$out cargo test --quiet --release --locked -p tilt-tests --test ptx -- --nocapture || failed=1
exit "$failed"
