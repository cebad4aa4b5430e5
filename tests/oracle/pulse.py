"""The right answers of examples/pulse: the filters of Pan and Tompkins in NumPy, on samples put on a grid by hand."""

import csv

import numpy as np

from table import Table, near

STEP = 5_000_000  # ns
END = "2016-11-24 14:00:00"  # the interpreter is slow: a minute is enough
RELATIVE = 1e-8  # the low-pass filter sums sums: its rounding errors grow with the square of the time


def stamp(text):
    return np.datetime64(text.replace(" ", "T"), "ns").astype(np.int64)


def read(file):
    with open(file, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return np.array([stamp(row["datetime"]) for row in rows]), np.array([float(row["hr"]) for row in rows])


def on_grid(times, values):
    """At each point of the grid the value on the line from the last sample at or before it to the first one after it."""
    grid = np.arange(-(-times[0] // STEP), times[-1] // STEP + 1) * STEP
    before = np.searchsorted(times, grid, side="right") - 1
    after = np.minimum(before + 1, len(times) - 1)  # of samples of one time the first
    way = (grid - times[before]) / np.maximum(times[after] - times[before], 1)
    assert (times[after] - times[before]).max() <= 100_000_000
    return grid, values[before] + (values[after] - values[before]) * way


def energy(x):
    """Low-pass, high-pass, derivative, square, mean of 30; before the first sample all is 0, but for the last mean."""
    n, lead = len(x), 40
    x = np.concatenate([np.zeros(lead), x])
    low, high = np.zeros(n + lead), np.zeros(n + lead)
    for k in range(lead, n + lead):
        low[k] = 2 * low[k - 1] - low[k - 2] + x[k] - 2 * x[k - 6] + x[k - 12]
    for k in range(lead, n + lead):
        high[k] = high[k - 1] - low[k] / 32 + low[k - 16] - low[k - 17] + low[k - 32] / 32
    k = np.arange(lead, n + lead)
    slope = (2 * high[k] + high[k - 1] - high[k - 3] - 2 * high[k - 4]) / 8
    return np.array([(slope[max(k - 29, 0) : k + 1] ** 2).mean() for k in range(n)])


def iso(time):
    """As the file spells times, but for zeros at the end."""
    return str(np.datetime64(int(time), "ns")).replace("T", " ").rstrip("0").rstrip(".")


def heart_rate(pulse):
    times, values = pulse
    grid, x = on_grid(times, values)
    e = energy(x)
    around = [e[max(k - 70, 0) : k + 71].max() for k in range(len(e))]
    recent = [e[max(k - 999, 0) : k + 1].mean() for k in range(len(e))]
    found = [k for k in range(399, len(e)) if e[k] == around[k] and e[k] > 0.7 * recent[k]]
    intervals = [None] + [(b - a) * 0.005 for a, b in zip(found, found[1:])]
    end = stamp(END)
    beats = [
        (iso(grid[k]), near(e[k], relative=RELATIVE), near(interval))
        for k, interval in zip(found, intervals)
        if grid[k] <= end
    ]
    rates = []
    for second in range(-(-times[0] // 10**9), end // 10**9 + 1):
        now = second * 10**9
        inside = [i for k, i in zip(found, intervals) if i is not None and now - 10**10 < grid[k] <= now]
        some = len(inside) >= 3
        bpm, spread = (near(60 / np.median(inside)), near(np.std(inside, ddof=1), 1)) if some else (None, None)
        rates.append((iso(now), bpm, spread, len(inside)))
    return {
        "beats": Table(["energy", "interval"], {"energy", "interval"}, beats),
        "rate": Table(["bpm", "spread", "beats"], {"bpm", "spread"}, rates),
    }


PIECE_ROWS = None  # as many rows in a piece as usual
EXAMPLES = {"pulse/heart-rate": heart_rate}


def arguments(_, root, __):
    return ["-i", f"pulse={root}/examples/data/pulse.csv", "--to", END]


def expected(example, root, _):
    """The outputs of an example."""
    return EXAMPLES[example](read(root / "examples/data/pulse.csv"))
