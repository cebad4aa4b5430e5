"""The table of the corpus: table.py TILTC TOOLS SCRATCH FILE…

For each file: whether it was read, whether `ptxas` reports the same for the printed text, how many of its kernels can be sliced and
preempted, whether `ptxas` takes the modules with the forms, and what the forms cost.
"""

import json
import pathlib
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

ENTRY = re.compile(r"Compiling entry function '([^']+)'")
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers(.*)")
SHARED = re.compile(r"(\d+) bytes smem")
FORMS = ("slice", "preempt")
MORE_SHARED = {"slice": 0, "preempt": 31}  # bytes: the slot of a worker, 16, and padding before it


class Ptxas:
    def __init__(self, tools, scratch):
        self.scratch = scratch
        self.old = f"{tools}/cuda12/nvidia/cuda_nvcc/bin/ptxas"
        self.new = f"{tools}/cuda13/nvidia/cu13/bin/ptxas"

    def figures(self, path):
        """By kernel: registers, spilled bytes, shared bytes; `None` if ptxas refuses the file."""
        text = pathlib.Path(path).read_bytes().replace(b"\0", b"").decode(errors="replace")
        arch = re.search(r"^\s*\.target\s+(sm_\w+)", text, re.M).group(1)
        if int(re.sub(r"\D", "", arch)) < 50:
            arch = "sm_70"
        program = self.new if re.search(r"^\s*\.version\s+(9|\d\d)\.", text, re.M) else self.old
        clean = f"{self.scratch}/{pathlib.Path(path).name}.clean"
        pathlib.Path(clean).write_text(text)
        command = [program, "-v", "-arch", arch, clean, "-o", f"{clean}.cubin"]
        # as the driver does; where a function is not there, as for the linker
        for more in ([], ["-c"]):
            done = subprocess.run(command + more, capture_output=True, text=True)
            if not done.returncode:
                break
        else:
            return None
        figures, name = {}, None
        for line in done.stderr.splitlines():
            if found := ENTRY.search(line):
                name = found.group(1)
            elif (found := SPILLS.search(line)) and name:
                figures.setdefault(name, [0, 0, 0])[1] = int(found.group(2)) + int(found.group(3))
            elif (found := USED.search(line)) and name:
                shared = SHARED.search(found.group(2))
                figures.setdefault(name, [0, 0, 0])[::2] = [int(found.group(1)), int(shared.group(1)) if shared else 0]
        return figures


def row(tiltc, ptxas, scratch, path):
    """One file's numbers."""
    numbers, name = Counter(), pathlib.Path(path).name
    printed = f"{scratch}/{name}.printed.ptx"
    command = [tiltc, "ptx"]
    numbers["parsed"] = subprocess.run([*command, "parse", path, "-o", printed], capture_output=True).returncode == 0
    before = ptxas.figures(path)
    if not numbers["parsed"]:
        return numbers, Counter(), {form: [] for form in FORMS}
    numbers["taken"] = before is not None
    numbers["same"] = before is not None and before == ptxas.figures(printed)
    verdicts = json.loads(subprocess.run([*command, "legality", path, "--json"], capture_output=True, text=True, check=True).stdout)
    codes = Counter()
    for one in verdicts:
        numbers["kernels"] += 1
        for form in FORMS:
            numbers[form] += one[form]["verdict"] == "sound"
            for code in {reason["code"] for reason in one[form].get("reasons", [])}:
                codes[f"{form} {code}"] += 1
    costs = {form: [] for form in FORMS}
    for form in FORMS:
        rewritten = f"{scratch}/{name}.{form}.ptx"
        done = subprocess.run([*command, "rewrite", "--form", form, path, "-o", rewritten], capture_output=True, text=True)
        if done.returncode or before is None:
            continue
        after = ptxas.figures(rewritten)
        numbers[f"with {form}"] = 1
        numbers[f"{form} taken"] = after is not None
        for line in done.stdout.splitlines():
            original, clone = re.match(r"(\S+) -> ([^,]+),", line).groups()
            if after and original in before and clone in after:
                costs[form].append((original, before[original], [a - b for a, b in zip(after[clone], before[original])]))
    return numbers, codes, costs


def warps(registers):
    """How many warps of a multiprocessor the registers let be resident."""
    return min(64, 65536 // (-(-registers // 8) * 8 * 32))


def summary(form, total, costs):
    """Prints what a form costs; whether nothing is wrong with it."""
    added = Counter(cost[0] for _, _, cost in costs)
    spills = [name for name, _, cost in costs if cost[1] > 0]
    shared = [name for name, _, cost in costs if not 0 <= cost[2] <= MORE_SHARED[form]]
    fewer = [name for name, before, cost in costs if warps(before[0] + cost[0]) < warps(before[0])]
    ordered = sorted(cost[0] for _, _, cost in costs)
    median = ordered[len(ordered) // 2] if ordered else 0
    print(f"{form}: {total[form]} kernels can have it; ptxas took {total[f'{form} taken']} of {total[f'with {form}']} modules")
    print(f"  registers added: median {median}; " + ", ".join(f"{key:+d}: {added[key]}" for key in sorted(added)))
    print(f"  new spills: {len(spills)}; other shared memory: {len(shared)}; fewer warps resident: {len(fewer)} {' '.join(fewer)}".rstrip())
    return total[f"{form} taken"] == total[f"with {form}"] and not spills and not shared


def main():
    tiltc, tools, scratch, *files = sys.argv[1:]
    ptxas = Ptxas(tools, scratch)
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda path: row(tiltc, ptxas, scratch, path), files))
    print(f"{'file':<40} {'kernels':>7} {'parsed':>7} {'ptxas':>9} {'sliceable':>9} {'preemptible':>11}  registers: slices; workers")
    total, codes, costs = Counter(), Counter(), {form: [] for form in FORMS}
    for path, (numbers, own_codes, own) in zip(files, rows):
        total += numbers
        codes += own_codes
        cost = []
        for form in FORMS:
            costs[form] += own[form]
            added = Counter(cost[0] for _, _, cost in own[form])
            cost.append(" ".join(f"{key:+d}:{count}" for key, count in sorted(added.items())))
        verdict = "same" if numbers["same"] else "refuses" if not numbers["taken"] else "DIFFERENT"
        parsed = "yes" if numbers["parsed"] else "NO"
        print(f"{pathlib.Path(path).name:<40} {numbers['kernels']:>7} {parsed:>7} {verdict:>9} {numbers['slice']:>9} {numbers['preempt']:>11}  {'; '.join(cost)}")
    print(f"{len(files)} files, {total['kernels']} kernels: {total['parsed']} files parsed; ptxas took {total['taken']} and reports the same for {total['same']} after printing")
    print("refused: " + (", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "none"))
    good = [summary(form, total, costs[form]) for form in FORMS]
    return 0 if total["parsed"] == len(files) and total["same"] == total["taken"] and all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
