
// The parts of a member are the columns of the table with all their inputs, by importance, or
// the components.
for (const member of members) {
  const columns = member.components ? [] : byImportance.map((column) => ({
    column, name: column.name, title: label(column.name, column.unit), places: placesOf(column), histogram: content.features[column.feature].histogram,
    inputs: [...member.inputs.keys()].filter((i) => member.inputs[i].feature >= column.feature && member.inputs[i].feature < column.feature + column.width),
  }));
  const components = member.components ? member.inputs.map(({ name, histogram }, i) => ({ name, title: name, histogram, inputs: [i] })) : [];
  member.parts = [...columns, ...components];
}

// termsOf returns the membership functions of a rule over a part: the input and the parameters of each.
const termsOf = (rule, part) => rule.mentions.flatMap((input, k) => (part.inputs.includes(input) ? [{ input, params: rule.params[k] }] : []));

// gradeOf returns the grades of terms, joined by the t-norm; seen returns the scaled value of an input.
const gradeOf = (member, terms, seen) => terms.reduce((g, { input, params }) => member.shape.join(g, member.shape.grade(seen(input), params)), 1);

// placeGrades returns the grades of terms at each place of a part.
function placeGrades(member, part, terms) {
  const row = typicalRow();
  return part.places.map(({ value }) => {
    set(row, part.column, value);
    return gradeOf(member, terms, (i) => inputScale(member, i).toRules(row[member.inputs[i].feature]));
  });
}

// inputScale returns the range of an input in its own unit, and functions: toRules scales a
// value for the rules, now returns the current value.
function inputScale(member, index) {
  const input = member.inputs[index];
  if (input.feature < 0) return { ...spanOf(input), toRules: (v) => v, now: (u) => u };
  const s = member.scalings[index];
  return {
    ...spanOf(content.features[input.feature]),
    toRules: (v) => straighten(s.power, (v - s.mean) / s.sd),
    now: () => state.row[input.feature] ?? s.mean,
  };
}
