"""Measures every workload with the runtimes that are here, and writes the table and the figure.

compare.py calls this in the environment that it makes; any Python that has pliant, onnx and matplotlib will do.
"""

import argparse
import functools
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from datetime import date
from pathlib import Path

import machine
import report
from group import COMPARED_WITH, Group
from measures import MEASURES
from players import PlayerProcess
from runtimes import RUNTIMES
from workloads import WORKLOADS


def say(words):
    print(f"[{time.strftime('%H:%M:%S')}] {words}", file=sys.stderr, flush=True)


def importable(wanted):
    """(runtimes that can be imported, runtime -> why not for the others)"""
    reasons = {name: import_error(RUNTIMES[name].module) for name in RUNTIMES if name in wanted}
    missing = {name: words for name, words in reasons.items() if words}
    return [name for name in reasons if name not in missing], missing


@functools.cache
def import_error(module):
    """Empty if it can be imported, which another process tries."""
    done = subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]


def versions(runtimes):
    """package -> version"""
    packages = dict.fromkeys([RUNTIMES[name].module for name in runtimes] + ["numpy", "onnx"])
    return {package: importlib.metadata.version(package) for package in packages}


def measure_workload(workload, arguments, runtimes, folder, seconds_of):
    """Lines of the table, and the first answer of each runtime in seconds, loading included."""
    lines, first = [], {}
    group = Group(workload, folder, arguments.threads, runtimes)
    probe = PlayerProcess("probe", workload, folder, arguments.threads)
    try:
        probe.order("load")
        for row in workload.rows():
            start = time.monotonic()
            if row.checks():
                answered = group.check(row, among_all=arguments.quick)
                first = first or {runtime: group.load_seconds[runtime] + answered[runtime] for runtime in answered}
            checked = time.monotonic() - start
            lines += MEASURES[row.measure](row, group, probe, seconds_of(row))
            say(f"{row.name}: checked in {checked:.0f} s, measured in {time.monotonic() - start - checked:.0f} s")
    finally:
        group.close()
        probe.close()
    for runtime, (kind, words) in group.reasons.items():
        if kind != "declined":
            say(f"{workload.name}: {runtime} {kind}: {words}")
    return lines, first


def measure_table(arguments, runtimes):
    workloads = [WORKLOADS[name](arguments.quick) for name in arguments.workloads]
    total = sum(row.share for workload in workloads for row in workload.rows())

    def seconds_of(row):
        return 60 * arguments.minutes * row.share / total

    table = {"lines": [], "first": {}}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for workload in workloads:
            lines, first = measure_workload(workload, arguments, runtimes, Path(folder) / workload.name, seconds_of)
            table["lines"] += [asdict(line) for line in lines]
            table["first"][workload.name] = first
    table["minutes"] = (time.monotonic() - start) / 60
    return table


def wrong_lines(tables):
    """Lines where Pliant gave no right answer."""
    return [line["name"] for table in tables for line in table["lines"] if COMPARED_WITH in line["reasons"]]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=1, help="threads of every runtime (default: 1)")
    parser.add_argument(
        "--minutes", type=float, default=4, help="what timing may take; starting, compiling and checks come on top"
    )
    parser.add_argument(
        "--quick", action="store_true", help="tiny sizes and a few rounds: shows that all works, not how fast"
    )
    parser.add_argument("--repeat", action="store_true", help="makes the table twice and says whether they agree")
    parser.add_argument("--runtimes", nargs="+", choices=list(RUNTIMES), default=list(RUNTIMES))
    parser.add_argument("--workloads", nargs="+", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--output", type=Path, default=Path("."), help="folder of benchmarks.md, .svg and .json")
    parser.add_argument("--missing", type=Path, help="JSON that says why a package could not be installed")
    parser.add_argument("--command", default=" ".join(["python", *sys.argv]), help="what the document says was typed")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.quick:
        arguments.minutes = min(arguments.minutes, 0.2)
    runtimes, missing = importable(arguments.runtimes)
    if COMPARED_WITH not in runtimes:
        raise SystemExit(f"the Python package of this repository cannot be imported: {missing[COMPARED_WITH]}")
    if arguments.missing and arguments.missing.exists():
        reasons = json.loads(arguments.missing.read_text())
        missing = {name: reasons.get(RUNTIMES[name].module, words) for name, words in missing.items()}
    for name, words in missing.items():
        say(f"without {name}: {words}")
    result = {
        "machine": machine.describe(),
        "date": date.today().isoformat(),
        "command": arguments.command,
        "threads": arguments.threads,
        "quick": arguments.quick,
        "runtimes": runtimes,
        "versions": versions(runtimes),
        "missing": missing,
        "tables": [measure_table(arguments, runtimes) for _ in range(2 if arguments.repeat else 1)],
    }
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "benchmarks.json").write_text(json.dumps(result, indent=1))
    for written in report.write(result, arguments.output):
        say(f"wrote {written}")
    wrong = wrong_lines(result["tables"])
    if wrong:
        raise SystemExit(f"Pliant gave no right answer in: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
