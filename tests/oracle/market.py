"""The right answers of examples/market and of the benchmark of Yahoo: events by key, row by row in plain Python."""

import events as ev
from table import Table, near

TRADES = {"symbol": str, "price": ev.number, "size": ev.whole}
QUOTES = {"symbol": str, "bid": ev.number, "ask": ev.number}


class Market:
    """The files, by key."""

    def __init__(self, data):
        self.trades = ev.by_key(ev.read(data / "trades.csv", "time", TRADES))
        self.quotes = ev.by_key(ev.read(data / "quotes.csv", "time", QUOTES))
        self.keys = sorted({*self.trades, *self.quotes}, key=str.encode)
        self.sessions = ev.read(data / "sessions.csv", "opens", {"closes": ev.whole, "venue": str, "fee": ev.number})
        self.end = max(rows[-1][0] for rows in [*self.trades.values(), *self.quotes.values()])

    def of(self, key):
        return self.trades.get(key, []), self.quotes.get(key, [])

    def table(self, names, numbers, rows_of):
        """The rows of all keys, in the order of time, then key, then arrival."""
        rows = [(time, key, *cells) for key in self.keys for time, *cells in rows_of(*self.of(key))]
        rows.sort(key=lambda row: (row[0], row[1].encode()))
        return Table(["symbol", *names], set(numbers), rows)


def less(a, b):
    return None if a is None or b is None else a - b


def exact(value):
    return near(value, 0)


def middle(quote):
    """Between bid and ask of a quote."""
    if quote is None or quote[1] is None or quote[2] is None:
        return None
    return (quote[1] + quote[2]) / 2


def cost(trades, quotes):
    for time, price, _ in trades:
        quote = ev.as_of(quotes, time)
        bid, ask = quote[1:] if quote else (None, None)
        far = None if None in (price, bid, ask) else price > ask or price < bid
        against = [less(price, middle(ev.as_of(quotes, u))) for u in (time, time - 1)]
        yield time, exact(price), exact(bid), exact(ask), *(near(value, price) for value in against), far


def recent(trades, _):
    before = None
    for time, price, _ in trades:
        inside = ev.window(trades, time - 10_000, time)
        pairs = [(p, s) for _, p, s in inside if p is not None and s is not None]
        weight = sum(s for _, s in pairs)
        scale = sum(abs(p * s) for p, s in pairs) / weight if weight else 0
        vwap = near(sum(p * s for p, s in pairs) / weight, scale) if weight else None
        yield time, vwap, sum(p is not None for _, p, _ in inside), near(less(price, before), price)
        before = price


def as_of(market):
    costs = ["price", "bid", "ask", "cost", "before"]
    return {
        "cost": market.table([*costs, "far"], costs, cost),
        "recent": market.table(["vwap", "n", "change"], ["vwap", "change"], recent),
    }


def mid(market):
    def mids(_, quotes):
        value = lambda time: (middle(ev.as_of(quotes, time)),)
        return [(time, exact(v)) for time, (v,) in ev.changes([row[0] for row in quotes], value, market.end)]

    def believed(_, quotes):
        def value(time):
            quote = ev.as_of(quotes, time)
            return quote[1:] if quote and time < quote[0] + 5_000 else (None, None)

        times = [time for row in quotes for time in (row[0], row[0] + 5_000)]
        return [(time, exact(b), exact(a)) for time, (b, a) in ev.changes(times, value, market.end)]

    def minutes(trades, quotes):
        for now in ev.grid(60_000, trades + quotes):
            total, held = ev.weigh(ev.pieces(quotes, middle), now - 60_000, now)
            ask, bid = (ev.weigh(ev.pieces(quotes, lambda row: row[i]), now - 60_000, now)[0] for i in (2, 1))
            prices = [price for _, price, _ in ev.window(trades, now - 60_000, now) if price is not None]
            mean = near(sum(prices) / len(prices), sum(map(abs, prices)) / len(prices)) if prices else None
            twap = near(total / held * 1e9) if held else None
            yield now, twap, near(less(ask, bid), ask), mean, len(prices), exact(middle(ev.as_of(quotes, now)))

    numbers = ["twap", "spread", "trades", "last_mid"]
    return {
        "mid": market.table(["mid"], ["mid"], mids),
        "believed": market.table(["bid", "ask"], ["bid", "ask"], believed),
        "minutes": market.table(["twap", "spread", "trades", "n", "last_mid"], numbers, minutes),
    }


def sessions(market):
    def inside(trades, _):
        for time, price, size in trades:
            open_ = [row for row in market.sessions if row[0] <= time and (row[1] is None or time < row[1])]
            venue, fee = open_[-1][2:] if open_ else (None, None)
            if venue and venue != "night":  # an empty text in a file is null
                yield time, exact(price), venue, None if fee is None or size is None else exact(fee * size)

    def tape(trades, quotes):
        rows = [(time, 0, price) for time, price, _ in trades] + [(time, 1, bid) for time, bid, _ in quotes]
        known = before = None
        for time, side, value in sorted(rows, key=lambda row: row[:2]):  # stable: arrival stays
            if side == 0:
                quote = ev.as_of(quotes, time)
                price, bid = value, quote[1] if quote else None
            else:
                now = [row[1] for row in trades if row[0] == time]
                price, bid = now[-1] if now else None, value
            before, known = known, known if price is None else price
            yield time, exact(price), exact(bid), exact(known), exact(before)

    names = ["price", "bid", "known", "before"]
    return {
        "inside": market.table(["price", "venue", "fee"], ["price", "fee"], inside),
        "tape": market.table(names, names, tape),
    }


def ysb(data):
    rows = ev.read(data / "events.csv", "time", {"campaign": int, "user": ev.whole, "type": ev.whole})
    counts = []
    for campaign, own in ev.by_key(rows).items():
        for end in ev.grid(10_000, own):
            inside = ev.window(own, end - 10_000, end)
            counts.append((end, campaign, sum(user is not None and kind == 1 for _, user, kind in inside)))
    return {"views": Table(["campaign", "views"], set(), sorted(counts))}


PIECE_ROWS = 64  # so that there are many pieces, also of little data
EXAMPLES = {"market/as-of": as_of, "market/mid": mid, "market/sessions": sessions, "apps/ysb": ysb}
STREAMS = {
    "market/as-of": {"trades": "trades", "quotes": "quotes"},
    "market/mid": {"trades": "trades", "quotes": "quotes", "fresh": "quotes"},
    "market/sessions": {"trades": "trades", "quotes": "quotes", "sessions": "sessions"},
    "apps/ysb": {"events": "events"},
}


def arguments(example, _, data):
    return [word for name, file in STREAMS[example].items() for word in ("-i", f"{name}={data}/{file}.csv,unit=ms")]


def expected(example, _, data):
    """The outputs of an example."""
    return EXAMPLES[example](data if example == "apps/ysb" else Market(data))
