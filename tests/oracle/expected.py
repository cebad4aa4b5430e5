#!/usr/bin/env python3
"""The right answers of the example queries, computed with NumPy from their definitions.

    python3 tests/oracle/expected.py EXAMPLE INPUT=FILE … FOLDER [--type f32|f64]

writes FOLDER/OUTPUT.csv for every output of examples/EXAMPLE.tilt (as in `apps/trend x=x-f32.csv out`): the columns `time`
(whole seconds) and the fields of the output, as `tiltc run` gives them, and after each field that is a number a column
`FIELD tolerance`, how far another right answer may be from this one. An empty field is null; `?` says that any value will do,
because a comparison is closer than the rounding errors of its sides.

Nothing is shared with the compiler, and sums are not grouped as it groups them: that is what the tolerance is for.
"""

import argparse
import dataclasses
import pathlib
import typing

import numpy as np

from series import RELATIVE, ceil, grid, mean, read, size, std, total


@dataclasses.dataclass
class Column:
    """A field of an output. `tolerance` is absolute; `unsure` marks truth values that rounding could turn."""

    values: np.ndarray
    there: np.ndarray
    tolerance: typing.Optional[np.ndarray] = None
    unsure: typing.Optional[np.ndarray] = None


def greater(left, right, there, margin):
    """`left > right`, unsure where finite sides differ by no more than `margin`."""
    return Column(left > right, there, unsure=np.abs(left - right) <= margin)


def mean_size(window):
    """The mean magnitude of the values in a window."""
    return mean((np.abs(window[0]), window[1]))[0]


# Each example: its inputs as streams, and the relative tolerance of its type -> {output: (times, {field: Column})}.


def select(x, eps):
    t = grid(1, x)
    v, there = x.at(t)
    return {"select": (t, {"select": Column(v + 3.0, there, eps * (np.abs(v) + 3.0))})}


def where(x, eps):
    t = grid(1, x)
    v, there = x.at(t)
    keep = there & (v > 0.0)  # exact: no arithmetic before the comparison
    return {"where_": (t[keep], {"where_": Column(v[keep], there[keep], eps * np.abs(v[keep]))})}


def sums(x, eps, every, width):
    t = grid(every, x)
    window = x.window(t - width, t)
    return t, Column(*total(window), eps * size(window))


def window_sum(x, eps):
    t, column = sums(x, eps, 1000, 1000)
    return {"window_sum": (t, {"window_sum": column})}


def sliding_sum(x, eps):
    sliding, hop = sums(x, eps, 1, 100), sums(x, eps, 10, 100)
    return {"sliding": (sliding[0], {"sliding": sliding[1]}), "hop": (hop[0], {"hop": hop[1]})}


def join(l, r, eps):
    t = grid(1, l, r)
    (a, left), (b, right) = l.at(t), r.at(t)
    tolerance = eps * (np.abs(a) + np.abs(b))
    inner = Column(a + b, left & right, tolerance)
    # On the outer side nothing is null: a missing value counts as 0, also where both are missing.
    outer = Column(np.where(left, a, 0.0) + np.where(right, b, 0.0), np.ones(len(t), bool), tolerance)
    return {"inner": (t, {"inner": inner}), "outer": (t, {"outer": outer})}


def own_window(x, t, width):
    """The tumbling window that each t is in: (end - width, end], end = ceil(t, width). A line for each END, and its number."""
    ends, number = np.unique(ceil(t, width), return_inverse=True)
    return x.window(ends - width, ends), number


def normalize(x, eps):
    t = grid(1, x)
    window, n = own_window(x, t, 10_000)
    (m, _), (s, some), scale = mean(window), std(window, ddof=0), mean_size(window)
    v, there = x.at(t)
    z = (v - m[n]) / s[n]
    tolerance = eps * ((np.abs(v) + scale[n]) / s[n] + np.abs(z))
    return {"normalize": (t, {"normalize": Column(z, there & some[n], tolerance)})}


def filled(x, t, width, eps):
    """Values, and the mean of their own window where there is none."""
    window, n = own_window(x, t, width)
    (m, some), scale = mean(window), mean_size(window)
    v, there = x.at(t)
    return Column(np.where(there, v, m[n]), there | some[n], eps * np.where(there, np.abs(v), scale[n]))


def impute(x, eps):
    t = grid(1, x)
    return {"impute": (t, {"impute": filled(x, t, 10_000, eps)})}


def line(x, t, eps):
    """Along the straight line between the samples around t; null beside a missing sample and beyond the data."""
    start, end = t // x.period * x.period, ceil(t, x.period)
    (a, before), (b, after) = x.at(start), x.at(end)
    way = (t - start) / x.period
    return Column(a + (b - a) * way, before & after, eps * (np.abs(a) + np.abs(b)))


def resample(q, eps):
    t = grid(5, q)
    return {"resample": (t, {"resample": line(q, t, eps)})}


def trend(x, eps):
    t = grid(1, x)
    short, long = x.window(t - 20, t), x.window(t - 50, t)
    (fast, some), (slow, more) = mean(short), mean(long)
    margin = eps * (mean_size(short) + mean_size(long))
    return {"trend": (t, {"trend": greater(fast, slow, some & more, margin)})}


def rsi(x, eps):
    t = grid(1, x)
    rows = np.arange(t[0] - 14, t[-1] + 1)  # the changes that the windows reach: also those before the first output row
    (now, a), (before, b) = x.at(rows), x.at(rows - 1)
    d = dataclasses.replace(x, first=int(rows[0]), values=now - before, there=a & b)
    change, there = d.window(t - 14, t)
    gains, some = total((np.maximum(change, 0.0), there))  # NaN passes through
    losses, _ = total((np.maximum(-change, 0.0), there))
    index = 100.0 - 100.0 / (1.0 + gains / losses)
    return {"rsi": (t, {"rsi": Column(index, some, np.full(len(t), eps * 100.0))})}


def fraud(x, eps):
    t = grid(1, x)
    window = x.window(t - 11, t - 1)
    (m, some), (s, _) = mean(window), std(window, ddof=0)
    v, there = x.at(t)
    margin = eps * (np.abs(v) + mean_size(window) + 3.0 * s)
    return {"fraud": (t, {"fraud": greater(v, m + 3.0 * s, there & some, margin)})}


DAY, WEEK = 86_400, 7 * 86_400


def daily_mean(sea, eps):
    t = grid(sea.period, sea)
    window, n = own_window(sea, t, DAY)
    (m, some), scale = mean(window), mean_size(window)
    v, there = sea.at(t)
    fields = {"temperature": Column(v, there, eps * np.abs(v)), "mean": Column(m[n], some[n], eps * scale[n])}
    return {"daily": (t, fields)}


def anomalies(sea, eps):
    t = grid(sea.period, sea)
    window = sea.window(t - WEEK, t)
    (m, some), (s, enough) = mean(window, 48), std(window, min_count=48)
    v, there = sea.at(t)
    z = (v - m) / s
    bound = eps * ((np.abs(v) + mean_size(window)) / s + np.abs(z))
    unusual = greater(np.abs(z), np.full(len(t), 3.0), there & some & enough, bound)
    fields = {
        "temperature": Column(v, there, eps * np.abs(v)),
        "mean": Column(m, some, eps * mean_size(window)),
        "std": Column(s, enough, eps * (mean_size(window) + s)),
        "z": Column(z, there & some & enough, bound),
        "unusual": unusual,
    }
    return {"anomalies": (t, fields)}


def fill(sea, eps):
    t = grid(sea.period, sea)
    measured = Column(sea.at(t)[1], np.ones(len(t), bool))
    return {"fill": (t, {"temperature": filled(sea, t, DAY, eps), "measured": measured})}


def resample_sea(sea, eps):
    t = grid(45 * 60, sea)
    return {"resample": (t, {"resample": line(sea, t, eps)})}


EXAMPLES = {
    "sea-surface/daily-mean": daily_mean,
    "sea-surface/anomalies": anomalies,
    "sea-surface/fill": fill,
    "sea-surface/resample": resample_sea,
    "apps/select": select,
    "apps/where": where,
    "apps/window-sum": window_sum,
    "apps/sliding-sum": sliding_sum,
    "apps/join": join,
    "apps/normalize": normalize,
    "apps/impute": impute,
    "apps/resample": resample,
    "apps/trend": trend,
    "apps/rsi": rsi,
    "apps/fraud": fraud,
}
PERIODS = {"x": 1, "l": 1, "r": 1, "q": 4, "sea": 1800}
COLUMNS = {"sea": {"time": "time (UTC)", "value": "temperature (celsius)"}}


def inputs_of(example):
    """The names of an example's input streams."""
    code = EXAMPLES[example].__code__
    return code.co_varnames[: code.co_argcount - 1]


def write(file, times, fields):
    """Writes an output with its tolerances."""
    header, texts = ["time"], [[str(t) for t in times]]
    for name, column in fields.items():
        header.append(name)
        truth = column.tolerance is None
        text = [str(bool(v)).lower() if truth else repr(float(v)) for v in column.values]
        text = [v if there else "" for v, there in zip(text, column.there)]
        if column.unsure is not None:
            text = ["?" if doubt and v else v for v, doubt in zip(text, column.unsure)]
        texts.append(text)
        if not truth:
            header.append(f"{name} tolerance")
            texts.append([repr(float(v)) for v in column.tolerance])
    with open(file, "w", encoding="ascii", newline="\n") as out:
        out.write(",".join(header) + "\n")
        out.writelines(",".join(row) + "\n" for row in zip(*texts))


def expected(example, files, kind, folder):
    """Writes the expected outputs of an example; gives their files by name of output."""
    streams = {name: read(file, PERIODS[name], kind, **COLUMNS.get(name, {})) for name, file in files.items()}
    with np.errstate(all="ignore"):  # 0/0 and inf - inf are meant
        outputs = EXAMPLES[example](**streams, eps=RELATIVE[kind])
    written = {}
    for output, (times, fields) in outputs.items():
        written[output] = pathlib.Path(folder) / f"{output}.csv"
        write(written[output], times, fields)
    return written


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("example", choices=EXAMPLES)
    parser.add_argument("inputs", nargs="+", metavar="INPUT=FILE")
    parser.add_argument("folder")
    parser.add_argument("--type", choices=RELATIVE, default="f64")
    arguments = parser.parse_args()
    pathlib.Path(arguments.folder).mkdir(parents=True, exist_ok=True)
    files = dict(text.split("=", 1) for text in arguments.inputs)
    expected(arguments.example, files, arguments.type, arguments.folder)
