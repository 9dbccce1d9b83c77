
// state is what the page looks at: a row of features, and where it came from (an
// index into the sample of rows; -1: typical values, changed or not).
const state = { row: typicalRow(), sample: -1, member: 0 };

const listeners = [];

// onRow calls f now and whenever the row changes.
function onRow(f) {
  listeners.push(f);
  f();
}

function rowChanged() {
  for (const f of listeners) f();
}

// typicalRow is made of medians and of the most frequent categories.
function typicalRow() {
  return content.features.map((f) => f.typical);
}

// setRow starts from a row of the sample, or from typical values.
function setRow(sample) {
  state.sample = sample;
  state.row = sample < 0 ? typicalRow() : content.rows.values[sample].slice();
  rowChanged();
}

// used are the columns that the model uses.
const used = content.columns.filter((c) => !c.unused);

// numeric are those with numbers that vary.
const numeric = used.filter((c) => !c.levels);

// byImportance are the columns used, the most important first.
const byImportance = content.importance.columns.map((i) => content.columns[i.column]);

// within reports whether a value is in the training range of a column; null is not.
function within(column, v) {
  const { min, max } = content.features[column.feature];
  return v !== null && v >= min && v <= max;
}

// outside lists the columns whose value lies outside the training range.
function outside(row) {
  return numeric.filter((c) => row[c.feature] !== null && !within(c, row[c.feature]));
}
