"""Regular streams, windows and reducers for the oracle, each written down as it is defined.

Nothing here is fast or clever: a window is a matrix with one line of rows for each point, a reducer a sum along it. All
arithmetic is float64, on inputs that were first rounded to the type that the query declares. Times are whole seconds.
"""

import csv
import dataclasses
import datetime

import numpy as np

# How far a right answer may be from ours, relative to the magnitudes that went into it. A sum of n numbers in another order
# differs by at most n roundings (2^-24 for f32, 2^-53 for f64) of the sum of magnitudes, and by far less in a tree.
RELATIVE = {"f32": 1e-5, "f64": 1e-12}
ROUND = {"f32": np.float32, "f64": np.float64}


@dataclasses.dataclass
class Regular:
    """Samples stamped `k * period`, for k = first, first + 1, …; `there` is False where there is no value (null)."""

    period: int
    first: int
    values: np.ndarray
    there: np.ndarray

    def row(self, k):
        """Values and validity of the rows with absolute index k. Outside the data every row is null."""
        inside = (k >= self.first) & (k < self.first + len(self.values))
        position = np.where(inside, k - self.first, 0)
        there = inside & self.there[position]
        return np.where(there, self.values[position], 0.0), there

    def at(self, time):
        """The value at any time: that of the row whose period the time is in. Negative times round down."""
        return self.row(time // self.period)

    def window(self, start, end):
        """The rows stamped in (start, end], a line for each point: later than `start`, not later than `end`.

        Near the first and the last sample a window reaches beyond the data. It is not moved or dropped: the rows outside
        are null, reducers skip them, and the result is that of a partial window.
        """
        low, high = start // self.period + 1, end // self.period
        width = high - low + 1
        assert (width == width[0]).all(), "the windows of the examples all hold the same number of rows"
        return self.row(low[:, None] + np.arange(width[0]))

    def stamps(self):
        """First and last stamp. A row with an empty field is a row, and its stamp counts."""
        return self.first * self.period, (self.first + len(self.values) - 1) * self.period


def seconds(text):
    """A time field: ISO-8601 in UTC, or whole seconds."""
    if text.lstrip("-").isdigit():
        return int(text)
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    whole = moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    assert whole.microseconds == 0, f"{text}: the oracle counts in whole seconds"
    return whole.days * 86_400 + whole.seconds


def read(file, period, kind, time="time", value="v"):
    """Reads a regular stream. Slots that are not in the file are null; of two rows in one slot the last one counts."""
    with open(file, encoding="utf-8", newline="") as lines:
        rows = {seconds(row[time]): row[value] for row in csv.DictReader(lines)}
    assert all(stamp % period == 0 for stamp in rows), f"{file}: a row is off the grid"
    first = min(rows) // period
    texts = [rows.get(k * period, "") for k in range(first, max(rows) // period + 1)]
    there = np.array([text != "" for text in texts])
    values = np.array([ROUND[kind](text) if text else 0.0 for text in texts], dtype=np.float64)
    return Regular(period, first, values, there)


def grid(period, *inputs):
    """The times of an output on the grid of `period`.

    A run reaches from the first to the last stamp of all inputs. The rows of a grid start at the first grid point at or after
    the first stamp, and end at the first grid point at or AFTER the last stamp: so the last samples, too, are in a window.
    """
    first = min(stream.stamps()[0] for stream in inputs)
    last = max(stream.stamps()[1] for stream in inputs)
    return np.arange(-(-first // period), -(-last // period) + 1) * period


def ceil(time, period):
    """The first point of the grid at or after `time`."""
    return -(-time // period) * period


def total(window):
    """The sum of a window, null if nothing is in it."""
    values, there = window
    return np.where(there, values, 0.0).sum(axis=1), there.any(axis=1)


def size(window):
    """The sum of the magnitudes: the scale of the rounding errors of `total`."""
    return total((np.abs(window[0]), window[1]))[0]


def mean(window, min_count=1):
    """The mean of a window, null if it holds fewer than `min_count` values."""
    count = window[1].sum(axis=1)
    return total(window)[0] / np.maximum(count, 1), count >= min_count


def std(window, ddof=1, min_count=1):
    """The standard deviation, by its definition in two passes; null if it holds `ddof` values or fewer."""
    values, there = window
    count = there.sum(axis=1)
    away = values - mean(window)[0][:, None]
    squares = total((away * away, there))[0]
    deviation = np.sqrt(squares / np.maximum(count - ddof, 1))
    low = np.where(there, values, np.inf).min(axis=1)
    high = np.where(there, values, -np.inf).max(axis=1)
    deviation[low == high] = 0.0  # equal values: exactly 0, though their mean may be rounded
    return deviation, count >= max(min_count, ddof + 1)
