"""Compiles Triton kernels to PTX with no GPU: kernels_triton.py OUT"""

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * K + (k + rk)[None, :])
        y = tl.load(b + (k + rk)[:, None] * N + rn[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(out + (v & 255), 1, mask=at < n)
    tl.store(out + 256 + tl.program_id(0), tl.sum(tl.cumsum(v, 0), 0))


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


BIG = {"BM": 128, "BN": 128, "BK": 64}
KERNELS = [
    (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 1024}),
    (softmax, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 2048}),
    (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, BIG),
    (histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 512}),
    (sort, {"x": "*i32", "out": "*i32"}, {"BLOCK": 256}),
]


def main():
    out = pathlib.Path(sys.argv[1])
    for kernel, signature, constants in KERNELS:
        types = signature | {name: "constexpr" for name in constants}
        for arch in (80, 90, 100):
            source = ASTSource(fn=kernel, signature=types, constexprs=constants)
            compiled = triton.compile(source, target=GPUTarget("cuda", arch, 32))
            (out / f"triton-{kernel.fn.__name__}-sm_{arch}.ptx").write_text(compiled.asm["ptx"])


main()
