"""What kernels of the corpus compute, in NumPy.

A case is a launch of a kernel — grid, block, arguments — and a function that gives the expected arrays. Arguments are written as
`tiltc ptx run` takes them: `random:f32:256:-1:1`, `zero:i32:8`, `iota:u8:16x16`, or a number.

    cases.py --json            the launches, for the equality runs: one JSON object a line
    cases.py TILTC FOLDER      runs every case on every file of the corpus that has its kernel, and compares
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

try:
    import numpy as np
except ModuleNotFoundError:  # the launches do not need it
    np = None

CASES = []
NAMES = {"i": "int", "u": "uint", "f": "float", "b": "uint"}


class Case:
    def __init__(self, source, kernel, grid, block, args, expected=None, rtol=0.0, atol=0.0, shared=0):
        self.source, self.kernel, self.args, self.expected = source, kernel, [str(arg) for arg in args], expected
        self.grid, self.block = [list(extent) + [1] * (3 - len(extent)) for extent in (grid, block)]
        self.rtol, self.atol, self.shared = rtol, atol, shared
        CASES.append(self)

    def launch(self):
        keys = ("source", "kernel", "grid", "block", "args", "shared")
        return {key: getattr(self, key) for key in keys}


def dtype(element):
    return np.dtype(f"{NAMES[element[0]]}{element[1:]}") if element != "bf16" else np.dtype("uint16")


def make(text, random):
    """The array or number that an argument stands for."""
    fill, *words = text.split(":")
    if fill not in ("zero", "iota", "random"):
        return float(text) if any(c in text for c in ".en") else int(text)
    element, shape = dtype(words[0]), [int(length) for length in words[1].split("x")]
    if fill == "zero":
        return np.zeros(shape, element)
    if fill == "iota":
        return np.arange(np.prod(shape)).reshape(shape).astype(element)
    low, high = (float(word) for word in words[2:]) if len(words) == 4 else (0, 1 if element.kind == "f" else 256)
    if element.kind == "f":
        return (low + (high - low) * random.random(shape)).astype(element)
    return random.integers(int(low), int(high), shape, dtype=np.int64).astype(element)


def blocks(n, block):
    return ((n + block - 1) // block,)


# --- elementwise -----------------------------------------------------------------------------------------------------------
for t in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"):
    low, high = ("-100", "100") if t[0] != "u" else ("0", "120")
    a, out, n = f"random:{t}:200:{low}:{high}", f"zero:{t}:200", 200
    Case("elementwise", f"add_{t}", blocks(n, 64), (64,), [a, a, out, n], lambda v: {2: v[0] + v[1]})
    Case("elementwise", f"combine_{t}", (2,), (32,), [a, a, out, n], lambda v: {2: combine(v[0], v[1])})
    bounds = (10, 50) if t[0] != "f" else (0.25, 0.5)
    Case("elementwise", f"clamp_{t}", blocks(n, 64), (64,), [a, *bounds, n], lambda v: {0: np.clip(v[0], v[0].dtype.type(v[1]), v[0].dtype.type(v[2]))})
    Case("elementwise", f"reverse_{t}", blocks(n, 64), (64,), [a, out, n], lambda v: {1: v[0][::-1]})


def combine(a, b):
    """a * b - a, rounded after each step."""
    with np.errstate(over="ignore"):
        return a * b - a


# --- reductions ------------------------------------------------------------------------------------------------------------
for t in ("i32", "u64", "f32", "f64"):
    a, near = f"random:{t}:600:0:1000", {"rtol": 1e-5} if t == "f32" else {"rtol": 1e-12} if t == "f64" else {}
    Case("reductions", f"block_sum_{t}", (5,), (128,), [a, f"zero:{t}:5", 600], lambda v: {1: pad(v[0], 128).sum(1, dtype=v[0].dtype)}, **near)
    Case("reductions", f"block_max_{t}", (5,), (128,), [f"random:{t}:640:0:1000", f"zero:{t}:5", 640], lambda v: {1: v[0].reshape(5, 128).max(1)})
    Case("reductions", f"scan_{t}", (4,), (64,), [f"random:{t}:256:0:100", f"zero:{t}:256"], lambda v: {1: v[0].reshape(4, 64).cumsum(1, dtype=v[0].dtype).ravel()}, **near)
    Case("reductions", f"warp_scan_{t}", (2,), (64,), [f"random:{t}:128:0:100", f"zero:{t}:128"], lambda v: {1: v[0].reshape(4, 32).cumsum(1, dtype=v[0].dtype).ravel()}, **near)
Case("reductions", "sum_by_atomics", (4,), (64,), ["random:i32:1000", "zero:i32:1", 1000], lambda v: {1: v[0].sum(keepdims=True, dtype=np.int32)})
Case("reductions", "sum_by_last_block", (7,), (64,), ["random:i32:420", "zero:i32:7", "zero:u32:1", "zero:i32:1", 420], lambda v: {1: pad(v[0], 64).sum(1, dtype=np.int32), 2: np.zeros(1, np.uint32), 3: v[0].sum(keepdims=True, dtype=np.int32)})
Case("reductions", "dot", (3,), (64,), ["random:f32:3x150", "random:f32:150", "zero:f64:3", 150], lambda v: {2: (v[0].astype(float) * v[1]).sum(1)}, rtol=1e-12)
Case("reductions", "argmax", (3,), (64,), ["random:f32:3x150", "zero:i32:3", 150], lambda v: {1: v[0].argmax(1).astype(np.int32)})


def pad(a, width):
    return np.pad(a, (0, -len(a) % width)).reshape(-1, width)


# --- matrices --------------------------------------------------------------------------------------------------------------
for t in ("i32", "f32", "f64"):
    near = {"rtol": 1e-5} if t == "f32" else {"rtol": 1e-13} if t == "f64" else {}
    square = [f"random:{t}:20x20:0:9", f"random:{t}:20x20:0:9", f"zero:{t}:20x20", 20]
    Case("matrices", f"matmul_{t}", (3, 3), (8, 8), square, lambda v: {2: v[0] @ v[1]}, **near)
    Case("matrices", f"matmul_tiled_{t}", (3, 3), (8, 8), square, lambda v: {2: v[0] @ v[1]}, **near)
    Case("matrices", f"transpose_{t}", (3, 2), (16, 16), [f"random:{t}:20x40", f"zero:{t}:40x20", 20, 40], lambda v: {1: np.ascontiguousarray(v[0].T)})
    Case("matrices", f"matvec_{t}", (5,), (64,), [f"random:{t}:10x50:0:9", f"random:{t}:50:0:9", f"zero:{t}:10", 10, 50], lambda v: {2: v[0] @ v[1]}, **near)
    Case("matrices", f"stencil_{t}", (3,), (64,), [f"random:{t}:150", f"zero:{t}:150", 150], lambda v: {1: stencil(v[0])}, **near)


def stencil(a):
    wide = np.pad(a, 1)
    return wide[:-2] + 2 * wide[1:-1] + wide[2:]


def blur(v):
    a, out, weights = v[0].astype(float), np.zeros_like(v[1]), np.outer([1, 2, 1], [1, 2, 1]) / 16
    for dy in range(3):
        for dx in range(3):
            out[1:-1, 1:-1] += weights[dy, dx] * a[dy : dy + a.shape[0] - 2, dx : dx + a.shape[1] - 2]
    return {1: out}


def laplace(v):
    a, out = v[0], np.zeros_like(v[1])
    out[1:-1, 1:-1, 1:-1] = (a[1:-1, 1:-1, :-2] + a[1:-1, 1:-1, 2:] + a[1:-1, :-2, 1:-1] + a[1:-1, 2:, 1:-1] + a[:-2, 1:-1, 1:-1] + a[2:, 1:-1, 1:-1] - 6 * a[1:-1, 1:-1, 1:-1])
    return {1: out}


def softmax(a):
    e = np.exp(a.astype(float) - a.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True)).astype(np.float32)


def layer_norm(a, gain):
    a = a.astype(float)
    return ((a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + 1e-5) * gain).astype(np.float32)


def attention(v):
    q, k, values = (one.astype(float) for one in v[:3])
    e = np.exp(np.einsum("hid,hjd->hij", q, k) * 0.25)
    return {3: (np.einsum("hij,hjd->hid", e, values) / e.sum(2, keepdims=True)).astype(np.float32)}


def nbody(v):
    at, weight = v[0][:, :3].astype(float), v[0][:, 3].astype(float)
    d = at[None] - at[:, None]
    pull = weight / np.sqrt((d * d).sum(2) + 0.01) ** 3
    return {1: (d * pull[:, :, None]).sum(1).astype(np.float32)}


Case("matrices", "blur", (3, 2), (8, 8), ["random:f32:14x20", "zero:f32:14x20", 20, 14], blur, rtol=1e-5, atol=1e-6)
Case("matrices", "laplace3d", (2, 2, 3), (4, 4, 2), ["random:f64:6x6x6", "zero:f64:6x6x6", 6], laplace, rtol=1e-12, atol=1e-14)
Case("matrices", "softmax", (3,), (64,), ["random:f32:3x150:-5:5", "zero:f32:3x150", 150], lambda v: {1: softmax(v[0])}, rtol=1e-5)
Case("matrices", "layer_norm", (4,), (32,), ["random:f32:4x80:-5:5", "random:f32:80", "zero:f32:4x80", 80], lambda v: {2: layer_norm(v[0], v[1])}, rtol=1e-4, atol=1e-5)
Case("matrices", "attention", (2, 2), (32,), ["random:f32:2x40x16:-1:1", "random:f32:2x40x16:-1:1", "random:f32:2x40x16:-1:1", "zero:f32:2x40x16", 40], attention, rtol=1e-4, atol=1e-5)
Case("matrices", "nbody", (2,), (32,), ["random:f32:50x4", "zero:f32:50x3", 50], nbody, rtol=1e-4, atol=1e-3)

# --- atomics ---------------------------------------------------------------------------------------------------------------
ATOMICS = {"add": "add", "min": "minimum", "max": "maximum", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}


def atomics(name, shared):
    def expected(v):
        out, a = v[0].copy(), v[1]
        parts = [(slice(0, 8), a)] if not shared else [(slice(8 + 8 * b, 16 + 8 * b), a[64 * b : 64 * b + 64]) for b in range(3)]
        for place, values in parts:
            bins = v[0][:8].copy()
            for k in range(8):
                own = values[k::8]
                if name == "inc":
                    for _ in own:
                        bins[k] = 0 if bins[k] >= 1000 else bins[k] + 1
                elif name == "dec":
                    for _ in own:
                        bins[k] = 1000 if bins[k] == 0 or bins[k] > 1000 else bins[k] - 1
                else:
                    bins[k] = getattr(np, ATOMICS[name]).reduce(own, dtype=own.dtype, initial=bins[k])
            out[place] = bins
        return {0: out}

    return expected


for name, types in {"add": "i32 u32 u64 f32 f64", "min": "i32 u32 u64", "max": "i32 u32 u64", "and": "u32 u64", "or": "u32 u64", "xor": "u32 u64", "inc": "u32", "dec": "u32"}.items():
    for t in types.split():
        near = {"rtol": 1e-5} if t == "f32" else {"rtol": 1e-13} if t == "f64" else {}
        for place in ("global", "shared"):
            args = [f"random:{t}:32:0:900", f"random:{t}:192:0:900", 192]
            Case("atomics_typed", f"{place}_{name}_{t}", (3,), (64,), args, atomics(name, place == "shared"), **near)


def sorted_part(v, taken):
    """A counter and the values in any order: only how many there are is compared."""
    return {1: np.array([taken.sum()], np.int32)}


Case("atomics_typed", "max_by_swaps", (3,), (64,), ["zero:f32:1", "random:f32:150", 150], lambda v: {0: v[1].max(keepdims=True)})
Case("atomics_typed", "append", (3,), (64,), ["random:i32:150", "zero:i32:1", "zero:i32:150", 150], lambda v: sorted_part(v, v[0] % 3 == 0))
Case("atomics_typed", "append_by_warp", (3,), (64,), ["random:i32:150", "zero:i32:1", "zero:i32:150", 150], lambda v: sorted_part(v, v[0] % 2 == 0))
Case("atomics_typed", "histogram", (3,), (64,), ["random:u8:500", "zero:i32:256", 500], lambda v: {1: np.bincount(v[0], minlength=256).astype(np.int32)})
Case("atomics_typed", "histogram_global", (8,), (64,), ["random:u8:500", "zero:i32:256", 500], lambda v: {1: np.bincount(v[0], minlength=256).astype(np.int32)})
Case("atomics_typed", "work_queue", (3,), (32,), ["zero:u32:1", "zero:i32:200", 200], lambda v: {1: (np.arange(200) ** 2).astype(np.int32)})


# --- programs --------------------------------------------------------------------------------------------------------------
def each(function, *arrays, kind="int32"):
    return np.array([function(*(int(x) for x in row)) for row in zip(*arrays)], kind)


def collatz(x):
    steps = 0
    while x > 1:
        x, steps = 3 * x + 1 if x & 1 else x // 2, steps + 1
    return steps


def crc32(rows):
    import zlib

    return np.array([zlib.crc32(row.tobytes()) for row in rows], np.uint32)


def xorshift(a, rounds):
    x = a.copy()
    for _ in range(rounds):
        x ^= x << np.uint32(13)
        x ^= x >> np.uint32(17)
        x ^= x << np.uint32(5)
    return x


def mandelbrot(w, h):
    out = np.zeros((h, w), np.int32)
    for py in range(h):
        for px in range(w):
            cx, cy, x, y, k = -2.0 + 3.0 * px / w, -1.0 + 2.0 * py / h, 0.0, 0.0, 0
            while k < 50 and x * x + y * y <= 4.0:
                x, y, k = x * x - y * y + cx, 2.0 * x * y + cy, k + 1
            out[py, px] = k
    return out


def life(a):
    a = a & 1
    count = sum(np.roll(a, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
    return ((count == 3) | ((count == 2) & (a == 1))).astype(np.uint8)


def truncated(a, b):
    q = (np.abs(a) // np.abs(b)) * np.sign(a) * np.sign(b)
    return np.stack([q, a - q * b], 1).ravel()


def volume(shape):
    z, y, x = np.indices(shape)
    return (x + 100 * y + 10000 * z + 1000000 * 2 + 10000000 * 3 + 100000000 * 2).astype(np.int32)


def by_functions():
    block, thread = np.indices((6, 16))
    return (block * 4 + thread + block * 1000).astype(np.int32)


def votes(a):
    out = np.zeros(len(a), np.uint32)
    for w in range(0, len(a), 32):
        v = a[w : w + 32]
        bits = 1 << np.arange(32, dtype=np.int64)
        ballot = int(bits[v > 0].sum())
        same = [int(bits[(v & 3) == (x & 3)].sum()) for x in v]
        out[w : w + 32] = [(ballot ^ s ^ (int((v > 100).any()) << 1) ^ int((v > -100).all())) & 0xFFFFFFFF for s in same]
    return out


def counts(a):
    return np.array([4 * (v > 10).sum() + 2 * (v > 90).any() + (v >= 0).all() for v in a.reshape(-1, 64)]).astype(np.int32)


def halves_meet():
    t = np.arange(128)
    tile = (t * t)[None] + np.arange(3)[:, None]
    return (tile[:, t ^ 63] + tile[:, 127 - t]).astype(np.int32)


def return_then_meet(a):
    after = np.append(a[1:], 0).astype(np.int32)
    after[63::64] = 0
    return a - after


def ackermann_2(n):
    return 2 * np.arange(n) + 3


U32, N = "random:u32:100:0:4294967296", 100
ONE = ((2,), (64,))
Case("programs", "collatz", *ONE, ["random:i32:100:1:1000", "zero:i32:100", N], lambda v: {1: each(collatz, v[0])})
Case("programs", "gcd", *ONE, ["random:u32:100:1:9999", "random:u32:100:1:9999", "zero:u32:100", N], lambda v: {2: np.gcd(v[0], v[1])})
Case("programs", "is_prime", *ONE, ["random:i32:100:0:2000", "zero:i32:100", N], lambda v: {1: each(lambda x: x > 1 and all(x % d for d in range(2, int(x**0.5) + 1)), v[0])})
Case("programs", "lower_bound", *ONE, ["iota:i32:300", "random:i32:100:0:400", "zero:i32:100", 300, N], lambda v: {2: np.searchsorted(v[0], v[1]).astype(np.int32)})
Case("programs", "popcounts", *ONE, [U32, "zero:i32:100", N], lambda v: {1: each(lambda x: x.bit_count() + 100 * (32 - x.bit_length()) + 10000 * ((x & -x).bit_length()), v[0])})
Case("programs", "reverse_bits", *ONE, ["random:u64:100:0:9000000000000000000", "zero:u64:100", N], lambda v: {1: each(lambda x: int(f"{x:064b}"[::-1], 2), v[0], kind="uint64")})
Case("programs", "rotate", *ONE, [U32, "zero:u32:100", N], lambda v: {1: each(lambda x, i: (x << (i % 32) | x >> (32 - i % 32)) & 0xFFFFFFFF, v[0], range(100), kind="uint32")})
Case("programs", "mul_high", *ONE, ["random:u64:100:0:9000000000000000000", "random:u64:100:0:9000000000000000000", "zero:u64:100", N], lambda v: {2: each(lambda x, y: x * y >> 64, v[0], v[1], kind="uint64")})
Case("programs", "divide", *ONE, ["random:i32:100:-999999:999999", "random:i32:100:1:99", "zero:i32:200", N], lambda v: {2: truncated(v[0], v[1]).astype(np.int32)})
Case("programs", "divide64", *ONE, ["random:i64:100:-999999999999:999999999999", "random:i64:100:1:99999", "zero:i64:200", N], lambda v: {2: truncated(v[0], v[1])})
Case("programs", "crc32", *ONE, ["random:u8:100x12", "zero:u32:100", 12, N], lambda v: {1: crc32(v[0])})
Case("programs", "xorshift", *ONE, [U32, 20, N], lambda v: {0: xorshift(v[0], 20)})
Case("programs", "mandelbrot", (3, 2), (8, 8), ["zero:i32:12x20", 20, 12], lambda v: {0: mandelbrot(20, 12)})
Case("programs", "life", (3, 2), (8, 8), ["random:u8:12x20", "zero:u8:12x20", 20, 12], lambda v: {1: life(v[0])})
Case("programs", "spmv", *ONE, ["iota:i32:101", "random:i32:100:0:50", "random:f32:100", "random:f32:50", "zero:f32:100", N], lambda v: {4: v[2] * v[3][v[1]]})
Case("programs", "gather", (20,), (16,), ["random:f32:40x12", "random:i32:20:0:40", "zero:f32:20x12", 12, 20], lambda v: {2: v[0][v[1]]})
Case("programs", "bitonic", (4,), (32,), ["random:i32:128:0:9999", 128, 2, 1], lambda v: {0: np.where(np.arange(128).reshape(-1, 2) // 2 % 2 == 0, np.sort(v[0].reshape(-1, 2), 1), np.sort(v[0].reshape(-1, 2), 1)[:, ::-1]).ravel()})
Case("programs", "odd_even_sort", (2,), (64,), ["random:i32:128:0:9999"], lambda v: {0: np.sort(v[0].reshape(2, 64), 1).ravel()})
Case("programs", "volume", (2, 3, 2), (4, 2, 2), ["zero:i32:4x6x8", 8, 6], lambda v: {0: volume((4, 6, 8))})
Case("programs", "by_functions", (3, 2), (16,), ["zero:i32:6x16"], lambda v: {0: by_functions()})
Case("programs", "by_pointers", *ONE, ["random:i32:100", "random:i32:100", "random:i32:100", "zero:i32:100", N], lambda v: {3: np.where(v[2] & 1, v[0] * v[1], v[0] + v[1]).astype(np.int32)})
Case("programs", "recursive", (1,), (8,), ["zero:i32:6", 6], lambda v: {0: ackermann_2(6).astype(np.int32)})
Case("programs", "rotate_block", (3,), (32,), ["random:i32:96", "zero:i32:96", 5], lambda v: {1: np.roll(v[0].reshape(3, 32), -5, 1).ravel()}, shared=128)
Case("programs", "local_sort", (1,), (32,), ["random:i32:20x8:0:999", "zero:i32:20x8", 20], lambda v: {1: np.sort(v[0], 1)})
Case("programs", "votes", (2,), (64,), ["random:i32:128:-90:90", "zero:u32:128"], lambda v: {1: votes(v[0])})
Case("programs", "counts", (3,), (64,), ["random:i32:192:0:99", "zero:i32:3", 192], lambda v: {1: counts(v[0])})
Case("programs", "halves_meet", (3,), (128,), ["zero:i32:3x128"], lambda v: {0: halves_meet()})
Case("programs", "return_then_meet", (3,), (64,), ["random:i32:150", "zero:i32:150", 150], lambda v: {1: return_then_meet(v[0])})
Case("programs", "prints", *ONE, ["random:i32:100", N], lambda v: {0: v[0]})
Case("programs", "fft_step", (1,), (32,), ["random:f32:64x2", 8, 32], lambda v: {0: fft_step(v[0], 8)}, rtol=1e-4, atol=1e-5)
Case("programs", "polynomial", *ONE, ["random:f64:100:-2:2", "zero:f64:100", N], lambda v: {1: np.polyval([5.5, 4.5, 3.5, 2.5, 1.5, 0.5], v[0])}, rtol=1e-13, atol=1e-13)
Case("programs", "rounding_f32", *ONE, ["random:f32:100:-9:9", "random:f32:100:1:9", "zero:f32:800", N], lambda v: {2: roundings(v[0], v[1])}, rtol=2e-7)
Case("programs", "convert", *ONE, ["random:f64:100:-99:99", "zero:i32:100", "zero:f32:100", "zero:i64:100", "zero:u8:100", N], lambda v: {1: np.rint(v[0]).astype(np.int32), 2: v[0].astype(np.float32), 3: np.floor(v[0] * 1e6).astype(np.int64), 4: np.abs(v[0]).astype(np.uint8)})


def fft_step(a, half):
    x = (a[:, 0].astype(float) + 1j * a[:, 1]).reshape(-1, 2, half)
    y = x[:, 1] * np.exp(-1j * np.pi * np.arange(half) / half)
    out = np.stack([x[:, 0] + y, x[:, 0] - y], 1).ravel()
    return np.stack([out.real, out.imag], 1).astype(np.float32)


def roundings(x, y):
    hundred = x * np.float32(100)
    columns = [x + y, x * y, x / y, np.sqrt(np.abs(x)), np.rint(hundred), np.floor(hundred), np.minimum(x, y), np.copysign(x, y)]
    return np.stack(columns, 1).ravel()


# --- halves ----------------------------------------------------------------------------------------------------------------
def bf16(a):
    """The bits of the nearest brain floats, ties to even."""
    bits = a.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def copy_async(a):
    t = np.arange(32)
    a = a.reshape(-1, 2, 128)
    return (a[:, 0, t * 3 & 127] + a[:, 1, 127 - t]).ravel()


def mma(a, b):
    return np.einsum("bik,bjk->bij", a.astype(np.float32), b.astype(np.float32))


H = "random:f16:100:-4:4"
Case("halves", "add_f16", *ONE, [H, H, "zero:f16:100", N], lambda v: {2: v[0] + v[1]})
Case("halves", "fma_f16", *ONE, [H, H, "zero:f16:100", N], lambda v: {2: (v[0].astype(float) * v[1] + v[0]).astype(np.float16)})
Case("halves", "add_f16x2", *ONE, [H, H, "zero:f16:100", 50], lambda v: {2: v[0] * v[1] + v[1]}, rtol=2e-3, atol=4e-3)
Case("halves", "widen_f16", *ONE, [H, "zero:f32:100", N], lambda v: {1: v[0].astype(np.float32) * 2})
Case("halves", "narrow_f16", *ONE, ["random:f32:100:-70000:70000", "zero:f16:100", N], lambda v: {1: narrow_f16(v[0])})
Case("halves", "narrow_bf16", *ONE, ["random:f32:100:-9:9", "zero:u16:100", N], lambda v: {1: bf16(v[0])})
Case("halves", "widen_bf16", *ONE, ["random:u16:100:0:32000", "zero:f32:100", N], lambda v: {1: (v[0].astype(np.uint32) << 16).view(np.float32)})
Case("halves", "copy_async", (3,), (32,), ["random:i32:768", "zero:i32:96"], lambda v: {1: copy_async(v[0])})
Case("halves", "meet_at_mbarrier", (3,), (64,), ["random:i32:192", "zero:i32:192"], lambda v: {1: v[0].reshape(3, 64)[:, ::-1].ravel()})
Case("halves", "mma_f16", (3,), (32,), ["random:f16:3x16x16:-1:1", "random:f16:3x8x16:-1:1", "zero:f32:3x16x8"], lambda v: {2: mma(v[0], v[1])}, rtol=1e-5, atol=1e-5)
Case("halves", "reduce_by_redux", (3,), (32,), ["random:i32:96:-99:99", "zero:i32:9"], lambda v: {1: np.stack([f.reduce(v[0].reshape(3, 32), axis=1) for f in (np.add, np.maximum, np.bitwise_or)], 1).ravel().astype(np.int32)})


def narrow_f16(a):
    with np.errstate(over="ignore"):
        return a.astype(np.float16)


# --- Triton: two more pointers behind the parameters, for scratch memory that none of these needs ----------------------------
def triton(kernel, source, grid, args, expected, **near):
    Case(f"triton-{source}", kernel, grid, (128,), [*args, 0, 0], expected, shared=65536, **near)


def gelu(a):
    import math

    return np.array([0.5 * x * (1 + math.erf(x * 0.70710678)) for x in a.astype(float)]).astype(a.dtype)


def triton_attention(v):
    q, k, values = (one.astype(float) for one in v[:3])
    e = np.exp(q @ k.T * 0.125)
    return {3: (e @ values / e.sum(1, keepdims=True)).astype(np.float32)}


def triton_histogram(v):
    out = v[1].copy()
    out[:256] = np.bincount(v[0] & 255, minlength=256)
    out[256:] = [np.cumsum(np.pad(v[0][at : at + 512], (0, max(0, at + 512 - 1200)))).sum() for at in (0, 512, 1024)]
    return {1: out}


def swaps(v):
    out = v[1].copy()
    np.maximum.at(out, np.arange(300) % 8, v[0])
    return {1: out}


for source, t in (("add", "f32"), ("add_i32", "i32"), ("add_fp16", "f16"), ("add_i64", "i64")):
    a = f"random:{t}:1500"
    triton("add", source, blocks(1500, {"add": 1024, "add_i64": 128}.get(source, 256)), [a, a, f"zero:{t}:1500", 1500], lambda v: {2: v[0] + v[1]})
triton("axpy", "axpy", (6,), ["random:f32:1500", "random:f32:1500", 0.5, 1500], lambda v: {1: v[0] * np.float32(0.5) + v[1]}, rtol=1e-6)
triton("softmax", "softmax", (3,), ["random:f32:3x1000:-5:5", "zero:f32:3x1000", 1000], lambda v: {1: softmax(v[0])}, rtol=1e-4, atol=1e-7)
triton("softmax", "softmax_small", (3,), ["random:f32:3x100:-5:5", "zero:f32:3x100", 100], lambda v: {1: softmax(v[0])}, rtol=1e-4, atol=1e-6)
triton("gelu", "gelu", (6,), ["random:f32:1500:-3:3", "zero:f32:1500", 1500], lambda v: {1: gelu(v[0])}, rtol=1e-4, atol=1e-5)
triton("gelu", "gelu_fp16", (6,), ["random:f16:1500:-3:3", "zero:f16:1500", 1500], lambda v: {1: gelu(v[0])}, rtol=2e-3, atol=2e-3)
triton("layer_norm", "layer_norm", (3,), ["random:f32:3x100:-5:5", "random:f32:100", "zero:f32:3x100", 100], lambda v: {2: layer_norm(v[0], v[1])}, rtol=1e-4, atol=1e-5)
triton("row_sum", "row_sum", (3,), ["random:f32:3x300", "zero:f32:3", 300], lambda v: {1: v[0].sum(1)}, rtol=1e-5)
triton("row_argmax", "row_argmax", (3,), ["random:f32:3x100", "zero:i32:3", 100], lambda v: {1: v[0].argmax(1).astype(np.int32)})
triton("transpose", "transpose", (2, 3), ["random:f32:50x70", "zero:f32:70x50", 50, 70], lambda v: {1: np.ascontiguousarray(v[0].T)})
triton("prefix", "prefix", (3,), ["random:i32:768", "zero:i32:768"], lambda v: {1: v[0].reshape(3, 256).cumsum(1, dtype=np.int32).ravel()})
triton("sort", "sort", (1,), ["random:i32:256:0:9999", "zero:i32:256"], lambda v: {1: np.sort(v[0])})
triton("swaps", "swaps", (3,), ["random:i32:300", "zero:i32:264", 300], swaps)
triton("histogram", "histogram", (3,), ["random:i32:1200", "zero:i32:259", 1200], triton_histogram)
triton("matmul", "matmul_small", (2, 2), ["random:f16:64x96:-1:1", "random:f16:96x64:-1:1", "zero:f16:64x64", 64, 64, 96], lambda v: {2: (v[0].astype(np.float32) @ v[1].astype(np.float32)).astype(np.float16)}, rtol=2e-3, atol=2e-3)
triton("attention", "attention", (3,), ["random:f16:96x64:-1:1", "random:f16:64x64:-1:1", "random:f16:64x64:-1:1", "zero:f32:96x64", 64], triton_attention, rtol=1e-2, atol=2e-3)


# --- numba: an array of one axis is seven parameters ------------------------------------------------------------------------
def numba(kernel, grid, block, arrays, expected, scalars=(), **near):
    args = list(scalars)
    for spec in arrays:
        _, t, shape = spec.split(":")[:3]
        lengths = [int(length) for length in shape.split("x")]
        size = int(t[1:]) // 8
        strides = [size * int(np.prod(lengths[at + 1 :])) if np else size * (lengths[1] if at == 0 and len(lengths) == 2 else 1) for at in range(len(lengths))]
        args += [0, 0, lengths[0] * (lengths[1] if len(lengths) == 2 else 1), size, spec, *lengths, *strides]
    at = [number for number, arg in enumerate(args) if ":" in str(arg)]
    Case(f"numba-{kernel}", kernel, grid, block, args, lambda v: {at[k]: a for k, a in expected([v[n] for n in at]).items()}, **near)


numba("saxpy", (4,), (32,), ["random:f32:100", "random:f32:100"], lambda v: {1: v[1] + np.float32(0.5) * v[0]}, scalars=[0.5], rtol=1e-6)
numba("strided", (2,), (32,), ["random:f64:150", "zero:f64:150"], lambda v: {1: v[0] * v[0]})
numba("block_sum", (3,), (64,), ["random:f32:150", "zero:f32:3"], lambda v: {1: pad(v[0], 64).sum(1)}, rtol=1e-5)
numba("total", (3,), (64,), ["random:i32:150", "zero:i32:1"], lambda v: {1: v[0].sum(keepdims=True, dtype=np.int32)})
numba("bins", (3,), (64,), ["random:u8:150", "zero:i32:256"], lambda v: {1: np.bincount(v[0], minlength=256).astype(np.int32)})
numba("most", (3,), (64,), ["random:i64:150", "zero:i64:1"], lambda v: {1: v[0].max(keepdims=True)})
numba("sines", (3,), (64,), ["random:f32:150", "zero:f32:150"], lambda v: {1: np.sin(v[0]) + np.sqrt(np.abs(v[0])) + np.exp(-v[0])}, rtol=1e-5)
numba("early", (3,), (64,), ["random:i32:150", "zero:i32:150"], lambda v: {1: v[0] + 1})
numba("locals_", (1,), (64,), ["random:i32:64", "zero:i32:64"], lambda v: {1: np.array([v[0][(i + i % 8) % 64] for i in range(64)], np.int32)})
numba("ticket", (3,), (32,), ["zero:i32:1", "zero:i32:80"], lambda v: {0: np.array([96], np.int32), 1: np.arange(80, dtype=np.int32)})
numba("matmul", (3, 3), (8, 8), ["random:f32:20x20", "random:f32:20x20", "zero:f32:20x20"], lambda v: {2: v[0] @ v[1]}, rtol=1e-5)

# --- running ---------------------------------------------------------------------------------------------------------------
def run(tiltc, file, case, extra=()):
    """What is wrong, or nothing."""
    random = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        command = [tiltc, "ptx", "run", str(file), "--kernel", case.kernel, "--show", "0", *extra]
        for name in ("grid", "block"):
            command += [f"--{name}", ",".join(str(length) for length in getattr(case, name))]
        values = [make(text, random) for text in case.args]
        for at, value in enumerate(values):
            path = f"{folder}/{at}.npy"
            if isinstance(value, np.ndarray):
                np.save(path, value)
            command += ["--arg", path if isinstance(value, np.ndarray) else case.args[at]]
        with np.errstate(over="ignore"):
            expected = case.expected(values)
        for at, array in expected.items():
            np.save(f"{folder}/expected{at}.npy", np.ascontiguousarray(array).reshape(values[at].shape if array.size == values[at].size else array.shape))
            command += ["--expect", f"{at}={folder}/expected{at}.npy"]
        command += ["--rtol", str(case.rtol), "--atol", str(case.atol), "--shared", str(case.shared)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode else None


def main():
    if sys.argv[1:] == ["--json"]:
        for case in CASES:
            print(json.dumps(case.launch()))
        return 0
    tiltc, folder, extra = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    jobs = [(file, case) for case in CASES if case.expected for file in sorted(folder.glob(f"{case.source}-sm_*.ptx"))]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: run(tiltc, *job, extra), jobs))
    for (file, case), wrong in zip(jobs, results):
        if wrong:
            print(f"{file.name} {case.kernel}: {wrong}")
    kernels = len({case.kernel for case in CASES if case.expected})
    print(f"{kernels} kernels with results from NumPy, {len(jobs)} runs: {sum(not one for one in results)} agree")
    return 0 if jobs and not any(results) else 1


if __name__ == "__main__":
    sys.exit(main())
