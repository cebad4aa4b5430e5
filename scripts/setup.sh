#!/usr/bin/env bash
# Installs what the build and the tests need and is not there yet: LLVM and MLIR 22, a C++ compiler, Python with NumPy.
#
#   scripts/setup.sh            install what is missing (Debian or Ubuntu; root only if something is missing)
#   scripts/setup.sh --check    only say what is missing
#
# Everything is looked for where the build will look for it, not asked of the package manager: an LLVM built by hand, named by
# LLVM_SYS_221_PREFIX, MLIR_SYS_220_PREFIX and TABLEGEN_220_PREFIX, is as good. When nothing is missing this takes a fraction
# of a second.
set -euo pipefail

readonly RUST=1.95 # rust-version in Cargo.toml
readonly LLVM=${MLIR_SYS_220_PREFIX:-${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}}
readonly SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

missing=() # packages, by their Debian names

# want PACKAGE COMMAND…: PACKAGE is missing if COMMAND fails.
want() {
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || [[ ${missing[*]: -1} == "$package" ]] || missing+=("$package")
}

# in_llvm FILE…: each is in the LLVM installation.
in_llvm() {
    local file
    for file in "$@"; do
        [[ -e $LLVM/$file ]] || return 1
    done
}

# one_of FILE…: at least one exists.
one_of() {
    local file
    for file in "$@"; do
        [[ -e $file ]] && return 0
    done
    return 1
}

llvm_is_22() { [[ $("$LLVM/bin/llvm-config" --version) == 22.* ]]; }
links() { echo 'int main(void) { return 0; }' | cc -x c - "-l$1" -o /dev/null; }

find_missing() {
    missing=()
    want gcc command -v cc
    want g++ command -v c++
    want libc6-dev one_of /usr/include/stdio.h /usr/include/*/stdio.h
    want make command -v make
    want git command -v git # the tests ask it for the tracked files
    want llvm-22-dev llvm_is_22
    want llvm-22-tools in_llvm bin/FileCheck bin/not bin/split-file
    want llvm-22-tools one_of "$LLVM/bin/lit" "$LLVM/bin/llvm-lit"
    want libmlir-22-dev in_llvm lib/libMLIR.so include/mlir-c/IR.h
    want libpolly-22-dev in_llvm lib/libPolly.a
    want libclang1-22 one_of "$LLVM"/lib/libclang.so* "$LLVM"/lib/libclang-22.so*
    want libclang-common-22-dev in_llvm lib/clang/22/include/stddef.h
    want libzstd-dev links zstd
    want zlib1g-dev links z
    want python3-numpy "$SCRIPTS/python.sh"
}

# What to do by hand, where this script cannot help.
by_hand() {
    cat >&2 <<END
setup: missing: ${missing[*]}
setup: $1

  Install (names as in Debian; any later 22.x will do):
    llvm-22-dev llvm-22-tools libmlir-22-dev libpolly-22-dev libclang1-22 libclang-common-22-dev   version 22.1
    libzstd-dev zlib1g-dev gcc g++ make git python3-numpy                                          any version

  Debian 12 has LLVM 22 among its security updates; for other releases of Debian and Ubuntu see apt.llvm.org.
  If LLVM and MLIR 22 are somewhere else than $LLVM, say where, for this script and for cargo:
    export LLVM_SYS_221_PREFIX=DIR MLIR_SYS_220_PREFIX=DIR TABLEGEN_220_PREFIX=DIR
  DIR/bin has llvm-config, FileCheck, not, split-file and lit (or llvm-lit); DIR/lib has libLLVM, libMLIR and either libMLIR-C or libMLIRCAPI*.a.
END
    exit 1
}

install_missing() {
    [[ $LLVM == /usr/lib/llvm-22 || "${missing[*]}" != *-22* ]] || by_hand "$LLVM is not a whole LLVM and MLIR 22"
    command -v apt-get >/dev/null || by_hand "this system has no apt-get"
    local root=()
    if [[ $(id -u) != 0 ]]; then
        command -v sudo >/dev/null || by_hand "not root, and there is no sudo; as root: apt-get install ${missing[*]}"
        root=(sudo)
    fi
    echo "setup: installing ${missing[*]}" >&2
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
    "${apt[@]}" update >&2 || echo "setup: apt-get update failed; trying with the old lists" >&2
    local package
    for package in "${missing[@]}"; do
        [[ -n $(apt-cache madison "$package" 2>/dev/null) ]] || by_hand "no package $package in the sources of apt"
    done
    "${apt[@]}" install --no-install-recommends "${missing[@]}" >&2 || by_hand "apt-get install failed"
    find_missing
    ((${#missing[@]} == 0)) || by_hand "installed, and still not found where the build looks ($LLVM)"
}

# Rust comes from rustup, which belongs to the user and not to the system: said, not done.
check_rust() {
    local version
    version=$(cargo --version 2>/dev/null | cut -d' ' -f2) || true
    if [[ -z $version ]]; then
        echo "setup: there is no cargo. Install Rust $RUST or later with rustup (https://rustup.rs), then open a new shell." >&2
        exit 1
    fi
    if [[ $(printf '%s\n' "$RUST" "$version" | sort -V | head -n1) != "$RUST" ]]; then
        echo "setup: cargo is $version; Rust $RUST or later is needed: rustup update stable" >&2
        exit 1
    fi
}

find_missing
if ((${#missing[@]})); then
    [[ ${1:-} != --check ]] || by_hand "nothing was installed (--check)"
    install_missing
fi
check_rust
