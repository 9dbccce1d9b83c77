
// bounds returns the ends of the prediction interval of a prediction, of several targets that of output j, for the largest
// score inside it.
function bounds({ values }, score, j = state.output) {
  const { minimum = 0, power = 0, scales } = content.model;
  if (kind === "quantiles") {
    const low = values[0] - score, high = values.at(-1) + score;
    return high < low ? [low + (high - low) / 2, low + (high - low) / 2] : [low, high]; // where it is empty, its middle
  }
  const half = score * (scales ? scales[j] : Math.max(values[j], minimum) ** power);
  return [content.response.link === "log" ? Math.max(0, values[j] - half) : values[j] - half, values[j] + half];
}

// classSet returns the indices of the classes in the prediction set.
const classSet = ({ values }, score) => [...values.keys()].filter((k) => 1 - values[k] <= score || k === mostProbable(values));

// intervalText says which values or classes are in the interval or set.
function intervalText(p, score) {
  if (classes) return classSet(p, score).map((k) => outputs[k].name).join(", ");
  const [low, high] = bounds(p, score);
  return `${figure(low)} to ${withUnit(high, shownOutput().unit)}`;
}
