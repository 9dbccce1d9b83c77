"""Writes a table as a Parquet file, whole columns at a time.

See https://github.com/apache/parquet-format: numbers are doubles in the encoding PLAIN, categories strings with a dictionary; a missing
cell is a null. Pages are not compressed.
"""

from __future__ import annotations

import struct
from typing import IO, Any

import numpy as np

from ._table import Column, Table

_MAGIC = b"PAR1"
_GROUP_ROWS = 1 << 17  # rows of a row group

# Types of Thrift's compact protocol, and values of the format's enumerations.
_I32, _I64, _BINARY, _LIST, _STRUCT = 5, 6, 8, 9, 12
_DOUBLE, _BYTE_ARRAY = 5, 6
_PLAIN, _RLE, _RLE_DICTIONARY = 0, 3, 8
_OPTIONAL, _UTF8 = 1, 0
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2


def write(table: Table, out: IO[bytes]) -> None:
    """Write a table to a file that is open without a buffer."""
    _Writer(out).write(table)


class _Writer:
    """A file that is being written."""

    def __init__(self, out: IO[bytes]) -> None:
        self.out = out
        self.at = 0  # bytes written

    def put(self, *parts: Any) -> int:
        """Write buffers of bytes, and return their length."""
        before = self.at
        for part in parts:
            view = memoryview(part).cast("B")
            while len(view) > 0:  # a raw file may take a part
                written = self.out.write(view)
                self.at += written
                view = view[written:]
        return self.at - before

    def write(self, table: Table) -> None:
        self.put(_MAGIC)
        groups = [self.group(table, start, min(start + _GROUP_ROWS, table.rows)) for start in range(0, table.rows, _GROUP_ROWS)]
        footer = _fields(
            _i32(1, 1),  # version
            _list(2, _STRUCT, [_fields(_text(4, "schema"), _i32(5, len(table.columns)))] + [_schema(c) for c in table.columns]),
            _i64(3, table.rows),
            _list(4, _STRUCT, groups),
            _text(6, "tskgraph"),
        )
        self.put(footer, struct.pack("<I", len(footer)), _MAGIC)

    def group(self, table: Table, start: int, stop: int) -> bytes:
        """Write a row group, and return its description."""
        before = self.at
        chunks = [self.chunk(column, start, stop) for column in table.columns]
        return _fields(_list(1, _STRUCT, chunks), _i64(2, self.at - before), _i64(3, stop - start))

    def chunk(self, column: Column, start: int, stop: int) -> bytes:
        """Write the rows of a column as a page, after its dictionary if it has one, and return its description."""
        before, cells = self.at, column.values[start:stop]
        dictionary: tuple[Any, ...] = ()
        if column.levels is None:
            kind, encoding, present = _DOUBLE, _PLAIN, ~np.isnan(cells)
        else:
            kind, encoding, present = _BYTE_ARRAY, _RLE_DICTIONARY, cells >= 0
            levels = column.levels
            self.page(_DICTIONARY_PAGE, 7, _fields(_i32(1, len(levels)), _i32(2, _PLAIN)), _strings(levels))
            dictionary = (_i64(11, before),)
        full = bool(present.all())
        values = cells if full else cells[present]
        content = np.ascontiguousarray(values, "<f8") if kind == _DOUBLE else _indices(values)
        first = self.at
        head = _fields(_i32(1, stop - start), _i32(2, encoding), _i32(3, _RLE), _i32(4, _RLE))
        self.page(_DATA_PAGE, 5, head, _definition(present, full), content)
        size = self.at - before
        name = column.name.encode()
        meta = _fields(
            _i32(1, kind),
            _list(2, _I32, [_zigzag(e) for e in sorted({_PLAIN, _RLE, encoding})]),
            _list(3, _BINARY, [_varint(len(name)) + name]),
            _i32(4, 0),  # not compressed
            _i64(5, stop - start),
            _i64(6, size),
            _i64(7, size),
            _i64(9, first),
            *dictionary,
        )
        return _fields(_i64(2, before), (3, _STRUCT, meta))

    def page(self, kind: int, number: int, head: bytes, *content: Any) -> None:
        """Write a page, whose header has the field `head` of this number."""
        size = sum(memoryview(part).nbytes for part in content)
        self.put(_fields(_i32(1, kind), _i32(2, size), _i32(3, size), (number, _STRUCT, head)), *content)


def _schema(column: Column) -> bytes:
    if column.levels is None:
        return _fields(_i32(1, _DOUBLE), _i32(3, _OPTIONAL), _text(4, column.name))
    text = (10, _STRUCT, _fields((1, _STRUCT, _fields())))  # the logical type STRING
    return _fields(_i32(1, _BYTE_ARRAY), _i32(3, _OPTIONAL), _text(4, column.name), _i32(6, _UTF8), text)


def _definition(present: np.ndarray[Any, Any], full: bool) -> bytes:
    """Return the definition levels of a page: 1 where a cell is present, as one run."""
    if full:
        run = _varint(len(present) << 1) + b"\x01"
    else:
        bits = np.packbits(present, bitorder="little").tobytes()
        run = _varint(len(bits) << 1 | 1) + bits
    return struct.pack("<I", len(run)) + run


def _indices(codes: np.ndarray[Any, Any]) -> bytes:
    """Return the indices of a page into its dictionary, as one run of whole bytes."""
    top = int(codes.max(initial=0))
    width = 1 if top < 1 << 8 else 2 if top < 1 << 16 else 4
    padded = np.zeros(-(-len(codes) // 8) * 8, f"<u{width}")
    padded[: len(codes)] = codes
    return bytes([8 * width]) + _varint((len(padded) // 8) << 1 | 1) + padded.tobytes()


def _strings(texts: tuple[str, ...]) -> bytes:
    encoded = [text.encode() for text in texts]
    return b"".join(struct.pack("<I", len(text)) + text for text in encoded)


def _varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def _zigzag(n: int) -> bytes:
    return _varint(n << 1 if n >= 0 else -n * 2 - 1)


def _fields(*fields: tuple[int, int, bytes]) -> bytes:
    """Return a structure of fields: number, type and content, in ascending order."""
    out, last = bytearray(), 0
    for number, kind, content in fields:
        out.append(number - last << 4 | kind)
        out += content
        last = number
    out.append(0)
    return bytes(out)


def _i32(number: int, value: int) -> tuple[int, int, bytes]:
    return number, _I32, _zigzag(value)


def _i64(number: int, value: int) -> tuple[int, int, bytes]:
    return number, _I64, _zigzag(value)


def _text(number: int, value: str) -> tuple[int, int, bytes]:
    content = value.encode()
    return number, _BINARY, _varint(len(content)) + content


def _list(number: int, kind: int, items: list[bytes]) -> tuple[int, int, bytes]:
    head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + _varint(len(items))
    return number, _LIST, head + b"".join(items)
