# The few commands a newcomer needs. `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo test bench fmt clean

# An LLVM that lies elsewhere (see scripts/setup.sh) is also where the linker and the loader must look.
LLVM := $(or $(MLIR_SYS_220_PREFIX),$(LLVM_SYS_221_PREFIX),/usr/lib/llvm-22)
ifneq ($(LLVM),/usr/lib/llvm-22)
export LLVM_SYS_221_PREFIX ?= $(LLVM)
export MLIR_SYS_220_PREFIX ?= $(LLVM)
export TABLEGEN_220_PREFIX ?= $(LLVM)
export RUSTFLAGS ?= -Clink-arg=-Wl,-rpath,$(LLVM)/lib
endif

step := scripts/step.sh
target := $(or $(CARGO_TARGET_DIR),target)

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what the build needs (LLVM and MLIR 22, NumPy); nothing to do when it is there
	@scripts/setup.sh

demo: setup ## compile a query to machine code and run it on real data
	@scripts/demo.sh

test: setup ## everything that must hold: formatting, lints, documentation, all tests
	@$(step) "formatting" cargo fmt --all --check
	@$(step) "lints" cargo clippy --workspace --all-targets --locked -- -D warnings
	@RUSTDOCFLAGS="-D warnings" $(step) "documentation" cargo doc --workspace --no-deps --lib --bins --examples --locked
	@$(step) "build" cargo build --workspace --bins --tests --examples --locked
	@TILTC="$(target)/debug/tiltc" $(step) "tests" cargo test --workspace --locked --no-fail-fast

bench: setup ## the applications beside hand-written loops
	@cargo bench -p tilt-bench --locked

fmt: ## format all code
	@cargo fmt --all

clean: ## remove everything that was built
	@cargo clean
