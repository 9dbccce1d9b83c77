
// encode converts values by column, numbers or names of categories, to a row of features. null
// is a missing value.
function encode(values) {
  const row = new Array(content.features.length).fill(0);
  for (const column of content.columns) {
    if (column.unused) continue;
    const v = values[column.name];
    if (v === undefined || (v === null && !content.model.imputeMeans)) throw new Error(`${column.name} is missing`);
    set(row, column, v);
  }
  return row;
}

// set sets the features of a column in a row to a value.
function set(row, column, v) {
  if (v !== null && column.levels && !column.levels.includes(v)) throw new Error(`${column.name}: there is no category ${v}`);
  for (let k = 0; k < column.width; k++) {
    if (v === null) row[column.feature + k] = null;
    else if (!column.levels) row[column.feature + k] = k === 0 ? Number(v) : 0; // the second feature says whether it is missing
    else if (column.width === 1 && !column.onehot) row[column.feature] = column.levels.indexOf(v) + 1;
    else row[column.feature + k] = column.levels[k] === v ? 1 : 0;
  }
}

// get returns the value of a column in a row of features: a number, a category, or null.
function get(row, column) {
  const v = row[column.feature];
  if (v === null || !column.levels) return v;
  if (column.width === 1 && !column.onehot) return column.levels[v - 1];
  return column.levels.find((_, k) => row[column.feature + k] === 1) ?? null;
}
