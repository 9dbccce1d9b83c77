
// state is the current row of features, its origin (an index in the sample of rows; -1 for
// typical values, changed or not), the member whose rules are shown, and the value that is shown.
const state = { row: typicalRow(), sample: -1, member: 0, output: content.response.start };

const listeners = [];

// onRow calls f now and after every change of the row.
function onRow(f) {
  listeners.push(f);
  f();
}

function rowChanged() {
  for (const f of listeners) f();
}

// typicalRow returns a row of the table that is near most others.
function typicalRow() {
  return content.features.map((f) => f.typical);
}

// setRow sets the current row to a row of the sample, or to typical values.
function setRow(sample) {
  state.sample = sample;
  state.row = sample < 0 ? typicalRow() : content.rows.values[sample].slice();
  rowChanged();
}

// used are the columns that the model uses.
const used = content.columns.filter((c) => !c.unused);

// numeric are the used columns of numbers.
const numeric = used.filter((c) => !c.levels);

// byImportance are the used columns, the most important first.
const byImportance = content.importance.columns.map((i) => content.columns[i.column]);

// within reports whether a value is in the training range of a column; false for null.
function within(column, v) {
  const { min, max } = content.features[column.feature];
  return v !== null && v >= min && v <= max;
}

// outside returns the columns whose value is outside the training range.
function outside(row) {
  return numeric.filter((c) => row[c.feature] !== null && !within(c, row[c.feature]));
}
