#!/usr/bin/env python3
"""Writes the data of the examples with events.

    python3 tests/oracle/generate_events.py FOLDER

gives FOLDER/trades.csv, quotes.csv, sessions.csv and events.csv, with times in whole milliseconds. What is awkward in real
feeds is in them:

    ties       many rows of one stamp, in one file and between them, also equal in all their fields
    gaps       stretches without rows, longer than any window, and quotes that a trade comes long after
    null       empty prices, sizes and sides of quotes, and whole rows of them
    NaN, inf   a few, which must leave no trace once they have left a window
    keys       interleaved; one of a single row, some that are in one file only, one with rows only at the start
    negative   times before 1970, so that grids round down

The same values come out every time: the random stream is that of `RandomState`, which NumPy keeps frozen.
"""

import argparse
import pathlib

import numpy as np

START, END = -45_000, 400_000  # milliseconds
QUIET = (150_000, 290_000)  # nothing happens: longer than two minutes


def stamps(random, count, start=START, end=END, step=50):
    """Sorted times: on a coarse grid, so that many are equal, and some between."""
    times = random.randint(start // step, end // step, count) * step
    times = times + np.where(random.uniform(size=count) < 0.2, random.randint(0, step, count), 0)
    return np.sort(times[(times < QUIET[0]) | (times > QUIET[1])])


def text(value):
    """A field: empty for null."""
    return "" if value is None else repr(float(value)) if isinstance(value, float) else str(value)


def write(file, header, rows):
    with open(file, "w", encoding="utf-8", newline="\n") as out:
        out.write(header + "\n")
        out.writelines(",".join(text(value) for value in row) + "\n" for row in rows)


def prices(random, count):
    """Multiples of 1/64, so that ties of prices happen, with some null, NaN and infinite."""
    values = [float(v) for v in np.round(100 + np.cumsum(random.normal(0, 0.5, count)), 0) + random.randint(0, 64, count) / 64]
    for at, value in ((0.30, None), (0.31, None), (0.40, float("nan")), (0.41, float("inf")), (0.42, 1e15)):
        values[int(at * count)] = value
    return values


def trades(random):
    rows = []
    for symbol, count in (("A", 900), ("BB", 500), ("Ω, \"x\"", 200), ("ONE", 1), ("TRADES", 40)):
        times = stamps(random, count)[:count]
        values = prices(random, len(times)) if len(times) > 50 else [float(n) for n in range(len(times))]
        sizes = [None if gone else int(size) for gone, size in zip(random.uniform(size=len(times)) < 0.1, random.randint(0, 9, len(times)))]
        rows += [(int(t), symbol, v, s) for t, v, s in zip(times, values, sizes)]
    return interleaved(rows)


def quotes(random):
    rows = []
    for symbol, count in (("A", 700), ("BB", 60), ("Ω, \"x\"", 300), ("ONE", 3), ("QUOTES", 20)):
        end = 0 if symbol == "QUOTES" else END - 20_000
        times = stamps(random, count, START + 7_000, end)
        bids = np.round(random.uniform(90, 110, len(times)) * 4) / 4
        for t, bid in zip(times, bids):
            bid, ask = float(bid), float(bid + random.randint(1, 5) / 8)
            kind = random.randint(0, 20)
            bid, ask = {0: (None, ask), 1: (bid, None), 2: (None, None)}.get(kind, (bid, ask))
            rows.append((int(t), symbol, bid, ask))
            if kind > 16:
                rows.append(rows[-1])  # the same again: a row, but no change
    return interleaved(rows)


def interleaved(rows):
    """By time; equal times of a key stay in their order, those of several keys do not."""
    return [(t, f'"{s.replace(chr(34), chr(34) * 2)}"' if "," in s else s, *rest) for t, s, *rest in sorted(rows, key=lambda row: row[0])]


def sessions(random):
    """Hours of venues: some overlap, one ends before it begins, one has no end, one is null."""
    rows = [(-40_000, -10_000, "early", 0.5), (-20_000, 30_000, "main", 0.25), (30_000, 20_000, "never", 9.0)]
    rows += [(50_000, 50_000, "never", 9.0), (60_000, 100_000, "main", 0.25), (60_000, 80_000, "night", 1.0), (70_000, 75_000, None, None)]
    rows += [(320_000, 340_000, "late", None), (350_000, None, "night", 0.125), (380_000, 385_000, "late", 2.0)]
    return rows


def events(random):
    count = 6_000
    times = stamps(random, count, -25_000, 120_000, 20)
    weights = 1 / np.arange(1, 21) ** 1.5
    campaigns = random.choice(np.arange(-3, 17), size=len(times), p=weights / weights.sum())
    users, types = random.randint(0, 1000, len(times)), random.randint(0, 3, len(times))
    rows = [(int(t), int(c), int(u), int(k)) for t, c, u, k in zip(times, campaigns, users, types)]
    rows = [(t, c, None if n % 50 == 0 else u, None if n % 33 == 0 else k) for n, (t, c, u, k) in enumerate(rows)]
    return sorted(rows + [(30_000, 99, 1, 1), (77_777, -50, 1, 2)], key=lambda row: row[0])


def generate(folder):
    """Writes all files."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.RandomState(3)
    write(folder / "trades.csv", "time,symbol,price,size", trades(random))
    write(folder / "quotes.csv", "time,symbol,bid,ask", quotes(random))
    write(folder / "sessions.csv", "opens,closes,venue,fee", sessions(random))
    write(folder / "events.csv", "time,campaign,user,type", events(random))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    generate(parser.parse_args().folder)
