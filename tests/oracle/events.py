"""Streams of events for the oracle, for one key, written down as they are defined.

A stream is a list of rows (stamp, fields…) in the order of time, then arrival; times are whole milliseconds.
"""

import csv
import math

NS = 1_000_000  # in a millisecond


def number(text):
    return None if text == "" else float(text)


def whole(text):
    return None if text == "" else int(text)


def read(file, time, columns):
    """The rows of a file: stamps, and the columns, each with what reads its text."""
    with open(file, encoding="utf-8", newline="") as lines:
        return [(int(row[time]), *(of(row[name]) for name, of in columns.items())) for row in csv.DictReader(lines)]


def by_key(rows):
    """From rows (stamp, key, fields…) to a stream for each key."""
    streams = {}
    for stamp, key, *fields in rows:
        streams.setdefault(key, []).append((stamp, *fields))
    return streams


def as_of(rows, time):
    """The last row stamped at or before `time`; None if there is none."""
    found = None
    for row in rows:
        if row[0] <= time:
            found = row
    return found


def window(rows, start, end):
    """The rows stamped in (start, end]."""
    return [row for row in rows if start < row[0] <= end]


def grid(period, rows):
    """From the first grid point at or after the first stamp to the first at or after the last."""
    first, last = min(row[0] for row in rows), max(row[0] for row in rows)
    return range(-(-first // period) * period, -(-last // period) * period + 1, period)


def same(a, b):
    """Whether two values of a continuous stream are one."""
    if isinstance(a, tuple):
        return all(same(x, y) for x, y in zip(a, b))
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def changes(times, value, end):
    """The rows of a continuous stream whose value may change at `times`: (time, value), nothing before the first value."""
    empty = lambda v: all(x is None for x in v)
    rows = []
    for time in sorted(set(times)):
        now = value(time)
        if time <= end and (rows and not same(rows[-1][1], now) or not rows and not empty(now)):
            rows.append((time, now))
    return rows


def pieces(rows, value):
    """What holds from when until when, in milliseconds: each row until the next one; null left out."""
    ends = [row[0] for row in rows[1:]] + [math.inf]
    spans = [(row[0], end, value(row)) for row, end in zip(rows, ends)]
    return [span for span in spans if span[2] is not None]


def weigh(spans, start, end):
    """The integral (per second) over (start, end], and the nanoseconds that something holds; None if nothing does.

    Inside are the instants after `start` up to and including `end`, of a piece those from its start to before its end.
    """
    total = held = 0
    for begin, until, value in spans:
        low = max(begin * NS, start * NS + 1)
        high = end * NS + 1 if until == math.inf else min(until * NS, end * NS + 1)
        if high > low:
            total, held = total + value * (high - low), held + high - low
    return (total / 1e9, held) if held else (None, 0)
