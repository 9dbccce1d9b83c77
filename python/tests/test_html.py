from __future__ import annotations

import html.parser
from typing import Any

import numpy as np
import pytest
import trained

from tskgraph import TSKClassifier, TSKRegressor, _html
from tskgraph.rules import Rules

HOSTILE = [
    '</script><script>alert("target")</script>',
    '"><b>',
    "<img src=x onerror=alert(1)>",
    "'\"&<!--",
    "</style><!-- <script>",
    "javascript:alert(1)",
    "'`${alert(3)}",
    "a\u2028\u202eb",
]
ALLOWED = {"div", "style", "p", "b", "code", "details", "summary", "span", "i", "ul", "li"}


class Reader(html.parser.HTMLParser):
    """Checks that elements are closed in order, and collects tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.said = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


@pytest.mark.parametrize("kind", trained.KINDS)
def test_rules_of_every_kind(model_of: Any, kind: str) -> None:
    model = model_of(kind)
    page = model._repr_html_()
    read = Reader(page)
    assert read.tags <= ALLOWED
    assert read.attributes <= {"class", "style", "open"}
    assert not any(word in page for word in ("http", "url(", "@import", "<script"))
    assert ", ".join(model.columns_used) in read.said
    for rule in model.rules:
        assert f"{100 * rule.share:.1f}%" in read.said or len([r for r in model.rules if not r.conditions]) > 1
        assert all(condition.text in read.said for condition in rule.conditions)
        if rule.says:
            assert all(part in read.said for part in rule.says.split(", "))
        for line in rule.text.splitlines():
            if line.lstrip().startswith(("+", "-")) and model.rules.wording.get("rules"):
                assert line.split("  (")[0].strip() in read.said
    wording = model.rules.wording
    assert all(line in read.said for line in wording["readability"])
    assert page.count('<span class="key">THEN</span>') == sum(
        len(one.get("rules") or ()) for one in (wording, *(wording.get("members") or ()))
    )


def test_many_rules_are_folded(model_of: Any) -> None:
    document = model_of("number").document
    wording = document["description"]["wording"]
    listed = [rule for rule in wording["rules"] if not rule.get("idle")]
    wording["rules"] = listed * 10
    page = "".join(_html._member(wording, Rules(document).shares[0]))
    read = Reader(page)
    assert f"{len(listed) * 10 - 12} more rules" in read.said
    assert page.index("more rules") > page.index("THEN")


@pytest.mark.usefixtures("binary")
def test_strangers_write_no_markup() -> None:
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("sklearn")
    random = np.random.default_rng(1)
    frame = pandas.DataFrame(
        {HOSTILE[2]: random.normal(size=90), HOSTILE[4]: random.choice(HOSTILE[4:8], 90), HOSTILE[3]: random.normal(size=90)}
    )
    labels = pandas.Series(np.where(frame[HOSTILE[2]] + frame[HOSTILE[3]] > 0, HOSTILE[1], HOSTILE[0]), name=HOSTILE[5])
    estimator = TSKClassifier(preset="paper", rules=3, iterations=30).fit(frame, labels)
    for page in (estimator._repr_html_(), estimator.model_._repr_html_(), estimator.rules_._repr_html_()):
        read = Reader(page)
        assert read.tags <= ALLOWED
        assert read.attributes <= {"class", "style", "open"}
        assert "alert(1)" in read.said and "</script>" not in page and "\u202e" not in page and "\u2028" not in page


@pytest.mark.usefixtures("binary")
def test_estimator_before_and_after_fit(numbers: Any) -> None:
    estimator = TSKRegressor(preset="paper", rules=3, iterations=30)
    assert "Not fitted." in Reader(estimator._repr_html_()).said
    estimator.fit(*numbers)
    bundle = estimator._repr_mimebundle_()
    assert bundle["text/plain"] == repr(estimator)
    said = Reader(bundle["text/html"]).said
    assert "Not fitted." not in said and "TSKRegressor(iterations=30, preset='paper', rules=3)" in said and "THEN y is about" in said
