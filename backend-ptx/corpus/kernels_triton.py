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


@triton.jit
def axpy(x, y, a, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, a * tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n).to(tl.float32)
    tl.store(out + at, (0.5 * v * (1 + tl.erf(v * 0.70710678))), mask=at < n)


@triton.jit
def layer_norm(x, w, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=0.0)
    mean = tl.sum(v, axis=0) / n
    d = tl.where(at < n, v - mean, 0.0)
    scale = tl.rsqrt(tl.sum(d * d, axis=0) / n + 1e-5)
    tl.store(out + row * n + at, d * scale * tl.load(w + at, mask=at < n), mask=at < n)


@triton.jit
def row_sum(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + at, mask=at < n, other=0.0)
    tl.store(out + row, tl.sum(acc, axis=0))


@triton.jit
def row_argmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    tl.store(out + row, tl.argmax(tl.load(x + row * n + at, mask=at < n, other=-float("inf")), axis=0))


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=inside)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(v), mask=tl.trans(inside))


@triton.jit
def prefix(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), 0))


@triton.jit
def swaps(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_max(out + at % 8, tl.load(x + at, mask=at < n, other=0), mask=at < n)


@triton.jit
def attention(q, k, v, out, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    mine = tl.load(q + rows[:, None] * D + d[None, :])
    most = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, n, BN):
        at = start + tl.arange(0, BN)
        keys = tl.load(k + at[None, :] * D + d[:, None])
        s = tl.dot(mine, keys) * 0.125
        top = tl.maximum(most, tl.max(s, 1))
        e = tl.exp(s - top[:, None])
        shrink = tl.exp(most - top)
        total = total * shrink + tl.sum(e, 1)
        acc = acc * shrink[:, None] + tl.dot(e.to(tl.float16), tl.load(v + at[:, None] * D + d[None, :]))
        most = top
    tl.store(out + rows[:, None] * D + d[None, :], acc / total[:, None])


SMALL = {"BM": 32, "BN": 32, "BK": 32}
BIG = {"BM": 128, "BN": 128, "BK": 64}
KERNELS = [
    (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 1024}),
    (softmax, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 2048}),
    (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, BIG),
    (histogram, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 512}),
    (sort, {"x": "*i32", "out": "*i32"}, {"BLOCK": 256}),
    (axpy, {"x": "*fp32", "y": "*fp32", "a": "fp32", "n": "i32"}, {"BLOCK": 256}),
    (gelu, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}),
    (layer_norm, {"x": "*fp32", "w": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 128}),
    (row_sum, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 128}),
    (row_argmax, {"x": "*fp32", "out": "*i32", "n": "i32"}, {"BLOCK": 128}),
    (transpose, {"x": "*fp32", "out": "*fp32", "rows": "i32", "columns": "i32"}, {"BLOCK": 32}),
    (prefix, {"x": "*i32", "out": "*i32"}, {"BLOCK": 256}),
    (swaps, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 128}),
    (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "n": "i32"}, {"BM": 32, "BN": 32, "D": 64}),
]
# the same functions for other types and sizes: they have names of their own
VARIANTS = [
    ("add_i32", add, {"x": "*i32", "y": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 256}),
    ("add_fp16", add, {"x": "*fp16", "y": "*fp16", "out": "*fp16", "n": "i32"}, {"BLOCK": 256}),
    ("add_i64", add, {"x": "*i64", "y": "*i64", "out": "*i64", "n": "i32"}, {"BLOCK": 128}),
    ("softmax_small", softmax, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 128}),
    ("matmul_small", matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, SMALL),
    ("gelu_fp16", gelu, {"x": "*fp16", "out": "*fp16", "n": "i32"}, {"BLOCK": 256}),
]


def main():
    out = pathlib.Path(sys.argv[1])
    for name, kernel, signature, constants in [(one[0].fn.__name__, *one) for one in KERNELS] + VARIANTS:
        types = signature | {name: "constexpr" for name in constants}
        for arch in (80, 90, 100):
            source = ASTSource(fn=kernel, signature=types, constexprs=constants)
            compiled = triton.compile(source, target=GPUTarget("cuda", arch, 32))
            (out / f"triton-{name}-sm_{arch}.ptx").write_text(compiled.asm["ptx"])


main()
