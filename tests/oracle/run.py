#!/usr/bin/env python3
"""Runs every example query and compares its outputs with those of an independent NumPy program.

    python3 tests/oracle/run.py TILTC [EXAMPLE …] [--quick] [--keep FOLDER]

For each example, on every variant of its data: `TILTC run` on the interpreter and on compiled code, with one thread and with
two. The four outputs must be the same bytes, and agree with the right answers of
expected.py, stocks.py, pulse.py and market.py. `--quick` takes one variant each. Exit status 1 if
anything differs. An EXAMPLE is given as `apps/trend`.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile
import time

import generate
import generate_events
import market
import pulse
import stocks
import table
from compare import SHOWN, compare
from expected import COLUMNS, EXAMPLES, expected, inputs_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYS = list(itertools.product(("interp", "cpu"), (1, 2)))
QUICK = [("f32", "missing")]

# The examples with events, each by the module that knows its right answers and its arguments.
EVENTS = {example: module for module in (stocks, pulse, market) for example in module.EXAMPLES}


def variants(example, quick):
    """The (type, variant) pairs of an example's data; the real data come in one."""
    if example.startswith("sea-surface/"):
        return [("f64", "real")]
    if example in EVENTS:
        return [("f64", "events")]
    return QUICK if quick else list(itertools.product(generate.TYPES, generate.VARIANTS))


def inputs(example, folder, kind, variant):
    """The input files, by name of stream."""
    if variant == "real":
        return {"sea": ROOT / "examples/data/sea-surface.csv"}
    return {name: generate.path(folder, name, kind, variant) for name in inputs_of(example)}


def query(example, folder, kind):
    """The query file. The examples say f32; for other types a copy is made that says so."""
    file = ROOT / f"examples/{example}.tilt"
    if kind == "f32" or example.startswith("sea-surface/"):
        return file
    copy = folder / file.name
    copy.write_text(file.read_text(encoding="utf-8").replace("f32", kind), encoding="utf-8")
    return copy


def arguments(files, variant):
    """How the inputs are said on the command line."""
    words = []
    for name, file in files.items():
        if variant == "real":
            columns = COLUMNS[name]
            words += ["-i", f"{name}={file},time={columns['time']},temperature={columns['value']}", "--duplicates", "last"]
        else:
            words += ["-i", f"{name}={file},unit=s"]
    return words


def prepared(example, data, folder, kind, variant):
    """Right answers, query and arguments of an example on one variant of its data."""
    if example in EVENTS:
        module, right = EVENTS[example], {}
        for name, rows in module.expected(example, ROOT, data).items():
            right[name] = folder / f"{name}.csv"
            table.write(right[name], rows)
        return right, ROOT / f"examples/{example}.tilt", module.arguments(example, ROOT, data)
    files = inputs(example, data, kind, variant)
    return expected(example, files, kind, folder), query(example, folder, kind), arguments(files, variant)


def run(tiltc, program, words, outputs, folder, way, pieces):
    """One run, with several threads in pieces of so many rows; gives the output files by name, or a sentence that says what went wrong."""
    on, threads = way
    files = {name: folder / f"{name}-{on}-{threads}.csv" for name in outputs}
    command = [tiltc, "run", program, *words, "--on", on, "--threads", str(threads)]
    if threads > 1 and pieces:
        command += ["--piece-rows", str(pieces)]
    for name, file in files.items():
        command += ["-o", f"{name}={file}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return None, f"--on {on} --threads {threads}: more than 600 s"
    if done.returncode != 0:
        return None, f"--on {on} --threads {threads}: exit status {done.returncode}\n{done.stderr.strip()}"
    missing = [name for name, file in files.items() if not file.exists()]
    return files, f"--on {on} --threads {threads}: no output {missing}" if missing else None


def check(tiltc, example, data, folder, kind, variant):
    """Checks an example on one variant of its data; yields a line (output, rows, share, differences) for each output."""
    right, program, words = prepared(example, data, folder, kind, variant)
    results, reference = {}, None
    pieces = EVENTS[example].PIECE_ROWS if example in EVENTS else None
    for way in WAYS:
        files, problem = run(tiltc, program, words, right, folder, way, pieces)
        if problem:
            yield "", 0, 0.0, [problem]
            return
        results[way] = files
        reference = reference or files
    for output, want in right.items():
        outcome = compare(want, reference[output])
        differences = list(outcome.differences)
        bytes_of = {way: files[output].read_bytes() for way, files in results.items()}
        for (on, threads), content in bytes_of.items():
            if content != bytes_of[WAYS[0]]:
                differences.append(f"--on {on} --threads {threads} gives other bytes than the interpreter with one thread")
        yield output, outcome.rows, outcome.share(), differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tiltc", help="the tiltc binary")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="all, if none is named")
    parser.add_argument("--quick", action="store_true", help="one variant of the data for each example")
    parser.add_argument("--keep", metavar="FOLDER", help="leave data and outputs here")
    given = parser.parse_intermixed_args()
    known = [*EXAMPLES, *EVENTS]
    unknown = set(given.examples) - set(known)
    if unknown:
        parser.error(f"no such example: {', '.join(sorted(unknown))} (there are: {', '.join(known)})")
    with tempfile.TemporaryDirectory(prefix="tilt-oracle-") as temporary:
        return examples(given, pathlib.Path(given.keep or temporary))


def examples(given, folder):
    """Checks the examples asked for and prints the table; gives the exit status."""
    data = folder / "data"
    generate.generate(data)
    generate_events.generate(data)
    failures = 0
    print(f"{'example':<24}{'data':<14}{'output':<12}{'rows':>7}{'error/tolerance':>17}{'seconds':>9}", flush=True)
    for example in given.examples or [*EXAMPLES, *EVENTS]:
        for kind, variant in variants(example, given.quick):
            place = folder / example / f"{kind}-{variant}"
            place.mkdir(parents=True, exist_ok=True)
            start = time.monotonic()
            for output, rows, share, differences in check(given.tiltc, example, data, place, kind, variant):
                spent = time.monotonic() - start
                verdict = "DIFFERS" if differences else "ok"
                print(f"{example:<24}{kind + ' ' + variant:<14}{output:<12}{rows:>7}{share:>17.2g}{spent:>9.1f}  {verdict}", flush=True)
                for text in differences[:SHOWN]:
                    print(f"    {text}", flush=True)
                failures += bool(differences)
    print(f"{failures} outputs differ" if failures else "all outputs are the same on every path and agree with the oracle")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
