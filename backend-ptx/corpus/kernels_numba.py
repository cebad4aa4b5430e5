"""Compiles numba kernels to PTX with no GPU: kernels_numba.py OUT

The mangled names of kernels become those of their functions. An array of one axis is seven parameters: two pointers of the
owner, the number of items, the size of one, the address, the length and the stride.
"""

import math
import pathlib
import re
import sys

import numba
from numba import cuda, float32, float64, int32, int64, uint8


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]


def strided(x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = x[i] * x[i]


def block_sum(x, out):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = 32
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


def total(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, 0, x[i])


def bins(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, x[i], 1)


def most(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(out, 0, x[i])


def sines(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = math.sin(x[i]) + math.sqrt(abs(x[i])) + math.exp(-x[i])


def early(x, y):
    i = cuda.grid(1)
    if i >= x.size:
        return
    y[i] = x[i] + 1


def locals_(x, y):
    tile = cuda.local.array(8, int32)
    i = cuda.grid(1)
    for k in range(8):
        tile[k] = x[(i + k) % x.size]
    y[i] = tile[i % 8]


def ticket(count, out):
    i = cuda.atomic.add(count, 0, 1)
    if i < out.size:
        out[i] = i


def matmul(a, b, c):
    x, y = cuda.grid(2)
    if x < c.shape[0] and y < c.shape[1]:
        s = float32(0)
        for k in range(a.shape[1]):
            s += a[x, k] * b[k, y]
        c[x, y] = s


F, D, I, L, B = float32[:], float64[:], int32[:], int64[:], uint8[:]
KERNELS = [
    (saxpy, (float32, F, F)), (strided, (D, D)), (block_sum, (F, F)), (total, (I, I)), (bins, (B, I)), (most, (L, L)),
    (sines, (F, F)), (early, (I, I)), (locals_, (I, I)),
    (ticket, (I, I)), (matmul, (float32[:, :], float32[:, :], float32[:, :])),
]


def main():
    out = pathlib.Path(sys.argv[1])
    for arch in ((7, 0), (9, 0)):
        for function, types in KERNELS:
            text, _ = cuda.compile_ptx(function, numba.types.Tuple(types).types, cc=arch)
            mangled = re.search(r"\.entry\s+(\w+)", text).group(1)
            text = text.replace(mangled, function.__name__)
            (out / f"numba-{function.__name__}-sm_{arch[0]}{arch[1]}.ptx").write_text(text)


main()
