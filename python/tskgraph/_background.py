"""Training rows that an estimator keeps, which explanations compare with."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._table import Column, Table

# As many as the program compares with.
_ROWS = 100


def background_of(table: Table) -> Table:
    """Return at most 100 rows at equal distances."""
    chosen = np.arange(min(_ROWS, table.rows)) * table.rows // min(_ROWS, table.rows)
    return table.taking(chosen)


def saved(table: Table) -> list[dict[str, Any]]:
    """Return a table as JSON."""
    return [
        {"name": c.name, "levels": c.levels and list(c.levels), "values": [v if v == v else None for v in c.values.tolist()]}
        for c in table.columns
    ]


def restored(columns: list[dict[str, Any]]) -> Table:
    """Return the table that `saved` wrote."""
    made = []
    for column in columns:
        levels = column["levels"]
        values = np.array(column["values"], dtype=np.float64 if levels is None else np.intp)
        made.append(Column(column["name"], values, None if levels is None else tuple(levels)))
    return Table(tuple(made), len(made[0].values))
