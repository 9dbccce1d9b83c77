// The functions of a module. They need the evaluator and the constants kind, columns, outputs, rules, model, median and blanks.

const members = load(model);

// trimmed returns a text without blanks around it.
function trimmed(text) {
  let from = 0, to = text.length;
  while (from < to && blanks.includes(text[from])) from++;
  while (from < to && blanks.includes(text[to - 1])) to--;
  return text.slice(from, to);
}

// cell returns the number or the text of a column in a row; null if it is missing.
function cell(row, { name, encoding }) {
  const v = row[name], expected = encoding === "numeric" ? "number" : "string";
  if (v === undefined) throw new TypeError(`the row has no column ${JSON.stringify(name)}: it has ${Object.keys(row).map((key) => JSON.stringify(key)).join(", ")}`);
  if (v === null || Number.isNaN(v) || (typeof v === "string" && trimmed(v) === "")) return null;
  if (typeof v !== expected) throw new TypeError(`column ${JSON.stringify(name)}: expected a ${expected} or null, got the ${typeof v} ${JSON.stringify(v)}`);
  return encoding === "numeric" ? v : trimmed(v);
}

// encode returns the features of a row: of a numeric column its number, of an ordinal one the position of its level from 1, of a
// one-hot column one feature for each level; null for a missing value. Unknown levels are missing, or no level of a one-hot column.
function encode(row) {
  const features = [];
  for (const column of columns) {
    const v = cell(row, column), { encoding, levels } = column;
    if (encoding === "numeric") features.push(v, ...column.missing ? [v === null ? null : 0] : []);
    else if (encoding === "ordinal") features.push(levels.includes(v) ? levels.indexOf(v) + 1 : null);
    else for (const level of levels) features.push(v === null ? null : Number(level === v));
  }
  return features;
}

// answer names the values of a response.
function answer(values) {
  const named = Object.fromEntries(outputs.map(({ name }, j) => [name, values[j]]));
  if (kind === "classes") return { prediction: outputs[values.indexOf(Math.max(...values))]?.name ?? null, probabilities: named };
  if (kind === "quantiles") return { prediction: values[median], quantiles: named };
  return { prediction: outputs.length > 1 ? named : values[0] };
}

// answerOf is answer with how it came about.
const answerOf = ({ values, covered, limited }) => ({ ...answer(values), covered, limited });

function predict(row) {
  return answerOf(predictRow(members, encode(row)));
}

function explain(row) {
  const p = predictRow(members, encode(row));
  const ruleOf = (by, k) => (words, r) => ({ ...words, level: by.levels[r], says: by.outputs.length ? answer(respond(members[k], by.outputs[r])) : null });
  return { ...answerOf(p), members: p.members.map((by, k) => ({ ...answerOf(by), rules: rules[k].map(ruleOf(by, k)) })) };
}
