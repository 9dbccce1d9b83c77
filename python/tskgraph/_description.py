"""Reads rules from the document of ``tskgraph show --json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._rule import Condition, Consequent, Curve, Grade, Readability, Rule, Term
from .errors import ModelError

Described = Mapping[str, Any]


def rules_of(document: Described) -> list[Rule]:
    """Return the rules in a document of ``tskgraph export --to json``, see `Rules.of`."""
    try:
        description: Described = document["description"]
        wording: Described = description["wording"]
        if "members" not in description:
            return list(_rules(description, wording, 0))
        every: list[Rule] = []
        for k, (member, words) in enumerate(zip(description["members"], wording["members"])):
            every += _rules(member, words, k + 1)
        return every
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ModelError(f"the description of the rules is damaged: {type(error).__name__}: {error}: export the model again") from error


def _rules(description: Described, wording: Described, member: int) -> Iterator[Rule]:
    said = {number: words for words in wording["rules"] for number in words["numbers"]}
    for rule in description["rules"]:
        yield _rule(description, rule, said[rule["rule"]], member)


def _rule(description: Described, rule: Described, words: Described, member: int) -> Rule:
    grades = tuple(_grade(one) for one in rule.get("if") or ())
    parameters = {grade.feature: grade.parameters for grade in grades}
    conditions = tuple(_condition(one, text, parameters) for one, text in zip(rule.get("words") or (), words["if"]))
    local = rule.get("local") or {}
    mean = local.get("response") or ([local["output"]] if local.get("output") is not None else [])
    return Rule(
        number=rule["rule"],
        member=member,
        share=float(rule["share"]),
        samples=rule["samples"],
        conditions=conditions,
        grades=grades,
        consequents=_consequents(description, rule),
        says=_says(words),
        mean=tuple(float(v) for v in mean),
        rmse=local.get("rmse"),
        idle=words.get("idle", False),
        text=words["text"],
    )


def _says(words: Described) -> str:
    """Return what a rule says on average, of several targets one after the other."""
    parts = [words["then"].get("says", "")]
    if not parts[0]:
        parts = [output.get("says", "") for output in words.get("outputs", ())]
    return ", ".join(part for part in parts if part)


def _grade(one: Described) -> Grade:
    return Grade(one["feature"], one.get("unit", ""), _named(one.get("parameters")), _named(one.get("transformed")))


def _condition(one: Described, text: str, parameters: Mapping[str, Mapping[str, float]]) -> Condition:
    return Condition(
        column=one["column"],
        unit=one.get("unit", ""),
        words=one["is"],
        text=text,
        lower=_border(one.get("from")),
        upper=_border(one.get("to")),
        preferably=one.get("preferably", False),
        parameters=parameters.get(one["column"], {}),
    )


def _border(value: Any) -> float | None:
    return None if value is None else float(value)


def _consequents(description: Described, rule: Described) -> tuple[Consequent, ...]:
    response = description.get("response")
    if response is None:
        return (_consequent(description["target"], description.get("unit", ""), rule["then"], rule.get("terms")),)
    units = [output.get("unit", "") for output in response["outputs"]]
    return tuple(_consequent(one["output"], unit, one["then"], one.get("terms")) for one, unit in zip(rule["outputs"], units))


def _consequent(output: str, unit: str, then: Described, terms: Any) -> Consequent:
    return Consequent(
        output=output,
        unit=unit,
        intercept=float(then["intercept"]),
        coefficients=_named(then.get("coefficients")),
        terms=tuple(_term(term) for term in terms or ()),
        curves=tuple(_curve(curve) for curve in then.get("curves") or ()),
    )


def _term(term: Described) -> Term:
    slope, effect, lower, upper = (float(term[key]) for key in ("slope", "effect", "from", "to"))
    return Term(term["column"], term.get("unit", ""), term.get("level"), slope, effect, lower, upper)


def _curve(curve: Described) -> Curve:
    return Curve(curve["feature"], curve.get("unit", ""), tuple(map(float, curve["x"])), tuple(map(float, curve["y"])))


def _named(parameters: Any) -> Mapping[str, float]:
    return {parameter["name"]: float(parameter["value"]) for parameter in parameters or ()}


def common_curves(description: Described) -> tuple[Curve, ...]:
    """Return the curves that rules have in common, of all outputs."""
    response = description.get("response")
    described = [description] if response is None else response.get("outputs") or ()
    return tuple(_curve(curve) for one in described for curve in (one.get("curves") or {"of": ()})["of"])


def readability_of(description: Described) -> Readability | None:
    """Return the figures of a description; None without them."""
    figures = description.get("readability")
    if figures is None:
        return None
    wording = description["wording"]
    return Readability(
        fidelity=figures.get("fidelity"),
        disagreement=figures.get("disagreement"),
        idle=float(figures["idle"]),
        tied=float(figures.get("tied", 0)),
        out_of_range=float(figures["out_of_range"]),
        agreement=figures.get("agreement"),
        lines=tuple(wording["readability"]),
        remark=wording.get("remark", ""),
    )
