

# The rest of the file is the same for all models except for the constants at its end.

_MIN_BLOCK, _MAX_BLOCK = 256, 8192


class _Member(NamedTuple):
    """A model of one rulebase."""

    inputs: Sequence[Any]  # feature, mean, standard deviation, z-score of a missing value, power transform, limits
    components: Any  # [K][M] loadings, or None
    grade: Callable[[Any, Any], Any]  # the membership grade of an input; its logarithm in log space
    join: Callable[[Any, Any], Any]  # the t-norm
    weight: Optional[Callable[[Any], Any]]  # logarithm of the weight of a rule by that of its level
    log_space: bool
    rules: Sequence[Any]  # inputs of the conditions, their parameters, weights of each output
    knots: Sequence[Any]
    curves: Any  # [C or C R][Q], or None
    link: str
    targets: Any  # mean, scale, least and greatest prediction of each output; none of classes
    uncovered: Any


def _sigmoid(x):
    far = np.exp(-np.abs(x))
    return np.where(x < 0, far, 1.0) / (1.0 + far)


def _straighten(z, power):
    """The transform of Yeo and Johnson, standardised and limited."""
    shape, mean, sd = power
    size = np.log1p(np.abs(z))
    up, down = (np.expm1(k * size) / k if k else size for k in (shape, 2.0 - shape))
    return np.clip((np.where(z < 0, -down, up) - mean) / sd, -_POWER_LIMIT, _POWER_LIMIT)


def _scale(member, x):
    """The inputs of IF and THEN parts, and the rows that have a prediction."""
    z = np.empty((len(member.inputs), x.shape[1]))
    for i, (feature, mean, sd, missing, *_) in enumerate(member.inputs):
        z[i] = np.where(np.isnan(x[feature]), missing, (x[feature] - mean) / sd)
    for i, (*_, limits) in enumerate(member.inputs):
        if limits is not None:
            z[i] = np.where(np.isinf(x[member.inputs[i][0]]), np.inf, np.clip(z[i], *limits))
    near = (np.abs(z) < _FARTHEST).all(axis=0)
    z[:, ~near] = 0.0
    if member.components is not None:
        sums = member.components @ z
        return sums, sums, near
    u = z.copy()
    for i, (*_, power, _) in enumerate(member.inputs):
        if power is not None:
            u[i] = _straighten(z[i], power)
    return u, z, near


def _fire(member, u):
    """The normalised levels of the rules, and the rows that they cover."""
    levels = np.empty((len(member.rules), u.shape[1]))
    for r, (inputs, parameters, _) in enumerate(member.rules):
        level = np.full(u.shape[1], 0.0 if member.log_space else 1.0)
        for i, p in zip(inputs, parameters):
            level = member.join(level, member.grade(u[i], p))
        if member.weight is not None and member.log_space:
            level = member.weight(level)
        elif member.weight is not None:
            level = np.where(level < _LEAST_LEVEL, 0.0, np.exp(member.weight(np.log(level))))
        levels[r] = level
    if member.log_space:
        levels = np.exp(levels - levels.max(axis=0))
    total = levels.sum(axis=0)
    covered = (total > _MIN_FIRING) & np.isfinite(total)
    return levels / total, covered


def _places(member, z):
    """The interval of each curve's knots, and the share of its upper end."""
    first, places = 0, []
    for m, knots in enumerate(member.knots):
        if len(knots):
            q = np.searchsorted(knots[1:-1], z[m], side="right")
            places.append((first + q, np.clip((z[m] - knots[q]) / (knots[q + 1] - knots[q]), 0.0, 1.0)))
        first += len(knots)
    return places


def _outputs(member, levels, z):
    """The means of the outputs of the rules by their levels."""
    places, outputs = _places(member, z), len(member.rules[0][2])
    y = np.zeros((outputs, z.shape[1]))
    for r, (_, _, weights) in enumerate(member.rules):
        says = weights[:, :1] + weights[:, 1:] @ z
        if member.curves is not None:
            own = len(member.curves) > outputs
            for c in range(outputs):
                values = member.curves[c * len(member.rules) + r if own else c]
                for q, share in places:
                    says[c] += values[q] + share * (values[q + 1] - values[q])
        y += np.where(levels[r] == 0.0, 0.0, levels[r] * says)
    return y


def _respond(member, y):
    """The response to outputs of the rules, without limits."""
    if member.link == "logit":
        return np.stack([_sigmoid(-y[0]), _sigmoid(y[0])])
    if member.link == "softmax":
        shares = np.exp(y - y.max(axis=0))
        return shares / shares.sum(axis=0)
    mean, scale = member.targets[:, :1], member.targets[:, 1:2]
    if member.link == "log":
        return mean * np.exp(np.minimum(y, _MAX_LOG))
    if member.link == "ordered":
        y = np.sort(y, axis=0)
    return mean + scale * y


def _predict_member(member, x):
    u, z, near = _scale(member, x)
    levels, covered = _fire(member, u)
    y = _outputs(member, levels, z)
    response = _respond(member, y)
    covered &= np.isfinite(y).all(axis=0) & np.isfinite(response).all(axis=0)
    if len(member.targets):
        response = np.maximum(member.targets[:, 2:3], np.minimum(member.targets[:, 3:], response))
    response = np.where(covered, response, member.uncovered[:, np.newaxis])
    response[:, ~near] = np.nan
    return response


def _quoted(name):
    return json.dumps(name, ensure_ascii=False)


def _missing(v):
    return v is None or type(v).__name__ in ("NAType", "NaTType") or (isinstance(v, (float, np.floating)) and v != v)


def _cell(values, name):
    """The values of a column as an array [N]."""
    if isinstance(values, np.ma.MaskedArray):
        values = values.astype(object).filled(None)
    try:
        array = np.asarray(values)
    except ValueError as error:  # of lists of different lengths
        raise TypeError(f"column {_quoted(name)}: {error}") from error
    if array.ndim != 1 or isinstance(values, (str, bytes)):
        raise TypeError(f"column {_quoted(name)}: expected a list or an array of one dimension, got {type(values).__name__} of shape {array.shape}")
    return array if array.dtype.kind in "biuf" else np.asarray(values, dtype=object)


def _numbers(array, name):
    """The numbers of a column, NaN where one is missing."""
    if array.dtype != object:
        return array.astype(float)
    numbers = np.empty(len(array))
    for n, v in enumerate(array):
        if _missing(v) or (isinstance(v, str) and not v.strip(_BLANKS)):
            numbers[n] = np.nan
            continue
        if isinstance(v, (str, bytes)):
            raise TypeError(f"column {_quoted(name)}, row {n + 1}: expected a number, got the text {v!r}: convert the column to numbers")
        try:
            numbers[n] = float(v)
        except (TypeError, ValueError) as error:
            raise TypeError(f"column {_quoted(name)}, row {n + 1}: expected a number, got {v!r}") from error
    return numbers


def _codes(array, name, levels):
    """The indices of levels; -1 for one that training did not have, -2 for a missing value."""
    index = {level: k for k, level in enumerate(levels)}
    codes = np.empty(len(array), dtype=np.int64)
    for n, v in enumerate(array.tolist()):
        if isinstance(v, str):
            v = v.strip(_BLANKS)
            codes[n] = index.get(v, -1) if v else -2
        elif _missing(v):
            codes[n] = -2
        elif isinstance(v, Real) and not isinstance(v, bool):  # 3.0 is the category 3
            codes[n] = index.get(str(int(v)) if v == v // 1 and abs(v) < 2**63 else repr(float(v)), -1)
        else:
            raise TypeError(f"column {_quoted(name)}, row {n + 1}: expected the text of a category, got {v!r}")
    return codes


def _columns(columns):
    """The numbers or codes of each column, all of one length."""
    names, arrays = list(getattr(columns, "columns", columns)), []
    for column in COLUMNS:
        name = column["name"]
        if name not in names:
            near = difflib.get_close_matches(name.lower(), [str(n).lower() for n in names], 1)
            hint = next((f"; did you mean {_quoted(n)} there?" for n in map(str, names) if near and n.lower() == near[0]), "")
            raise KeyError(f"no column {_quoted(name)}{hint}")
        array = _cell(columns[name], name)
        arrays.append(_numbers(array, name) if column["encoding"] == "numeric" else _codes(array, name, column["levels"]))
        if len(array) != len(arrays[0]):
            raise ValueError(f"column {_quoted(name)} has {len(array)} rows, column {_quoted(COLUMNS[0]['name'])} has {len(arrays[0])}")
    return arrays


def _features(arrays):
    """The features of rows [F][N], NaN for a missing value."""
    features = []
    for column, values in zip(COLUMNS, arrays):
        if column["encoding"] == "numeric":
            features.append(values)
            if column.get("missing"):
                features.append(np.where(np.isnan(values), np.nan, 0.0))
        elif column["encoding"] == "ordinal":
            features.append(np.where(values < 0, np.nan, values + 1.0))
        else:
            features.extend(np.where(values == -2, np.nan, values == k) for k in range(len(column["levels"])))
    return np.array(features)


def _predict(columns):
    """The outputs [J][N], in blocks of rows."""
    arrays = _columns(columns)
    rows = len(arrays[0])
    block = min(_MAX_BLOCK, max(_MIN_BLOCK, 2**21 // max(len(m.rules) for m in _MEMBERS)))
    y = np.empty((len(OUTPUTS), rows))
    with np.errstate(all="ignore"):
        for start in range(0, rows, block):
            x = _features([values[start : start + block] for values in arrays])
            mean = 0.0
            for k, member in enumerate(_MEMBERS):
                mean = mean + (_predict_member(member, x) - mean) / (k + 1)
            y[:, start : start + block] = np.maximum.accumulate(mean) if _MEMBERS[0].link == "ordered" else mean
    return y
