"""The rules of a model: conditions, what they say, and whether they can be believed one by one.

All texts are those of ``tskgraph show``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from ._frame import imported_pandas
from ._html import page, rules_html
from ._rule import Condition, Consequent, Curve, Grade, Readability, Rule, Term
from .errors import ModelError

__all__ = ["Condition", "Consequent", "Curve", "Grade", "Readability", "Rule", "Rules", "Term"]


class Rules(Sequence[Rule]):
    """The rules of a model, in the order of the model file; of a committee those of all members, one after the other.

    ``str(rules)`` is the text of ``tskgraph show``, in which the rules that decide most rows come first. In notebooks they are shown as
    HTML.

    Parameters
    ----------
    document : mapping
        What ``tskgraph export --to json`` writes. It is a ModelError if it has no description of rules, or a damaged one.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        try:
            self._description = document["description"]
            self._rules = tuple(_rules_of(self._description))
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise ModelError(f"the description of the rules is damaged: {type(error).__name__}: {error}: export the model again") from error

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Rule, ...]: ...

    def __getitem__(self, index: int | slice) -> Rule | tuple[Rule, ...]:
        return self._rules[index]

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and bool(self._description == other._description)

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def text(self) -> str:
        """The text of ``tskgraph show``."""
        return str(self.wording["text"])

    @property
    def wording(self) -> Mapping[str, Any]:
        """The parts of the text, see ``words.Wording`` of the Go module."""
        wording: Mapping[str, Any] = self._description["wording"]
        return wording

    @property
    def shares(self) -> list[dict[int, float]]:
        """Shares in the firing by the numbers of the rules, of each member; of a single model one mapping."""
        return [{r.number: r.share for r in self if r.member == k} for k in sorted({r.member for r in self})]

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The columns of `BaseModel.predict_firing`, from 0, whose sum is the level of a rule: of a page several. None of a committee."""
        described = self._description.get("rules") or ()
        return tuple(tuple(number - 1 for number in rule.get("fires") or (rule["rule"],)) for rule in described)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each rule, such as Rule 3 or, of the page of one of several outputs, Rule 3 of water."""
        named = {number: words["name"] for words in self.wording.get("rules") or () for number in words["numbers"]}
        described = self._description.get("rules") or ()
        return tuple(named[rule["rule"]] for rule in described)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """Curves that the rules have in common: those that all add to their formulas or, if each has its own, the means of these."""
        response = self._description.get("response")
        described = [self._description] if response is None else response.get("outputs") or ()
        return tuple(_curve(curve) for one in described for curve in (one.get("curves") or {"of": ()})["of"])

    @property
    def summary(self) -> Readability | None:
        """The four figures that tell whether the rules can be read one by one; None if they were not measured."""
        figures = self._description.get("readability")
        if figures is None:
            return None
        return Readability(
            fidelity=figures.get("fidelity"),
            disagreement=figures.get("disagreement"),
            idle=float(figures["idle"]),
            tied=float(figures.get("tied", 0)),
            out_of_range=float(figures["out_of_range"]),
            agreement=figures.get("agreement"),
            lines=tuple(self.wording["readability"]),
            remark=self.wording.get("remark", ""),
        )

    def to_frame(self, by: str = "rule") -> Any:
        """Return a data frame of pandas with a row for each rule, or by="column".

        By rule the columns are ``rule``, of a committee ``member``, ``share``, ``samples``, ``if``, ``says`` and ``text``. By column there
        is a row for each column that a rule has a condition on or a term of, for each level with a term of its own, and for each output,
        with ``rule``, of a committee ``member``, ``column``, ``unit``, ``is`` with ``lower`` and ``upper`` (see `Condition`), and of the
        formula ``output`` if there are several, ``level``, ``slope`` and ``effect`` (see `Term`), missing where there is none.
        """
        pandas = imported_pandas()
        if by not in ("rule", "column"):
            raise ValueError(f"by={by!r}: want 'rule' or 'column'")
        rows = [row for rule in self for row in ([_row(rule)] if by == "rule" else _rows_by_column(rule))]
        frame = pandas.DataFrame(rows, columns=_BY_RULE if by == "rule" else _BY_COLUMN)
        if by == "column":
            frame = frame.astype(dict.fromkeys(("lower", "upper", "slope", "effect"), float))
        single = [] if any(rule.member for rule in self) else ["member"]
        if by == "column" and frame["output"].nunique() <= 1:
            single.append("output")
        return frame.drop(columns=single)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{len(self)} rule{'s' * (len(self) != 1)} of {self._description['target']!r}: print them, or index them from 0>"

    def _repr_html_(self) -> str:
        return page(rules_html(self.wording, self.shares))


_BY_RULE = ["member", "rule", "share", "samples", "if", "says", "text"]
_BY_COLUMN = ["member", "rule", "column", "unit", "is", "lower", "upper", "output", "level", "slope", "effect"]


def _row(r: Rule) -> tuple[Any, ...]:
    return r.member, r.number, r.share, r.samples, " and ".join(c.text for c in r.conditions), r.says, r.text


def _rows_by_column(rule: Rule) -> Iterator[tuple[Any, ...]]:
    """Yield rows of the columns that a rule has conditions on or terms of."""
    conditions = {condition.column: condition for condition in rule.conditions}
    for one in rule.consequents:
        terms = {(term.column, term.level): term for term in one.terms}
        without = [(column, None) for column in conditions if all(of != column for of, _ in terms)]
        for column, level in dict.fromkeys([*without, *terms]):
            condition, term = conditions.get(column), terms.get((column, level))
            unit = (condition or term).unit  # type: ignore[union-attr]
            values = (condition.words, condition.lower, condition.upper) if condition else (None, None, None)
            yield rule.member, rule.number, column, unit, *values, one.output, level, term and term.slope, term and term.effect


Described = Mapping[str, Any]


def _rules_of(description: Described) -> Iterator[Rule]:
    """Yield the rules of a description of ``tskgraph show --json``."""
    wording: Described = description["wording"]
    if "members" not in description:
        yield from _rules(description, wording, 0)
        return
    for k, (member, words) in enumerate(zip(description["members"], wording["members"])):
        yield from _rules(member, words, k + 1)


def _rules(description: Described, wording: Described, member: int) -> Iterator[Rule]:
    said = {number: words for words in wording["rules"] for number in words["numbers"]}
    for rule in description["rules"]:
        yield _rule(description, rule, said[rule["rule"]], member)


def _rule(description: Described, rule: Described, words: Described, member: int) -> Rule:
    grades = tuple(
        Grade(one["feature"], one.get("unit", ""), _named(one.get("parameters")), _named(one.get("transformed")))
        for one in rule.get("if") or ()
    )
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


def _condition(one: Described, text: str, parameters: Mapping[str, Mapping[str, float]]) -> Condition:
    lower, upper = (None if one.get(end) is None else float(one[end]) for end in ("from", "to"))
    own = parameters.get(one["column"], {})
    return Condition(one["column"], one.get("unit", ""), one["is"], text, lower, upper, one.get("preferably", False), own)


def _consequents(description: Described, rule: Described) -> tuple[Consequent, ...]:
    response = description.get("response")
    if response is None:
        return (_consequent(description["target"], description.get("unit", ""), rule["then"], rule.get("terms")),)
    units = {output["name"]: output.get("unit", "") for output in response["outputs"]}
    return tuple(_consequent(one["output"], units[one["output"]], one["then"], one.get("terms")) for one in rule["outputs"])


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
