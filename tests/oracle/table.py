"""Expected outputs of queries over events, row by row.

A cell is None (null), a bool, an int or a text, which must come out exactly; `near(value, scale)`, a number that may be off by
rounding; or UNSURE, a truth value that rounding could turn. Times are texts as `tiltc run` spells them.
"""

import csv
import dataclasses
import math

UNSURE = "?"
RELATIVE = 1e-11  # of the magnitudes that went into a number: thousands of roundings of f64


@dataclasses.dataclass
class Near:
    """A number, and how far another right answer may be from it."""

    value: float
    tolerance: float


def near(value, scale=None, relative=RELATIVE):
    """A number computed from others of magnitude `scale` (its own, if not given). None stays None."""
    if value is None:
        return None
    scale = abs(value) if scale is None else abs(scale)
    return Near(float(value), relative * scale if math.isfinite(scale) else 0.0)


def greater(left, right, scale):
    """`left > right`; unsure where they differ by rounding only; None if one is None."""
    if left is None or right is None:
        return None
    return UNSURE if abs(left - right) <= RELATIVE * scale else left > right


@dataclasses.dataclass
class Table:
    """An output: names of its columns (behind the time), those that are numbers, and rows (time, cell, …)."""

    names: list
    numbers: set
    rows: list


def spelled(cell):
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return repr(cell.value) if isinstance(cell, Near) else str(cell)


def write(file, table):
    """Writes it in the form that compare.py reads."""
    header = ["time"]
    for name in table.names:
        header += [name, f"{name} tolerance"] if name in table.numbers else [name]
    with open(file, "w", encoding="utf-8", newline="") as out:
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(header)
        for time, *cells in table.rows:
            line = [time]
            for name, cell in zip(table.names, cells, strict=True):
                line.append(spelled(cell))
                if name in table.numbers:
                    line.append(repr(cell.tolerance) if isinstance(cell, Near) else "0.0")
            lines.writerow(line)
