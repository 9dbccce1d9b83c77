"""A rule and its parts, and the readability of rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class Grade:
    """The membership function of a feature in a rule.

    Attributes
    ----------
    feature : str
        A column, a level of a column such as ``"kind=fine"``, or a principal component.
    unit : str
        Empty without a unit.
    parameters : mapping from str to float
        By name, in the unit of the feature; of a transformed feature its positions only.
    transformed : mapping from str to float
        All parameters on the scale of the feature's transform; empty without one.
    """

    feature: str
    unit: str
    parameters: Mapping[str, float]
    transformed: Mapping[str, float]


@dataclasses.dataclass(frozen=True)
class Condition:
    """A condition of a rule on a column.

    Attributes
    ----------
    column, unit : str
    words : str
        The values with the larger grades, such as ``"low"``, ``"fine or mixed"`` or ``"at least 3.4"``.
    text : str
        The whole condition, such as ``"age is low (at most 28 days)"``.
    lower, upper : float or None
        Borders of these values; None if the outermost training values are among them, for levels, and if values between are not meant.
    preferably : bool
        Whether the grade is at least half its largest nearly everywhere.
    parameters : mapping from str to float
        Those of the column's membership function, by name; empty for a column of levels, see `Rule.grades`.
    """

    column: str
    unit: str
    words: str
    text: str
    lower: float | None
    upper: float | None
    preferably: bool
    parameters: Mapping[str, float]


@dataclasses.dataclass(frozen=True)
class Term:
    """The term of a feature in the formula of a rule.

    Attributes
    ----------
    column, unit : str
    level : str or None
        The level that the term is for; None of a column of numbers.
    slope : float
        In units of the output per unit of the column.
    effect : float
        Change of the term from ``lower`` to ``upper``, the 5% and 95% quantiles of the training values.
    lower, upper : float
    """

    column: str
    unit: str
    level: str | None
    slope: float
    effect: float
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Curve:
    """A function of a feature: linear between its points, constant beyond the first and the last.

    Attributes
    ----------
    feature, unit : str
    x, y : tuple of float
    """

    feature: str
    unit: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class Consequent:
    """The formula of a rule for an output: intercept, terms and curves.

    Attributes
    ----------
    output, unit : str
        The target, or an output on the scale of the link such as ``"score of high"``.
    intercept : float
    coefficients : mapping from str to float
        By feature; of principal components by component.
    terms : tuple of Term
        Those that are not zero, the largest effect first; none for principal components.
    curves : tuple of Curve
        The rule's own; those that all rules share are `Rules.curves`.
    """

    output: str
    unit: str
    intercept: float
    coefficients: Mapping[str, float]
    terms: tuple[Term, ...]
    curves: tuple[Curve, ...]


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule.

    Attributes
    ----------
    number : int
        From 1, in the order of the model file.
    member : int
        Of the committee that it belongs to, from 1; 0 for a single model.
    share : float
        Mean normalised firing level on the training part; the shares of a model sum to one.
    samples : int
        Training samples for which it fires most.
    conditions : tuple of Condition
        The IF part in words; empty if the rule always holds, and for a model without words.
    grades : tuple of Grade
        The IF part in numbers: all membership functions that are not constant.
    consequents : tuple of Consequent
        The THEN part, for each output.
    says : str
        What it says on average, such as ``"strength is about 60.0 MPa"``; empty if that was not measured.
    mean : tuple of float
        The same in numbers: of each target, quantile or class; empty if it was not measured.
    rmse : float or None
        Of the model where the rule fires most, on the training part.
    idle : bool
        Whether it fires most for no sample and has less than 1% of the firing.
    text : str
        The lines of ``tskgraph show``. Rules without any conditions, which always fire alike, have the same text.
    """

    number: int
    member: int
    share: float
    samples: int
    conditions: tuple[Condition, ...]
    grades: tuple[Grade, ...]
    consequents: tuple[Consequent, ...]
    says: str
    mean: tuple[float, ...]
    rmse: float | None
    idle: bool
    text: str = dataclasses.field(repr=False)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of the first output."""
        return self.consequents[0].terms

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Readability:
    """Whether the rules of a model can be read one by one.

    Attributes
    ----------
    fidelity : float or None
        Error of the strongest rule alone over that of the model: 1 is perfect. None if it is not a number.
    disagreement : float or None
        How far rules differ from the prediction where they fire, in standard deviations of the target.
    idle : float
        Share of the rules that are alone the strongest for no training sample.
    tied : float
        Share of these samples that no rule decides, since several fire equally, to rounding.
    out_of_range : float
        Share of the rules that say, on average, what the target never is in training.
    agreement : float or None
        Of classes, share of the rows for which the strongest rule has the model's class.
    lines : tuple of str
        These figures, a sentence each.
    remark : str
        A warning with reasons that the rules cannot be read one by one; empty if they can be.
    """

    fidelity: float | None
    disagreement: float | None
    idle: float
    tied: float
    out_of_range: float
    agreement: float | None
    lines: tuple[str, ...]
    remark: str

    def __str__(self) -> str:
        return "\n".join((self.remark, *self.lines) if self.remark else self.lines)
