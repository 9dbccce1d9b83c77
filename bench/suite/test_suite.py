"""Tests of the suite on a repository of two small tables: python3 -m pytest bench/suite."""

import hashlib
import json
import subprocess

import numpy as np
import pytest
import scores
import suite
import tables

NUMBERS = (
    "id,size,colour,price\n"
    + "".join(f"{i},{i % 7},{'red' if i % 3 else ''},{i % 7 * 2 + (i % 3 > 0)}\n" for i in range(60))
    + "60,1,red,\n"
)
CLASSES = (
    "% a comment\n@relation r\n@attribute 'kind' {0, 1, 'not seen'}\n@attribute \"two words\" numeric\n@attribute c {'a b', d}\n@DATA\n"
    + "".join(f"{i % 2}, {'?' if i % 5 == 0 else i}, {'a b' if i % 5 == 0 else 'd'}\n".replace("a b", "'a b'") for i in range(50))
    + "'not seen',3,d,\n"
)


@pytest.fixture(name="data")
def suite_data(tmp_path, monkeypatch):
    """Make a repository with two tables, a manifest of them, and an empty directory of data."""
    source = tmp_path / "remote" / "owner" / "name"
    source.mkdir(parents=True)
    (source / "some prices.csv").write_text(NUMBERS)
    (source / "kinds.arff").write_text(CLASSES)
    git = ["git", "-C", str(source), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "tables"]):
        subprocess.run(git + command, check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    rows = [
        {
            "name": "prices",
            "kind": "numbers",
            "half": "a",
            "repository": "owner/name",
            "path": "some prices.csv",
            "leave_out": ["id"],
            "sha256": hashlib.sha256(NUMBERS.encode()).hexdigest(),
        },
        {
            "name": "kinds",
            "kind": "classes",
            "half": "b",
            "repository": "owner/name",
            "path": "kinds.arff",
            "target": "kind",
            "sha256": hashlib.sha256(CLASSES.encode()).hexdigest(),
        },
    ]
    (tmp_path / "tables.json").write_text(json.dumps({"commits": {"owner/name": commit}, "tables": rows}))
    monkeypatch.setattr(tables, "MANIFEST", tmp_path / "tables.json")
    monkeypatch.setenv("SUITE_GIT", f"file://{tmp_path / 'remote'}")
    monkeypatch.setenv("SUITE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_get_and_run(data, capsys):
    """Get writes tables and splits, run appends each result once, page compares."""
    suite.main(["get"])
    ready = (data / "ready" / "prices.csv").read_text().splitlines()
    assert ready[:2] == ["size,colour,price", "0,,0"] and len(ready) == 61  # the row without a target is left out
    kinds = (data / "ready" / "kinds.csv").read_text().splitlines()
    assert kinds[:3] == ["two words,c,kind", ",a b,c0", "1,d,c1"] and len(kinds) == 51  # so is the class of one row
    parts = [(data / "splits" / f"kinds-1-{part}.csv").read_text().splitlines()[1:] for part in ("train", "test", "itrain", "iheld")]
    assert [len(part) for part in parts] == [40, 10, 32, 8] and sorted(parts[0] + parts[1]) == sorted(kinds[1:])
    assert sorted(parts[2] + parts[3]) == sorted(parts[0]) and sum(row.endswith("c1") for row in parts[1]) == 5
    for _ in range(2):
        suite.main(["run", "--systems", "boosting,forest", "--splits", "1"])
    results = [json.loads(line) for line in (data / "results" / "boosting.jsonl").read_text().splitlines()]
    assert [result["table"] for result in results] == ["prices", "kinds"] and "rmse" in results[0] and "logloss" in results[1]
    suite.main(["check"])
    assert "prices           numbers a        60       2     1    11.1%  price" in capsys.readouterr().out
    suite.main(["page", "--splits", "1"])
    told = capsys.readouterr().out
    assert told.count("| forest |") == 3 and "log loss over that of boosting" in told


def test_faults(data, capsys):
    """A wrong hash is an error with file and hashes; a table that is missing is skipped with a line."""
    suite.main(["get", "--tables", "prices"])
    (data / "owner" / "name" / "some prices.csv").write_text("changed")
    with pytest.raises(
        SystemExit, match=f"some prices.csv has .*{hashlib.sha256(b'changed').hexdigest()}, not {tables.manifest()[0]['sha256']}"
    ):
        suite.main(["check"])
    suite.main(["check", "--tables", "kinds"])
    assert "kinds is skipped" in capsys.readouterr().err


def test_scores():
    """Measures by hand, and a prediction that is missing."""
    assert scores.measure((["predicted"], [["1"], ["3"]]), ["1", "1"], "numbers") == {"rmse": np.sqrt(2)}
    found = scores.measure((["a", "b"], [["0.5", "0.5"], ["0.75", "0.25"]]), ["a", "new"], "classes")
    assert found["error"] == 0.5 and found["logloss"] == pytest.approx((np.log(2) - np.log(scores.LEAST)) / 2)
    with pytest.raises(ValueError, match="missing"):
        scores.measure((["predicted"], [["nan"]]), ["1"], "numbers")
    assert scores.ratio({"error": 0}, {"error": 0.09}, "error") == pytest.approx(0.1)
