
const content = JSON.parse(byId("content").textContent);

// members are the models of a committee, or the single model, as the evaluator loads them, with the share of each rule in the
// firing in training.
const members = load(content.model);
for (const { rules, shares } of members) rules.forEach((rule, r) => { rule.share = shares[r]; });

// saysOf returns the response to the outputs of each rule alone.
const saysOf = (member, { outputs }) => outputs.map((y) => respond(member, y));

// predict returns the prediction for a row of features with the value of the output shown, and the standard deviation of the
// members' values with divisor K-1.
function predict(row) {
  const p = predictRow(members, row), K = members.length, value = p.values[state.output];
  const spread = K === 1 ? 0 : Math.sqrt(p.members.reduce((sum, m) => sum + (m.values[state.output] - value) ** 2, 0) / (K - 1));
  return { ...p, row, value, spread };
}
