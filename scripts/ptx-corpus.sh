#!/usr/bin/env bash
# Real PTX without a GPU: compiles backend-ptx/corpus with NVRTC (and, with --triton, with Triton), then reads and prints every
# file and lets ptxas compile the original and the printed text. The table says what was read and whether ptxas reports
# the same registers, spills, stack, shared memory and barriers for both.
#
#   scripts/ptx-corpus.sh [--triton] [MORE.ptx …]
#
# The tools are wheels of the package index; they are kept in the target folder. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
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
cuda=$tools/cuda12/nvidia
old=$cuda/cuda_nvcc/bin/ptxas new=$tools/cuda13/nvidia/cu13/bin/ptxas
chmod +x "$old" "$new"

rm -f "$out"/*.ptx
LD_LIBRARY_PATH=$cuda/cuda_nvrtc/lib python3 "$corpus/nvrtc.py" "$cuda/cuda_nvrtc/lib/libnvrtc.so.12" \
    "$cuda/cuda_runtime/include:$cuda/cuda_cccl/include:$cuda/cuda_nvcc/include" "$out" "$corpus"/*.cu
if [[ ${1:-} == --triton ]]; then
    shift
    fetch triton 3.9.0 triton
    chmod +x "$tools"/triton/triton/backends/nvidia/bin/*
    TRITON_CACHE_DIR=$tools/triton-cache TRITON_DEFAULT_FP_FUSION=1 PYTHONPATH=$tools/triton \
        python3 "$corpus/kernels_triton.py" "$out"
fi

cargo build --quiet --release --locked -p tilt-backend-ptx --example reprint
reprint=$target/release/examples/reprint
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What ptxas reports, without the time it took.
figures() { # PTXAS ARCH TEXT
    "$1" -v -c -arch "$2" "$3" -o "$scratch/cubin" 2>&1 | grep -v 'Compile time'
}

files=0 read=0 taken=0 same=0
printf '%-36s %8s %10s  %s\n' file kernels parsed 'after printing, ptxas reports'
for file in "$out"/*.ptx backend-ptx/tests/data/*.ptx "$@"; do
    files=$((files + 1))
    tr -d '\000' <"$file" >"$scratch/original.ptx"
    kernels=$(grep -cE '^[^/]*\.entry' "$scratch/original.ptx" || true)
    arch=$(grep -oE -m1 '^[[:space:]]*\.target[[:space:]]+sm_[0-9]+[a-z]?' "$file" -a | grep -oE 'sm_.*')
    ptxas=$old
    grep -qaE '^\.version[[:space:]]+(9|[1-9][0-9])\.' "$file" && ptxas=$new
    [[ ${arch//[!0-9]/} -lt 50 ]] && arch=sm_70
    parsed=no verdict=-
    if "$reprint" "$file" "$scratch/printed.ptx" && "$reprint" --check "$file"; then
        read=$((read + 1)) parsed=yes
        if before=$(figures "$ptxas" "$arch" "$scratch/original.ptx"); then
            taken=$((taken + 1)) verdict=DIFFERENT
            after=$(figures "$ptxas" "$arch" "$scratch/printed.ptx") && [[ $before == "$after" ]] &&
                same=$((same + 1)) verdict='the same'
        else
            verdict='(refuses the original)'
        fi
    fi
    printf '%-36s %8s %10s  %s\n' "$(basename "$file")" "$kernels" "$parsed" "$verdict"
done
echo "$files files: $read parsed; ptxas took $taken, and reports the same for $same of them after printing"
[[ $read == "$files" && $same == "$taken" ]]
