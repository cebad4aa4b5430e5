#!/usr/bin/env python3
"""Writes the data of the example queries in examples/apps.

    python3 tests/oracle/generate.py FOLDER

gives FOLDER/NAME-TYPE[-VARIANT].csv with the columns `time` (whole seconds) and `v`:

    x, l, r   a sample every second, from time 1, uniform in [-50, 50)
    q         a sample every 4 seconds, from time 4
    f32, f64  the type the numbers were made in; the text of each reads back to the same bits
    (none)    every sample is there
    missing   one row in ten is not in the file, nor are the first and last few, nor one long stretch
    empty     the same rows are in the file, but with an empty field
    special   a few NaN, infinities and very large numbers towards the end

The same values come out every time: the random stream is that of `RandomState`, which NumPy keeps frozen. (How large numbers
are spelled depends on the version of NumPy.)
"""

import argparse
import pathlib

import numpy as np

SECONDS = 24_321  # no multiple of any window in the examples: the last windows are partial
PERIODS = {"x": 1, "l": 1, "r": 1, "q": 4}
TYPES = {"f32": np.float32, "f64": np.float64}
VARIANTS = ("full", "missing", "empty", "special")


def path(folder, name, kind, variant):
    """Where the samples of stream `name` lie."""
    suffix = "" if variant == "full" else f"-{variant}"
    return pathlib.Path(folder) / f"{name}-{kind}{suffix}.csv"


def samples(random, count, kind):
    """Uniform in [-50, 50), also after rounding to f32."""
    values = random.uniform(-50.0, 50.0, count).astype(TYPES[kind])
    return np.minimum(values, np.nextafter(TYPES[kind](50.0), TYPES[kind](0.0)))


def absent(random, name, times):
    """Which rows the variants `missing` and `empty` lack."""
    gone = random.uniform(size=len(times)) < 0.1
    gone |= (times > 11_900) & (times < 14_100)  # longer than any sliding window, and than two tumbling windows of 1000 s
    gone[: 1 if name == "r" else 3] = True  # l and r start and end at different times
    gone[-1 if name == "l" else -2 :] = True
    return gone


def with_specials(times, values):
    """Puts in what must leave no trace once it has left a window. All late, so that earlier windows stay ordinary."""
    values = values.copy()
    for time, value in ((21_100, np.nan), (21_300, np.inf), (21_312, -np.inf), (21_600, 1e15), (23_200, 1e15)):
        values[np.flatnonzero(times == time)] = value
    return values


def write(file, times, texts):
    with open(file, "w", encoding="ascii", newline="\n") as out:
        out.write("time,v\n")
        out.writelines(f"{time},{text}\n" for time, text in zip(times, texts))


def generate(folder):
    """Writes all files."""
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for number, (name, period) in enumerate(PERIODS.items()):
        times = np.arange(period, SECONDS + 1, period)
        for kind in TYPES:
            random = np.random.RandomState(1000 + number)
            values = samples(random, len(times), kind)
            gone = absent(random, name, times)
            texts = [str(value) for value in values]  # str of a NumPy float: the shortest text that reads back
            write(path(folder, name, kind, "full"), times, texts)
            write(path(folder, name, kind, "missing"), times[~gone], [t for t, g in zip(texts, gone) if not g])
            write(path(folder, name, kind, "empty"), times, ["" if g else t for t, g in zip(texts, gone)])
            special = [str(value) for value in with_specials(times, values)]
            write(path(folder, name, kind, "special"), times, special)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    generate(parser.parse_args().folder)
