"""Models that predict with NumPy alone."""

from __future__ import annotations

from ._model import BaseModel, Firing
from ._presentation import Views

__all__ = ["Firing", "Model"]


class Model(BaseModel, Views):
    """A trained model.

    Models are made by `load`, `from_json` and `from_run`, and by the estimators of the package. They can be pickled, copied and compared.

    X of all methods is a frame, a mapping from names to columns, an array or a list of rows. Columns of frames and mappings are found by
    name, in any order; those of an array are the columns that the model was trained on, in their order. A missing value is NaN, None, NA
    or an empty text; the model fills it in. A row has no prediction, NaN, or None of a class, if one of its numbers is infinite, or 1e100
    standard deviations or more from the mean of the training data.

    Parameters
    ----------
    document : dict
        What ``tskgraph export --to json`` writes, parsed. It is checked and kept, not copied.

    Raises
    ------
    ModelError
        If the document is of another format or version, or a field is missing or not valid.
    """

    def _model(self) -> BaseModel:
        return self
