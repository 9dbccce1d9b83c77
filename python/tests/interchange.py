"""A frame with the dataframe interchange protocol whose columns are laid out as in Arrow: bit masks, offsets, chunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

INT, UINT, FLOAT, BOOL, STRING, DATETIME, CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
NON_NULLABLE, USE_NAN, USE_SENTINEL, USE_BIT_MASK, USE_BYTE_MASK = range(5)


class Buffer:
    """Memory of a column."""

    def __init__(self, values: npt.NDArray[Any]) -> None:
        self.values = np.ascontiguousarray(values)
        self.ptr = self.values.ctypes.data
        self.bufsize = self.values.nbytes


def bits(flags: Any) -> npt.NDArray[np.uint8]:
    return np.packbits(np.asarray(flags, dtype=bool), bitorder="little")


class ArrowColumn:
    """Rows from an offset of values, None where one is missing, in one or several chunks."""

    def __init__(
        self, values: list[Any], kind: int, *, offset: int = 0, chunks: int = 1, categories: ArrowColumn | None = None, wide: bool = True
    ) -> None:
        self.values, self.kind, self.offset, self.chunks, self.categories, self.wide = values, kind, offset, chunks, categories, wide

    def size(self) -> int:
        return len(self.values) - self.offset

    @property
    def dtype(self) -> tuple[int, int, str, str]:
        return {
            INT: (INT, 64, "l", "="),
            UINT: (UINT, 8, "C", "="),
            FLOAT: (FLOAT, 64, "g", "="),
            BOOL: (BOOL, 1, "b", "="),
            STRING: (STRING, 8, "U", "="),
            DATETIME: (DATETIME, 64, "tsu:", "="),
            CATEGORICAL: (CATEGORICAL, 32, "I", "="),
        }[self.kind]

    @property
    def describe_null(self) -> tuple[int, Any]:
        return (USE_BIT_MASK, 0) if None in self.values else (NON_NULLABLE, None)

    @property
    def describe_categorical(self) -> dict[str, Any]:
        return {"is_ordered": False, "is_dictionary": True, "categories": self.categories}

    def num_chunks(self) -> int:
        return self.chunks

    def get_chunks(self) -> Iterable[ArrowColumn]:
        for part in np.array_split(np.arange(self.offset, len(self.values)), self.chunks):
            yield ArrowColumn([self.values[i] for i in part], self.kind, categories=self.categories, wide=self.wide)

    def get_buffers(self) -> dict[str, Any]:
        assert self.chunks == 1, "a column of several chunks has no buffers"
        missing = [v is None for v in self.values]
        validity = (Buffer(bits(np.logical_not(missing))), (BOOL, 1, "b", "=")) if any(missing) else None
        full = [0 if v is None else v for v in self.values]
        if self.kind == STRING:
            texts = [b"" if v is None else v.encode() for v in self.values]
            ends = np.cumsum([0, *map(len, texts)])
            offsets = (Buffer(ends), (INT, 64, "l", "=")) if self.wide else (Buffer(ends.astype("i4")), (INT, 32, "i", "="))
            raw = Buffer(np.frombuffer(b"".join(texts), dtype=np.uint8))
            return {"data": (raw, (UINT, 8, "C", "=")), "validity": validity, "offsets": offsets}
        if self.kind == BOOL:
            return {"data": (Buffer(bits(full)), self.dtype), "validity": validity, "offsets": None}
        dtype = {INT: "i8", UINT: "u1", FLOAT: "f8", DATETIME: "i8", CATEGORICAL: "u4"}[self.kind]
        of = (UINT, 32, "I", "=") if self.kind == CATEGORICAL else self.dtype
        return {"data": (Buffer(np.array(full, dtype=dtype)), of), "validity": validity, "offsets": None}


class ArrowFrame:
    """A frame of such columns."""

    def __init__(self, columns: dict[str, ArrowColumn]) -> None:
        self.columns_of_frame = columns

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> ArrowFrame:
        return self

    def num_rows(self) -> int:
        return next(iter(self.columns_of_frame.values())).size() if self.columns_of_frame else 0

    def column_names(self) -> Iterable[str]:
        return iter(self.columns_of_frame)

    def get_column(self, i: int) -> ArrowColumn:
        return list(self.columns_of_frame.values())[i]
