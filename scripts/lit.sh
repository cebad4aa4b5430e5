#!/usr/bin/env bash
# Runs the tests by stage in tests/lit:  scripts/lit.sh [FILE or option of lit …]
#
# TILTC names the tiltc to test; without it, it is built.
set -euo pipefail

here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-target}
if [[ -z ${TILTC:-} ]]; then
    cargo build --quiet -p tiltc
    TILTC=$target/debug/tiltc
fi
llvm=${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}
for lit in "$llvm/bin/lit" "$llvm/bin/llvm-lit"; do
    [[ ! -e $lit ]] || break
done
[[ -e $lit ]] || { echo "no lit in $llvm/bin: make setup" >&2; exit 1; }

TILTC=$(realpath "$TILTC")
TILT_LIT_OUTPUT=$(realpath -m "$target/lit")
export TILTC TILT_LIT_OUTPUT TILT_LLVM_TOOLS=$llvm/bin PYTHONDONTWRITEBYTECODE=1

arguments=()
for argument in "$@"; do
    [[ ! -e $here/$argument ]] || argument=$here/$argument
    arguments+=("$argument")
done
[[ " ${arguments[*]} " == *tests/lit* ]] || arguments+=(tests/lit)
exec "$lit" -v -j "${TILT_LIT_JOBS:-2}" "${arguments[@]}"
