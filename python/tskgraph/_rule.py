"""A rule and its parts, and the readability of rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class Grade:
    """The membership function of a feature in a rule.

    The feature is a column, a level of a column such as ``"kind=fine"``, or a principal component. Parameters are by name, in the unit of
    the feature; of a transformed feature its positions only. Transformed has all of them on the scale of the transform; empty without one.
    """

    feature: str
    unit: str
    parameters: Mapping[str, float]
    transformed: Mapping[str, float]


@dataclasses.dataclass(frozen=True)
class Condition:
    """A condition of a rule on a column.

    The words are the values with the larger grades, such as ``"low"``, ``"fine or mixed"`` or ``"at least 3.4"``, and the text is the whole
    condition, such as ``"age is low (at most 28 days)"``. Lower and upper are the borders of these values; None if the outermost training
    values are among them, for levels, and if values between are not meant. With preferably the grade is at least half its largest nearly
    everywhere. Parameters are those of the column's membership function, by name; empty for a column of levels, see `Rule.grades`.
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

    The level is the one that the term is for; None of a column of numbers. The slope is in units of the output per unit of the column, and
    the effect is the change of the term from lower to upper, the 5% and 95% quantiles of the training values.
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
    """A function of a feature: linear between its points x, y, constant beyond the first and the last."""

    feature: str
    unit: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclasses.dataclass(frozen=True)
class Consequent:
    """The formula of a rule for an output: intercept, terms and curves.

    The output is the target, or one on the scale of the link such as ``"score of high"``. Coefficients are by feature, of principal
    components by component. Terms are those that are not zero, the largest effect first; none for principal components. Curves are the
    rule's own; those that all rules share are `Rules.curves`.
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
    says, mean : str, tuple of float
        What it says on average, such as ``"strength is about 60.0 MPa"``, of each target, quantile or class; empty if not measured.
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
    idle, tied : float
        Share of the rules that are alone the strongest for no training sample, and of these samples that no rule decides.
    out_of_range : float
        Share of the rules that say, on average, what the target never is in training.
    agreement : float or None
        Of classes, share of the rows for which the strongest rule has the model's class.
    lines, remark : tuple of str, str
        These figures, a sentence each, and a warning with reasons that the rules cannot be read one by one; empty if they can be.
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
