"""Certificates are checked without the program, and false ones are refused."""

from __future__ import annotations

import copy
import json
import pathlib
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tskgraph import certificate
from tskgraph._interval import Dual, Span, apply

Runs = Callable[[str], pathlib.Path]


@pytest.fixture(scope="module")
def run(binary: str, runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return the directory of a model with a certificate."""
    directory = tmp_path_factory.mktemp("certified")
    (directory / "model.json").write_bytes((runs("number") / "model.json").read_bytes())
    done = subprocess.run([binary, "certify", str(directory), "--budget", "5s"], capture_output=True, text=True, check=False)
    assert (directory / "certificate.json").exists(), done.stderr
    return directory


def test_a_certificate_holds(run: pathlib.Path) -> None:
    """The certificate of the program is one for this package, which the command says, too."""
    made = certificate.check(run)
    assert any(c["kind"] == "range" and c["status"] == "proved" for c in made["claims"])
    assert certificate.main([str(run)]) == 0
    assert certificate.main([]) == 2


Change = Callable[[Any], None]


def _claim(made: Any, kind: str) -> Any:
    return next(c for c in made["claims"] if c["kind"] == kind and c["status"] == "proved")


def _narrow(made: Any) -> None:
    c = _claim(made, "range")
    c["high"] = (c["attained"][0] + c["attained"][1]) / 2


def _swap(made: Any) -> None:
    c = _claim(made, "slope")
    c["low"], c["high"] = c["high"], c["low"]


def _drop(made: Any) -> None:
    made["covers"][-1].pop()


def _move(made: Any) -> None:
    boxes = next(b for b in made["covers"] if len(b) > 1)
    at = next(b for b in boxes if b.get("n"))["n"][0]
    at[1] += 0.25 * (at[2] - at[1])


def _shrink(made: Any) -> None:
    made["domain"]["columns"][0]["range"][1] *= 0.5


def _rename(made: Any) -> None:
    made["model"] = "sha256:" + 64 * "0"


@pytest.mark.parametrize("change", [_narrow, _swap, _drop, _move, _shrink, _rename])
def test_a_false_certificate_is_refused(run: pathlib.Path, tmp_path: pathlib.Path, change: Change) -> None:
    """What was changed in a certificate is found."""
    made = json.loads((run / "certificate.json").read_text(encoding="utf-8"))
    false = copy.deepcopy(made)
    change(false)
    path = tmp_path / "false.json"
    path.write_text(json.dumps(false), encoding="utf-8")
    with pytest.raises(certificate.CertificateError):
        certificate.check(run, path)
    assert certificate.main([str(run), str(path)]) == 1


def test_models_certify(run: pathlib.Path, model_of: Callable[[str], Any]) -> None:
    """A model has the certificate that the command writes of it."""
    made = model_of("number").certify(budget=5)
    assert made["domain"] == certificate.check(run)["domain"]


def test_intervals_hold_values() -> None:
    """Operations on intervals hold those on numbers in them, and derivatives hold differences."""
    random = np.random.default_rng(7)
    lo = random.normal(size=2000)
    x = Span(lo, lo + random.exponential(size=2000))
    at = x.lo + random.uniform(size=2000) * (x.hi - x.lo)
    functions = {"exp": np.exp, "tanh": np.tanh, "cos": np.cos, "square": np.square, "abs": np.abs}
    for name, f in functions.items():
        y = apply(name, Dual(x, 1.0))
        assert np.all((f(at) >= y.v.lo) & (f(at) <= y.v.hi)), name
        h = 1e-6
        inside = at + h <= x.hi
        slope = (f(at + h) - f(at)) / h
        assert np.all(((slope >= y.d.lo - 1e-8) & (slope <= y.d.hi + 1e-8))[inside]), name
    for v in (x + Span(at), x * Span(at), x / Span(np.full(2000, 3.0))):
        assert np.all(v.lo <= v.hi)
    product = x * x
    assert np.all((product.lo <= at * at) & (at * at <= product.hi))
