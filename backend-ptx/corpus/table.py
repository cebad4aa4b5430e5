"""The table of the corpus: table.py TILTC TOOLS SCRATCH FILE…

For each file: whether it was read, whether `ptxas` reports the same for the printed text, how many of its kernels can be sliced and
preempted, whether `ptxas` takes the module with the slices, and what the slices cost.
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


class Ptxas:
    def __init__(self, tools):
        self.old = f"{tools}/cuda12/nvidia/cuda_nvcc/bin/ptxas"
        self.new = f"{tools}/cuda13/nvidia/cu13/bin/ptxas"

    def figures(self, path):
        """By kernel: registers, spilled bytes, shared bytes; `None` if ptxas refuses the file."""
        text = pathlib.Path(path).read_bytes().replace(b"\0", b"").decode(errors="replace")
        arch = re.search(r"^\s*\.target\s+(sm_\w+)", text, re.M).group(1)
        if int(re.sub(r"\D", "", arch)) < 50:
            arch = "sm_70"
        program = self.new if re.search(r"^\s*\.version\s+(9|\d\d)\.", text, re.M) else self.old
        clean = f"{path}.clean"
        pathlib.Path(clean).write_text(text)
        done = subprocess.run([program, "-v", "-c", "-arch", arch, clean, "-o", f"{path}.cubin"], capture_output=True, text=True)
        if done.returncode:
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
    printed, sliced = f"{scratch}/{name}.printed.ptx", f"{scratch}/{name}.sliced.ptx"
    command = [tiltc, "ptx"]
    numbers["parsed"] = subprocess.run([*command, "parse", path, "-o", printed], capture_output=True).returncode == 0
    before = ptxas.figures(path)
    if not numbers["parsed"]:
        return numbers, Counter(), []
    numbers["taken"] = before is not None
    numbers["same"] = before is not None and before == ptxas.figures(printed)
    verdicts = json.loads(subprocess.run([*command, "legality", path, "--json"], capture_output=True, text=True, check=True).stdout)
    codes = Counter()
    for one in verdicts:
        numbers["kernels"] += 1
        for form in ("slice", "preempt"):
            numbers[form] += one[form]["verdict"] == "sound"
            for code in {reason["code"] for reason in one[form].get("reasons", [])}:
                codes[f"{form} {code}"] += 1
    done = subprocess.run([*command, "rewrite", "--form", "slice", path, "-o", sliced], capture_output=True, text=True)
    costs = []
    if done.returncode == 0 and before is not None:
        after = ptxas.figures(sliced)
        numbers["sliced taken"] = after is not None
        numbers["with slices"] = 1
        for line in done.stdout.splitlines():
            original, form = re.match(r"(\S+) -> ([^,]+),", line).groups()
            if after and original in before and form in after:
                costs.append((original, [a - b for a, b in zip(after[form], before[original])]))
    return numbers, codes, costs


def main():
    tiltc, tools, scratch, *files = sys.argv[1:]
    ptxas = Ptxas(tools)
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda path: row(tiltc, ptxas, scratch, path), files))
    print(f"{'file':<40} {'kernels':>7} {'parsed':>7} {'ptxas':>9} {'sliceable':>9} {'preemptible':>11}  slices cost (registers)")
    total, codes, registers = Counter(), Counter(), Counter()
    spills, shared = [], []
    for path, (numbers, own, costs) in zip(files, rows):
        total += numbers
        codes += own
        added = Counter(cost[0] for _, cost in costs)
        registers += Counter({str(key): count for key, count in added.items()})
        spills += [name for name, cost in costs if cost[1] > 0]
        shared += [name for name, cost in costs if cost[2] != 0]
        verdict = "same" if numbers["same"] else "refuses" if not numbers["taken"] else "DIFFERENT"
        cost = " ".join(f"{key:+d}:{count}" for key, count in sorted(added.items()))
        parsed = "yes" if numbers["parsed"] else "NO"
        print(f"{pathlib.Path(path).name:<40} {numbers['kernels']:>7} {parsed:>7} {verdict:>9} {numbers['slice']:>9} {numbers['preempt']:>11}  {cost}")
    print(f"{len(files)} files, {total['kernels']} kernels: {total['parsed']} files parsed; ptxas took {total['taken']} and reports the same for {total['same']} after printing")
    print(f"{total['slice']} kernels can be sliced, {total['preempt']} preempted; ptxas took {total['sliced taken']} of {total['with slices']} modules with slices")
    print("refused: " + (", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "none"))
    print("registers added by slices: " + ", ".join(f"{int(key):+d}: {registers[key]}" for key in sorted(registers, key=int)))
    print(f"slices with new spills: {len(spills)}; with other shared memory: {len(shared)}")
    good = total["parsed"] == len(files) and total["same"] == total["taken"] and total["sliced taken"] == total["with slices"]
    return 0 if good and not spills and not shared else 1


if __name__ == "__main__":
    sys.exit(main())
