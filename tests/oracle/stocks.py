"""The right answers of examples/stocks: daily rows of several shares, computed share by share in plain NumPy.

Prices of a share are an array; a window of the last n rows is a slice of it.
"""

import csv
import datetime

import numpy as np

from table import Table, UNSURE, greater, near

EPOCH = datetime.date(1970, 1, 1).toordinal()


def read(file):
    """For each ticker, in order: days since 1970, and the columns."""
    with open(file, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    shares = {}
    for ticker in sorted({row["Ticker"] for row in rows}):
        own = [row for row in rows if row["Ticker"] == ticker]
        share = {name.lower(): np.array([float(row[name]) for row in own]) for name in ("Open", "High", "Low", "Close")}
        share["volume"] = [int(row["Volume"]) for row in own]
        share["day"] = [datetime.date.fromisoformat(row["Date"]).toordinal() - EPOCH for row in own]
        shares[ticker] = share
    return shares


def date(day):
    return datetime.date.fromordinal(EPOCH + day).isoformat()


def table(names, numbers, shares, rows_of):
    """The rows of all shares in the order of time, then ticker; `rows_of(share)` gives (day, cells)."""
    rows = [(day, ticker, cells) for ticker, share in shares.items() for day, cells in rows_of(share)]
    rows.sort(key=lambda row: row[:2])
    return Table(["ticker", *names], set(numbers), [(date(day), ticker, *cells) for day, ticker, cells in rows])


def last(values, n, i):
    """The last n of the values up to number i, as many as there are."""
    return values[max(i - n + 1, 0) : i + 1]


def smooth(values, alpha):
    """Each value counts alpha, what was before the rest; starts with the first. `values` may start with None."""
    out, state = [], None
    for value in values:
        if value is not None:
            state = value if state is None else alpha * value + (1 - alpha) * state
        out.append(state)
    return out


def deviation(window):
    """Of a whole population; equal values deviate by 0, though their mean may be rounded."""
    return 0.0 if (window == window[0]).all() else float(np.sqrt(((window - window.mean()) ** 2).mean()))


def index(gain, loss):
    """100 - 100 / (1 + G / L)."""
    with np.errstate(all="ignore"):
        return float(100 - 100 / (1 + np.float64(gain) / np.float64(loss)))


def rsi(stocks):
    def rows(share):
        change = np.diff(share["close"])
        up, down = np.maximum(change, 0), np.maximum(-change, 0)
        gains, losses = smooth(up, 1 / 14), smooth(down, 1 / 14)
        yield share["day"][0], (None, None)
        for i, day in enumerate(share["day"][1:]):
            cutler = index(last(up, 14, i).sum(), last(down, 14, i).sum())
            yield day, (near(cutler, 100), near(index(gains[i], losses[i]), 100))

    return {"strength": table(["cutler", "wilder"], ["cutler", "wilder"], stocks, rows)}


def bands(share, i):
    window = last(share["close"], 20, i)
    middle, away = float(window.mean()), 2 * deviation(window)
    return middle - away, middle, middle + away


def bollinger(stocks):
    names = ["close", "lower", "middle", "upper", "place"]

    def rows(share):
        for i, day in enumerate(share["day"]):
            price, (lower, middle, upper) = share["close"][i], bands(share, i)
            with np.errstate(all="ignore"):
                place = float((price - lower) / np.float64(upper - lower))
            scale = price / (upper - lower) if upper > lower else 0.0
            yield day, (near(price, 0), *(near(value, middle) for value in (lower, middle, upper)), near(place, scale))

    def outside(share):
        for i, day in enumerate(share["day"]):
            price, (lower, middle, upper) = share["close"][i], bands(share, i)
            assert min(abs(price - lower), abs(price - upper)) > 1e-9 or i < 19, "too close to tell"
            if i >= 19 and not lower <= price <= upper:
                yield day, (near(price, 0), bool(price > upper))

    return {
        "bollinger": table(names, names, stocks, rows),
        "outside": table(["close", "above"], ["close"], stocks, outside),
    }


def trend(stocks):
    def means(share, i):
        close = share["close"]
        return float(last(close, 20, i).mean()), float(last(close, 50, i).mean()) if i >= 49 else None

    def rows(share):
        for i, day in enumerate(share["day"]):
            fast, slow = means(share, i)
            yield day, (greater(fast, slow, fast),)

    def up(share):
        before = None
        for i, day in enumerate(share["day"]):
            fast, slow = means(share, i)
            now = greater(fast, slow, fast)
            assert now is not UNSURE, "too close to tell"
            if now and before is False:
                yield day, (near(share["close"][i], 0), near(fast), near(slow))
            before = now

    names = ["close", "fast", "slow"]
    return {"trend": table(["trend"], [], stocks, rows), "up": table(names, names, stocks, up)}


def atr(stocks):
    def rows(share):
        high, low, close = share["high"], share["low"], share["close"]
        true = high - low
        true[1:] = np.maximum(true[1:], np.maximum(np.abs(high[1:] - close[:-1]), np.abs(low[1:] - close[:-1])))
        smoothed = smooth(true, 1 / 14)
        for i, day in enumerate(share["day"]):
            mean = float(last(true, 14, i).mean())
            percent = near(mean / close[i] * 100, 100) if i >= 13 else None
            yield day, (near(true[i], close[i]), near(mean, close[i]), near(smoothed[i], close[i]), percent)

    names = ["range", "mean", "wilder", "percent"]
    return {"range": table(names, names, stocks, rows)}


def macd(stocks):
    def lines(share):
        fast, slow = (smooth(share["close"], 2 / (n + 1)) for n in (12, 26))
        line = [a - b for a, b in zip(fast, slow)]
        return fast, slow, line, smooth(line, 2 / 10)

    def ema(share):
        fast, slow, _, _ = lines(share)
        for i, day in enumerate(share["day"]):
            yield day, (near(share["close"][i], 0), near(fast[i]), near(slow[i]))

    def rows(share):
        _, slow, line, signal = lines(share)
        for i, day in enumerate(share["day"]):
            yield day, tuple(near(value, slow[i]) for value in (line[i], signal[i], line[i] - signal[i]))

    def buy(share):
        fast, slow, line, signal = lines(share)
        above = [greater(a, b, c) for a, b, c in zip(line, signal, slow)]
        above[0] = False  # both begin with 0: not above
        assert UNSURE not in above, "too close to tell"
        for i, day in enumerate(share["day"]):
            if i > 0 and above[i] and not above[i - 1]:
                yield day, (near(share["close"][i], 0), near(fast[i]))

    return {
        "ema": table(["close", "fast", "slow"], ["close", "fast", "slow"], stocks, ema),
        "macd": table(["macd", "signal", "histogram"], ["macd", "signal", "histogram"], stocks, rows),
        "buy": table(["close", "fast"], ["close", "fast"], stocks, buy),
    }


def rows_and_days(stocks):
    def recent(share):
        for i, day in enumerate(share["day"]):
            inside = [k for k, other in enumerate(share["day"]) if day - 28 < other <= day]
            rows, days = float(last(share["close"], 20, i).mean()), float(share["close"][inside].mean())
            pause = near(day - share["day"][i - 1], 0) if i else None
            yield day, (near(rows), near(days), len(inside), pause)

    def weeks(share):
        friday = lambda day: day + (1 - day) % 7  # day 1 was one
        for end in range(friday(share["day"][0]), friday(share["day"][-1]) + 1, 7):
            inside = [k for k, day in enumerate(share["day"]) if end - 7 < day <= end]
            if not inside:
                yield end, (None, None, None, None, None, 0)
                continue
            prices = (share["open"][inside[0]], share["high"][inside].max(), share["low"][inside].min(), share["close"][inside[-1]])
            volume = sum(share["volume"][k] for k in inside)
            yield end, (*(near(price, 0) for price in prices), volume, len(inside))

    names = ["open", "high", "low", "close"]
    return {
        "recent": table(["rows", "days", "n", "pause"], ["rows", "days", "pause"], stocks, recent),
        "weeks": table([*names, "volume", "days"], names, stocks, weeks),
    }


PIECE_ROWS = 1024  # so that there are several pieces, also of little data
EXAMPLES = {
    "stocks/rsi": rsi,
    "stocks/bollinger": bollinger,
    "stocks/trend": trend,
    "stocks/atr": atr,
    "stocks/macd": macd,
    "stocks/rows-and-days": rows_and_days,
}


def arguments(_, root, __):
    return ["-i", f"stocks={root}/examples/data/stocks.csv"]


def expected(example, root, _):
    """The outputs of an example."""
    return EXAMPLES[example](read(root / "examples/data/stocks.csv"))
