

_NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity)", re.IGNORECASE)


def _cells(name, numeric, cells, line):
    """The cells of a column of a block that ends at a line, None where one is missing."""
    for cell in cells:
        text = cell.strip(_BLANKS)
        if text.lower() in _MISSING:
            yield None
        elif numeric and not _NUMBER.fullmatch(text):
            raise ValueError(f"up to line {line}, column {name}: {text!r} is not a number")
        else:
            yield float(text) if numeric else cell


def _blocks(reader, header, rows=10_000):
    """The rows of a table, some at a time."""
    filled = (row for row in reader if row)
    for block in iter(lambda: list(itertools.islice(filled, rows)), []):
        for row in block:
            if len(row) != len(header):
                raise ValueError(f"near line {reader.line_num}: a row of {len(row)} cells; the header has {len(header)}")
        yield block


def main() -> None:
    """Read a table of comma-separated cells from standard input and write it with predictions."""
    sys.stdin.reconfigure(encoding="utf-8-sig", newline="")
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    reader, writer = csv.reader(sys.stdin, strict=True), csv.writer(sys.stdout, lineterminator="\n")
    header = next(reader, [])
    names = [name.strip(_BLANKS) for name in header]
    if not header:
        raise ValueError("no header on standard input")
    for name in names:
        if name in _ADDED or names.count(name) > 1:
            raise ValueError(f"column {name!r} {'already exists' if name in _ADDED else 'exists twice'}: rename or remove it")
    writer.writerow(header + _ADDED)
    used = {column["name"] for column in COLUMNS}
    numeric = {column["name"] for column in COLUMNS if column["encoding"] == "numeric"}
    for block in _blocks(reader, header):
        columns = {name: list(_cells(name, name in numeric, cells, reader.line_num)) for name, cells in zip(names, zip(*block)) if name in used}
        writer.writerows(row + added for row, added in zip(block, _added(_predict(columns))))


if __name__ == "__main__":
    try:
        main()
    except (csv.Error, KeyError, ValueError) as error:
        sys.exit(f"{sys.argv[0]}: {error.args[0] if isinstance(error, KeyError) else error}")
