"""Page: the comparison of systems as Markdown."""

import statistics

import scores

HEAD = """| system | a | b | all | median | better on | worst tables | CPU | size |
|---|---:|---:|---:|---:|---:|---|---:|---:|
"""
MEASURES = {"numbers": {"rmse": "RMSE"}, "classes": {"error": "error rate", "logloss": "log loss"}}


def text(data, chosen, names, options):
    """Return a table for each measure: a row per system with results, compared with the system options.against."""
    splits = [(seed, options.inner) for seed in options.splits]
    loaded = {name: {key: result for key, result in scores.load(data, name).items() if key[1:] in splits} for name in names}
    base = loaded[options.against]
    blocks = []
    for kind, measures in MEASURES.items():
        halves = {table["name"]: table["half"] for table in chosen if table["kind"] == kind}
        for measured, words in measures.items():
            lines = [line(name, results, base, measured, halves) for name, results in loaded.items() if name != options.against]
            if lines := list(filter(None, lines)):
                title = f"**{kind}**: {words} over that of {options.against}, geometric means over the tables of half a, half b, and all"
                blocks.append(title + "\n\n" + HEAD + "\n".join(lines))
    return "\n\n".join(blocks)


def line(name, results, base, measured, halves):
    """Return the row of a system; empty if it has no result."""
    found = {table: value for table, value in scores.ratios(results, base, measured).items() if table in halves}
    if not found:
        return ""
    means = []
    for half in ("a", "b", "ab"):
        values = [value for table, value in found.items() if halves[table] in half]
        means.append(f"{scores.mean(values):.3f}" if values else "")
    worst = sorted(found, key=found.get, reverse=True)[:5]
    seconds = [value for table, value in scores.ratios(results, base, "cpu").items() if table in found]
    sizes = [result["size"] for (table, *_), result in results.items() if table in found and "size" in result]
    failed = sorted({table for (table, *_), result in results.items() if table in halves and "failed" in result})
    cells = [
        name,
        *means,
        f"{statistics.median(found.values()):.3f}",
        f"{sum(value < 1 for value in found.values())} of {len(found)}",
        ", ".join(f"{table} {found[table]:.2f}" for table in worst) + (f"; fails on {', '.join(failed)}" if failed else ""),
        f"{scores.mean(seconds):.1f}" if seconds else "",
        f"{statistics.median(sizes):.0f}" if sizes else "",
    ]
    return "| " + " | ".join(cells) + " |"
