#!/usr/bin/env python3
"""Compares outputs of `tiltc run` with what expected.py wrote.

    python3 tests/oracle/compare.py EXPECTED ACTUAL [EXPECTED ACTUAL …]

They agree if they have the same times in the same order, the same fields, null (empty) in the same places, and values within
the tolerances that the expected file states (the same text, where it states none). NaN equals NaN, whatever its bits; an infinity equals only itself. Prints the
worst error of every field; exit status 1, with the first differences, if they do not agree.
"""

import csv
import math
import sys

from series import seconds

SHOWN = 10


class Comparison:
    """What came out of comparing one file: the differences as sentences, and the worst error of each numeric field."""

    def __init__(self):
        self.differences = []
        self.rows = 0
        self.worst = {}  # field -> (error / tolerance, error, time)

    def differs(self, text):
        self.differences.append(text)

    def share(self):
        """The worst error as a share of what is tolerated."""
        return max((share for share, _, _ in self.worst.values()), default=0.0)


def table(file):
    """Header and rows of a CSV file."""
    with open(file, encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))
    return (rows[0], rows[1:]) if rows else ([], [])


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same_time(want, got):
    """Whether these are one time: texts of one form, but for zeros behind the point; or whole seconds and a date."""
    plain = [text.rstrip("0").rstrip(".") if "." in text else text for text in (want, got)]
    return plain[0] == plain[1] or (want.lstrip("-").isdigit() and seconds(got) == int(want))


def field(result, place, name, want, got, tolerance):
    """Compares one field. `tolerance` is None for what must be spelled exactly so: truth values, counts, symbols."""
    if want == "?" and got in ("true", "false"):
        return
    if tolerance is None or want == "" or got == "":
        if want != got:
            result.differs(f"{place}: {name} is {got or 'null'}, expected {want or 'null'}")
        return
    right, value = float(want), number(got)
    if value is None:
        result.differs(f"{place}: {name} is `{got}`, expected the number {want}")
    elif math.isfinite(right) and math.isfinite(value):
        error = abs(value - right)
        share = error / tolerance if tolerance else math.inf if error else 0.0
        result.worst[name] = max(result.worst.get(name, (0.0, 0.0, "")), (share, error, place))
        if not share <= 1.0:
            result.differs(f"{place}: {name} is {got}, expected {want} within {tolerance:.2g}")
    elif not (right == value or (math.isnan(right) and math.isnan(value))):
        result.differs(f"{place}: {name} is {got}, expected {want}")


def compare(expected, actual):
    """Compares two files."""
    result = Comparison()
    (want_header, want), (got_header, got) = table(expected), table(actual)
    names = [name for name in want_header if not name.endswith(" tolerance")]
    if got_header != names:
        result.differs(f"columns are {got_header}, expected {names}")
        return result
    result.rows = len(got)
    if len(got) != len(want):
        result.differs(f"{len(got)} rows, expected {len(want)}")
    place_of = {name: i for i, name in enumerate(want_header)}
    columns = [(name, place_of[name], place_of.get(f"{name} tolerance")) for name in names[1:]]
    for want_row, got_row in zip(want, got):
        place = f"time {want_row[0]}"
        if len(got_row) != len(names):
            result.differs(f"{place}: {len(got_row)} fields, expected {len(names)}")
        elif not same_time(want_row[0], got_row[0]):
            result.differs(f"{place}: the row there is at {got_row[0]}")
            break  # everything after it is shifted
        else:
            for (name, at, bound), value in zip(columns, got_row[1:]):
                tolerance = None if bound is None or want_row[bound] == "" else float(want_row[bound])
                field(result, place, name, want_row[at], value, tolerance)
    return result


def main(files):
    if not files or len(files) % 2:
        sys.exit(__doc__)
    failed = False
    for expected, actual in zip(files[::2], files[1::2]):
        result = compare(expected, actual)
        print(f"{actual}: {result.rows} rows, {len(result.differences)} differences")
        for name, (share, error, place) in result.worst.items():
            print(f"  {name}: worst error {error:.3g}, {share:.1%} of the tolerance, {place}")
        for text in result.differences[:SHOWN]:
            print(f"  {text}")
        failed |= bool(result.differences)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
