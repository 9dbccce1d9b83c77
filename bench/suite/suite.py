"""Suite: compares systems that learn from tables on public tables, in the directory that SUITE_DATA names.

suite.py get      fetch raw files that are missing, check their hashes, write the tables and their splits
suite.py check    check the hashes of the raw files, and list the tables
suite.py run      run systems on splits, and append what is not there yet to results/SYSTEM.jsonl
suite.py page     print the comparison as Markdown
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import frame
import page
import scores
import systems
import tables

SEEDS = (1, 2, 3)


def directory():
    """Return the directory of the data."""
    if "SUITE_DATA" not in os.environ:
        sys.exit("suite: SUITE_DATA names no directory")
    return pathlib.Path(os.environ["SUITE_DATA"])


def fetch(table, data):
    """Write the raw file of a table from a bare clone below git, which is made on the way."""
    clone = data / "git" / table["repository"]
    if not clone.exists():
        base = os.environ.get("SUITE_GIT", "https://github.com")
        subprocess.run(["git", "clone", "--quiet", "--bare", "--filter=blob:none", f"{base}/{table['repository']}", clone], check=True)
    shown = subprocess.run(["git", f"--git-dir={clone}", "show", f"{table['commit']}:{table['path']}"], capture_output=True, check=True)
    path = data / table["repository"] / table["path"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(shown.stdout)


def raw(table, data):
    """Return the bytes of the raw file of a table; none, with a line on standard error, if it is not there."""
    path = data / table["repository"] / table["path"]
    if not path.exists():
        print(f"suite: {table['name']} is skipped: {path} is missing", file=sys.stderr)
        return None
    found = path.read_bytes()
    if (digest := hashlib.sha256(found).hexdigest()) != table["sha256"]:
        sys.exit(f"suite: {path} has the SHA-256 {digest}, not {table['sha256']}")
    return found


def get(options):
    """Fetch, check, and write the tables and their splits."""
    data = directory()
    for name in ("ready", "splits", "results"):
        (data / name).mkdir(parents=True, exist_ok=True)
    for table in chosen(options):
        if not (data / table["repository"] / table["path"]).exists():
            try:
                fetch(table, data)
            except subprocess.CalledProcessError as fault:
                print(f"suite: {table['name']}: {' '.join(map(str, fault.cmd))} failed", file=sys.stderr)
        if (found := raw(table, data)) is None:
            continue
        columns, rows = tables.ready(found, table)
        tables.write(data / "ready" / f"{table['name']}.csv", columns, rows)
        for seed in SEEDS:
            for part, kept in tables.parts(rows, seed, table["kind"]).items():
                tables.write(data / "splits" / f"{table['name']}-{seed}-{part}.csv", columns, kept)


def check(options):
    """Check hashes, and print a line per table."""
    print(f"{'table':16} kind    half   rows columns words  missing  target")
    for table in chosen(options):
        if (found := raw(table, directory())) is None:
            continue
        columns, rows = tables.ready(found, table)
        words = sum(not all(tables.number(cell) for cell in column if cell) for column in list(zip(*rows))[:-1])
        share = sum(row.count("") for row in rows) / len(rows) / len(columns)
        about = f"{table['name']:16} {table['kind']:7} {table['half']:4} {len(rows):6} {len(columns) - 1:7}"
        print(f"{about} {words:5} {share:8.1%}  {columns[-1]}")


def chosen(options):
    """Return the tables that the options choose."""
    found = [table for table in tables.manifest() if options.kind in (None, table["kind"]) and options.half in (None, table["half"])]
    return [table for table in found if not options.tables or table["name"] in options.tables]


def measure(name, table, seed, options, data):
    """Return the result of a system on a split."""
    parts = ("itrain", "iheld") if options.inner else ("train", "test")
    train, test = (data / "splits" / f"{table['name']}-{seed}-{part}.csv" for part in parts)
    result = {"system": name, "table": table["name"], "seed": seed, "inner": options.inner}
    with tempfile.TemporaryDirectory(prefix="suite") as scratch:
        task = systems.Task(table["kind"], train, test, pathlib.Path(scratch), options.threads, options.limit)
        try:
            result |= systems.SYSTEMS[name](task)
            if task.out.exists():
                result |= scores.measure(frame.rows(task.out), [row[-1] for row in frame.rows(test)[1]], table["kind"])
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as fault:
            result["failed"] = str(fault)[:300]
            print(f"suite: {name} fails on {table['name']}: {result['failed']}", file=sys.stderr)
    return result


def run(options):
    """Run systems, one after another on each split, and append their results."""
    data = directory()
    known = {name: {} if options.again else scores.load(data, name) for name in options.systems}
    absent = set()
    for table in chosen(options):
        if not (data / "ready" / f"{table['name']}.csv").exists():
            print(f"suite: {table['name']} is skipped: get has not written it", file=sys.stderr)
            continue
        for seed in options.splits:
            for name in options.systems:
                if (name, table["kind"]) in absent or (table["name"], seed, options.inner) in known[name]:
                    continue
                try:
                    result = measure(name, table, seed, options, data)
                except systems.AbsentError as fault:
                    print(f"suite: {name} is skipped: {fault}", file=sys.stderr)
                    absent.add((name, table["kind"]))
                    continue
                with (data / "results" / f"{name}.jsonl").open("a", encoding="utf-8") as file:
                    print(json.dumps(result), file=file)


def names(text):
    """Return the names of a list with commas."""
    return text.split(",")


def main(arguments=None):
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("get", "check", "run", "page"))
    known = ", ".join(systems.SYSTEMS)
    parser.add_argument("--systems", type=names, default=["boosting", "tskgraph"], help=f"names with commas between: {known}")
    parser.add_argument("--tables", type=names, help="names with commas between; by default all tables")
    parser.add_argument("--kind", choices=("numbers", "classes"))
    parser.add_argument("--half", choices=("a", "b"), help="a: settings may be chosen on it; b: for reports alone")
    parser.add_argument("--splits", type=lambda text: [int(seed) for seed in text.split(",")], default=[1, 2])
    parser.add_argument("--inner", action="store_true", help="the division of the training part, without the test part")
    parser.add_argument("--again", action="store_true", help="also what has a result; the last one counts")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=float, default=3600, help="seconds that a process may take")
    parser.add_argument("--against", default="boosting", help="page: the system that the others are compared with")
    options = parser.parse_args(arguments)
    if unknown := set(options.systems) - set(systems.SYSTEMS):
        parser.error(f"no system {', '.join(sorted(unknown))}")
    if options.command == "page":
        print(page.text(directory(), chosen(options), list(systems.SYSTEMS), options))
    else:
        {"get": get, "check": check, "run": run}[options.command](options)


if __name__ == "__main__":
    main()
