#!/usr/bin/env python3
"""Measures what Quark costs to compile, against the std headers in the same run, and prints a table.

CPU seconds (user + sys) and peak memory of the compiler; each file is compiled several times, interleaved, and the
best time counts: noise only ever adds. It exits with 1 when a limit of budget.json is passed: with --check, which is
the test compile_budget, only for the lines marked `check`; without, for all of them, with the backend `native`.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import generate

MORE_ROUNDS = 4
HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"

# What is compiled: name -> (arguments of generate.source, optimisation).
CASES = {
    "none": (dict(headers="none"), 0),
    "fwd": (dict(headers="fwd"), 0),
    "std": (dict(headers="std"), 0),
    "headers": (dict(), 0),
    "model1": (dict(models=1), 0),
    "model9": (dict(models=9), 0),
    "wide4": (dict(models=5, width=32), 0),
    "query41_O0": (dict(models=1, queries=41), 0),
    "query5_O0": (dict(models=1, queries=5), 0),
    "std_O2": (dict(headers="std"), 2),
    "query5_O2": (dict(models=1, queries=5), 2),
    "query41_O2": (dict(models=1, queries=41), 2),
}
# Only with a full run.
MORE_CASES = {
    "model10": (dict(models=10), 0),
    "model100": (dict(models=100), 0),
    "query1_O0": (dict(models=1, queries=1), 0),
    "query2_O0": (dict(models=1, queries=2), 0),
    "query2_O2": (dict(models=1, queries=2), 2),
    "query10_O0": (dict(models=1, queries=10), 0),
    "query100_O0": (dict(models=1, queries=100), 0),
    "headers_O2": (dict(), 2),
    "model1_O2": (dict(models=1), 2),
    "model9_O2": (dict(models=9), 2),
    "wide4_O2": (dict(models=5, width=32), 2),
    "big_O0": (dict(models=20, queries=100), 0),
    "big_O2": (dict(models=20, queries=100), 2),
}
# Whole files, as people have them: name -> what is in it, its cases at -O0 and -O2.
FILES = [
    ("std headers alone", "std", "std_O2"),
    ("quark.hpp and sqlite.hpp, nothing used", "headers", "headers_O2"),
    ("1 model, 2 queries", "query2_O0", "query2_O2"),
    ("1 model, 5 queries", "query5_O0", "query5_O2"),
    ("20 models, 100 queries", "big_O0", "big_O2"),
]


class Compiler:
    def __init__(self, command, flags, scratch):
        self.command, self.flags, self.scratch = command, flags, scratch
        # A compiler cache would measure itself.
        self.environment = dict(os.environ, CCACHE_DISABLE="1")
        self.version = first_line_of_version(command)
        self.kind = "clang" if "clang" in self.version else "gcc"
        full = [] if self.kind == "clang" else ["-dumpfullversion"]  # g++'s plain answer is the major version
        answer = subprocess.run([command, *full, "-dumpversion"], capture_output=True, text=True).stdout
        self.number = ".".join(answer.strip().split(".")[:2])

    def compile(self, source, level):
        """CPU seconds, peak memory in MB and size of code and constants in bytes of one compilation."""
        output = self.scratch / "out.o"
        arguments = [self.command, "-std=c++20", f"-O{level}", *self.flags, "-c", str(source), "-o", str(output)]
        with open(self.scratch / "log", "w+b") as log:
            process = subprocess.Popen(arguments, stdout=log, stderr=log, env=self.environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                log.seek(0)
                sys.exit(f"{' '.join(arguments)}\n{log.read().decode()[:4000]}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, code_size(output)


def first_line_of_version(command):
    return subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def installed_compilers():
    """g++, and clang 19 or newer under any name."""
    found = ["g++"] if shutil.which("g++") else []
    for name in ["clang++-19", "clang++", *(f"clang++-{version}" for version in range(20, 30))]:
        if shutil.which(name):
            answer = subprocess.run([name, "-dumpversion"], capture_output=True, text=True).stdout
            if int(answer.split(".")[0]) >= 19:
                return found + [name]
    return found


def code_size(path):
    """Bytes of code and constants. Of each inline function only one copy survives the linking: here it counts."""
    answer = subprocess.run(["size", str(path)], capture_output=True, text=True)
    return int(answer.stdout.splitlines()[1].split()[0]) if answer.returncode == 0 else 0


def run(compiler, cases, times, progress):
    """name -> (best seconds, least peak memory, size)."""
    results = {}
    for name, (arguments, _) in cases.items():
        (compiler.scratch / f"{name}.cpp").write_text(generate.source(**arguments))
    for round_ in range(times):
        for name, (_, level) in cases.items():
            seconds, memory, size = compiler.compile(compiler.scratch / f"{name}.cpp", level)
            old = results.get(name, (seconds, memory, size))
            results[name] = (min(old[0], seconds), min(old[1], memory), size)
            if progress:
                print(f"\r  round {round_ + 1} of {times}: {name:<12}", end="", file=sys.stderr, flush=True)
    if progress:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return results


def figures(results):
    """name of a budget line -> measured value, in the line's unit."""
    s = {name: seconds for name, (seconds, _, _) in results.items()}
    out = {
        "fwd": s["fwd"] - s["none"],
        "headers": s["headers"] - s["std"],
        "first_model": s["model1"] - s["headers"],
        "model": (s["model9"] - s["model1"]) / 8,
        "wide_model": (s["wide4"] - s["model1"]) / 4,
        "query_O0": (s["query41_O0"] - s["query5_O0"]) / 36,
        "query_O2": (s["query41_O2"] - s["query5_O2"]) / 36,
        "file_O0": s["query5_O0"],
        "file_O2": s["query5_O2"],
        "object": (results["query41_O2"][2] - results["query5_O2"][2]) / 36 / 1024,
    }
    if "model100" in s:
        out["model_growth"] = ((s["model100"] - s["model10"]) / 90) / ((s["model10"] - s["model1"]) / 9)
        out["query_growth"] = ((s["query100_O0"] - s["query10_O0"]) / 90) / ((s["query10_O0"] - s["query1_O0"]) / 9)
        out["memory"] = results["big_O2"][1]
    return out


def show(value, unit):
    if unit == "s":
        return f"{value:.2f} s" if value >= 0.3 else f"{value * 1000:.0f} ms"
    return f"{value:.2f}" if unit == "ratio" else f"{value:.1f} {unit}" if unit == "KiB" else f"{value:.0f} {unit}"


def judge(budget, measured, compiler, std, only_checked):
    """Rows of the table, and the lines whose ceiling was passed."""
    scale = std / budget["std_seconds"][compiler.kind]
    rows, over = [], []
    for line in budget["budget"]:
        if line["name"] not in measured or (only_checked and not line.get("check")):
            continue
        unit = line.get("unit", "s")
        value = measured[line["name"]]
        factor = scale if unit == "s" else 1
        target, ceiling = line["target"] * factor, line["ceiling"] * factor
        verdict = "met" if value <= target else "over target" if value <= ceiling else "OVER CEILING"
        against = f"{value / std:.2f}" if unit == "s" else ""
        rows.append((line["what"], show(value, unit), against, show(target, unit), show(ceiling, unit), verdict))
        if value > max(ceiling, line.get("allowed", 0) * factor):
            over.append(line["what"])
    return rows, over


def better(old, new):
    """The best of two runs, figure by figure."""
    return {name: (*map(min, old[name][:2], new[name][:2]), new[name][2]) for name in old}


def print_files(by_title):
    """One table of whole files: seconds and peak MB of each compiler and optimisation."""
    if not by_title:
        return
    print("\n**Whole files, CPU seconds / peak MB of the compiler**\n")
    print("| file | " + " | ".join(f"{title} {level}" for title in by_title for level in ("-O0", "-O2")) + " |")
    print("|---|" + "---|" * (2 * len(by_title)))
    for what, *cases in FILES:
        cells = [results[case] for results in by_title.values() for case in cases]
        print(f"| {what} | " + " | ".join(f"{seconds:.2f} s / {memory:.0f}" for seconds, memory, _ in cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", action="append", help="default: g++ and clang 19 or newer, those that are there")
    parser.add_argument("--backend", choices=["native", "pfr"], action="append", help="default: both")
    parser.add_argument("--flags", type=Path, help="a file of further flags, one a line, instead of the backend's own")
    parser.add_argument("--times", type=int, help="how often each file is compiled (default: 5; with --check 2)")
    parser.add_argument("--check", action="store_true", help="fewer files and lines of the budget")
    parser.add_argument("--raw", action="store_true", help="also print seconds and memory of each file")
    args = parser.parse_args()

    compilers = args.compiler or installed_compilers()
    times = args.times or (2 if args.check else 5)
    budget = json.loads((HERE / "budget.json").read_text())
    backends = [None] if args.flags else args.backend or ["native", "pfr"]
    failed, files = [], {}
    for command in compilers:
        for backend in backends:
            if backend is None:
                flags = [flag for flag in args.flags.read_text().splitlines() if flag]
            else:
                flags = [f"-I{INCLUDE}", f"-DQUARK_REFLECTION_{backend.upper()}=1"]
            with tempfile.TemporaryDirectory(prefix="quark-compile-") as scratch:
                compiler = Compiler(command, flags, Path(scratch))
                cases = CASES if args.check else {**CASES, **MORE_CASES}
                results = run(compiler, cases, times, progress=sys.stderr.isatty())
                rows, over = judge(budget, figures(results), compiler, results["std"][0], args.check)
                # More rounds when it looks bad: a neighbour's load is no reason to fail, a worse header is.
                for _ in range(MORE_ROUNDS if args.check else 0):
                    if not over:
                        break
                    results = better(results, run(compiler, cases, times, progress=sys.stderr.isatty()))
                    rows, over = judge(budget, figures(results), compiler, results["std"][0], True)
                std = results["std"][0]
            title = compiler.version + (f", reflection: {backend}" if backend else "")
            print(f"\n**{title}** (std headers: {std:.2f} s)\n")
            print("| what | measured | × std | target | ceiling | |\n|---|---|---|---|---|---|")
            for row in rows:
                print("| " + " | ".join(row) + " |")
            if args.raw:
                print("\n| file | CPU s | peak MB |\n|---|---|---|")
                for name, (seconds, memory, _) in results.items():
                    print(f"| {name} | {seconds:.2f} | {memory:.0f} |")
            if backend != "pfr":
                failed += [f"{title}: {what}" for what in over]
                files[f"{compiler.kind} {compiler.number}"] = results
    if not args.check:
        print_files(files)
    if failed:
        sys.exit("\nquark: compiling costs more than its ceiling:\n  " + "\n  ".join(failed))


if __name__ == "__main__":
    main()
