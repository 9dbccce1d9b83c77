
// bounds returns the ends of the prediction interval of a prediction, of several targets that of output j, for the largest
// score inside it.
function bounds(p, score, j = state.output) {
  const { values } = p, { minimum = 0, power = 0, scales, ranges } = content.model;
  const [first, last] = kind === "quantiles" ? [0, values.length - 1] : [j, j];
  const half = score * (scales ? scales[j] : spreadAt(p) * Math.max(values[j], minimum) ** power), high = values[last] + half;
  const low = content.response.link === "log" ? Math.max(0, values[first] - half) : values[first] - half;
  const within = (v) => Math.max(ranges?.[j].low ?? -Infinity, Math.min(v, ranges?.[j].high ?? Infinity));
  return (high < low ? [low + (high - low) / 2, low + (high - low) / 2] : [low, high]).map(within); // where it is empty, its middle
}

// spreadAt returns the scale of the intervals at a prediction: the exponential of the curves of its features and of the value.
function spreadAt({ row, values }) {
  const { spread } = content.model;
  if (!spread) return 1;
  return Math.exp(spread.curves.reduce((sum, { feature, knots, values: at }, i) => {
    const v = feature === row.length ? values[0] : row[feature] ?? NaN, x = Number.isNaN(v) ? spread.missing[i] : v;
    const q = Math.max(0, Math.min(knots.length - 2, knots.findLastIndex((k) => k <= x)));
    const t = Math.max(0, Math.min(1, (x - knots[q]) / (knots[q + 1] - knots[q])));
    return sum + at[q] + t * (at[q + 1] - at[q]);
  }, spread.level));
}

// classSet returns the indices of the classes in the prediction set.
const classSet = ({ values }, score) => [...values.keys()].filter((k) => 1 - values[k] <= score || k === mostProbable(values));

// intervalText says which values or classes are in the interval or set.
function intervalText(p, score) {
  if (classes) return classSet(p, score).map((k) => outputs[k].name).join(", ");
  const [low, high] = bounds(p, score);
  return `${figure(low)} to ${withUnit(high, shownOutput().unit)}`;
}
