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

    ``str(rules)`` is the text of ``tskgraph show``, in which the rules that fire most come first. In notebooks they are shown as HTML.

    Parameters
    ----------
    rules : sequence of Rule
    description : mapping
        The document of ``tskgraph show --json``.
    """

    def __init__(self, rules: Sequence[Rule], description: Mapping[str, Any]) -> None:
        self._rules = tuple(rules)
        self._description = description

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Rules:
        """Return the rules in a document of ``tskgraph export --to json``.

        Raises
        ------
        ModelError
            If the document has no description of rules, or a damaged one.
        """
        rules = rules_of(document)
        return cls(rules, document["description"])

    @overload
    def __getitem__(self, index: int) -> Rule: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Rule, ...]: ...

    def __getitem__(self, index: int | slice) -> Rule | tuple[Rule, ...]:
        return self._rules[index]

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return bool(self._description == other._description)

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
    def curves(self) -> tuple[Curve, ...]:
        """Curves that the rules have in common: those that all add to their formulas or, if each has its own, the means of these."""
        return common_curves(self._description)

    @property
    def summary(self) -> Readability | None:
        """The four figures that tell whether the rules can be read one by one; None if they were not measured."""
        return readability_of(self._description)

    def to_frame(self, by: str = "rule") -> Any:
        """Return a data frame of pandas.

        Parameters
        ----------
        by : {"rule", "column"}
            ``"rule"``: a row for each rule. ``"column"``: a row for each column that a rule has a condition on or a term of, for each
            level with a term of its own, and for each output.

        Returns
        -------
        pandas.DataFrame
            By rule the columns ``rule``, of a committee ``member``, ``share``, ``samples``, ``if``, ``says`` and ``text``. By column
            ``rule``, of a committee ``member``, ``column``, ``unit``, ``is`` with ``lower`` and ``upper`` (see `Condition`), and of
            the formula ``output`` if there are several, ``level``, ``slope`` and ``effect`` (see `Term`), missing where there is none.

        Raises
        ------
        ValueError
            If by is neither of these.
        ImportError
            If pandas is not installed.
        """
        pandas = imported_pandas()
        if by not in ("rule", "column"):
            raise ValueError(f"by={by!r}: want 'rule' or 'column'")
        if by == "column":
            return self._of_columns(pandas)
        rows = [
            {
                "member": r.member,
                "rule": r.number,
                "share": r.share,
                "samples": r.samples,
                "if": " and ".join(c.text for c in r.conditions),
                "says": r.says,
                "text": r.text,
            }
            for r in self
        ]
        frame = pandas.DataFrame(rows, columns=["member", "rule", "share", "samples", "if", "says", "text"])
        return frame if any(r.member for r in self) else frame.drop(columns="member")

    def _of_columns(self, pandas: Any) -> Any:
        rows = []
        for rule in self:
            conditions = {condition.column: condition for condition in rule.conditions}
            for one in rule.consequents:
                terms = {(term.column, term.level): term for term in one.terms}
                for column, level in dict.fromkeys([*((c, None) for c in conditions if all(t != c for t, _ in terms)), *terms]):
                    condition, term = conditions.get(column), terms.get((column, level))
                    rows.append(
                        {
                            "member": rule.member,
                            "rule": rule.number,
                            "column": column,
                            "unit": (condition or term).unit,  # type: ignore[union-attr]
                            "is": condition and condition.words,
                            "lower": condition and condition.lower,
                            "upper": condition and condition.upper,
                            "output": one.output,
                            "level": level,
                            "slope": term and term.slope,
                            "effect": term and term.effect,
                        }
                    )
        names = ["member", "rule", "column", "unit", "is", "lower", "upper", "output", "level", "slope", "effect"]
        frame = pandas.DataFrame(rows, columns=names).astype(dict.fromkeys(("lower", "upper", "slope", "effect"), float))
        single = ([] if any(rule.member for rule in self) else ["member"]) + (
            [] if len({row["output"] for row in rows}) > 1 else ["output"]
        )
        return frame.drop(columns=single)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{len(self)} rule{'s' * (len(self) != 1)} of {self._description['target']!r}: print them, or index them from 0>"

    def _repr_html_(self) -> str:
        return page(rules_html(self.wording, self.shares))


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
