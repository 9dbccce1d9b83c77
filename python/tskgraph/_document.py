"""Documents of predictors in memory and in files."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, TypeVar

from ._files import replace
from ._node import parse
from ._predictor import Predictor
from ._reader import read
from .errors import ModelError

T = TypeVar("T", bound="Stored")


class Stored:
    """A document that was checked: what `Model` is made of, and the files that hold it.

    Parameters
    ----------
    document : dict
        What ``tskgraph export --to json`` writes, parsed. It is kept, not copied.

    Raises
    ------
    ModelError
        If the document is of another format or version, or a field is missing or not valid.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self._form = read(document)
        self._document = document
        self._predictor = Predictor(self._form)

    @classmethod
    def from_json(cls: type[T], text: str | bytes) -> T:
        """Return the model of a document of ``tskgraph export --to json``.

        Parameters
        ----------
        text : str or bytes
            Bytes are UTF-8.

        Raises
        ------
        ModelError
            If the text is no such document.
        """
        return cls(parse(text))

    @classmethod
    def load(cls: type[T], path: str | os.PathLike[str]) -> T:
        """Return the model of a file that `save` or ``tskgraph export --to json`` wrote. The program tskgraph is not needed.

        Raises
        ------
        OSError
            If the file cannot be read.
        ModelError
            If it is damaged, of another version or of another format.
        """
        with open(path, "rb") as file:
            text = file.read()
        try:
            return cls.from_json(text)
        except ModelError as error:
            raise ModelError(f"{os.fspath(path)}: {error}") from error

    @classmethod
    def from_run(cls: type[T], path: str | os.PathLike[str]) -> T:
        """Return the model of a directory of ``tskgraph train``, or of a model file. It needs the program tskgraph.

        Raises
        ------
        BinaryNotFoundError
            If the program is missing.
        ModelError
            If the model file is damaged.
        SettingError
            If the model has neighbours: its predictions need its training rows.
        """
        from ._program import run

        return cls.from_json(run(["export", "--model", os.fspath(path), "--to", "json", "--out", "-"]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, which `load` reads. A file of this name is replaced when the new one is complete.

        Raises
        ------
        OSError
            If the file cannot be written; a file that was there before is unchanged.
        """
        replace(path, (json.dumps(self._document, separators=(",", ":"), allow_nan=False) + "\n").encode())

    @property
    def document(self) -> dict[str, Any]:
        """What ``tskgraph export --to json`` writes, as a copy."""
        return copy.deepcopy(self._document)

    def model_file(self) -> bytes:
        """Return the model file of the program tskgraph."""
        text: str = self._document["model"]
        return text.encode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stored) and bool(self._document == other._document)

    def __hash__(self) -> int:
        return hash(self._document["model"])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._document,)
