
const content = JSON.parse(byId("content").textContent);

// floats decodes little-endian 64-bit numbers from base64.
function floats(text) {
  const view = new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

// members are the models of a committee, or the single model. Each has rules: the inputs of
// the IF part, the parameters of the membership functions of these, and the weights of the
// THEN part, the bias first.
const members = content.model.members.map((m) => {
  const antecedents = floats(m.antecedents), consequents = floats(m.consequents);
  const width = m.inputs.length + 1;
  let at = 0;
  const rules = m.mentions.map((mentions, r) => ({
    number: r + 1,
    share: m.shares[r],
    mentions,
    params: mentions.map(() => antecedents.subarray(at, (at += m.parameters))),
    weights: consequents.subarray(r * width, (r + 1) * width),
  }));
  return { ...m, shape: shapes[m.shape], rules, curves: (m.curves ?? []).map(floats), knots: m.knots ?? [] };
});

// leastFiring is the sum of firing levels above which a row counts as covered.
const leastFiring = 1e-300;

// leastNormal is the firing level below which a rule has the weight zero, if weights are not
// firing levels.
const leastNormal = 2 ** -1022;

// straighten converts a z-score to the input of antecedents: by the transform of Yeo and
// Johnson, standardised and limited, if the feature has one.
function straighten(power, z) {
  if (!power) return z;
  const sign = z < 0 ? -1 : 1, lambda = z < 0 ? 2 - power.lambda : power.lambda;
  const l = Math.log1p(Math.abs(z));
  const psi = sign * (lambda === 0 ? l : Math.expm1(lambda * l) / lambda);
  return Math.max(-8, Math.min(8, (psi - power.mean) / power.sd));
}

// scale returns the inputs of the IF parts and of the THEN parts of a member for a row, whose
// features are in their own units. A missing value counts as the mean.
function scale(member, row) {
  const z = member.scalings.map((s) => (row[s.feature] === null ? 0 : (row[s.feature] - s.mean) / s.sd));
  if (member.components) {
    const components = member.components.map((loadings) => loadings.reduce((sum, l, m) => sum + l * z[m], 0));
    return { ifPart: components, thenPart: components };
  }
  return { ifPart: z.map((v, m) => straighten(member.scalings[m].power, v)), thenPart: z };
}

// fire returns the normalised weights of the rules; null if no rule covers the row.
function fire(member, ifPart) {
  const { shape, rules } = member;
  const levels = new Float64Array(rules.length);
  let top = -Infinity;
  rules.forEach(({ mentions, params }, r) => {
    let level = shape.log ? 0 : 1;
    for (let i = 0; i < mentions.length; i++) {
      if (shape.log) level = shape.joinLogs(level, shape.log(ifPart[mentions[i]], params[i]));
      else level = shape.join(level, shape.grade(ifPart[mentions[i]], params[i]));
    }
    if (shape.weight && shape.log) level = shape.weight(level);
    else if (shape.weight) level = level < leastNormal ? 0 : Math.exp(shape.weight(Math.log(level)));
    levels[r] = level;
    if (level > top) top = level;
  });
  if (shape.log) {
    if (!Number.isFinite(top)) return null;
    for (let r = 0; r < levels.length; r++) levels[r] = Math.exp(levels[r] - top);
  }
  const sum = levels.reduce((a, b) => a + b, 0);
  if (!(sum > leastFiring) || sum === Infinity) return null;
  return levels.map((v) => v / sum);
}

// curveSums returns the sums of the curves for the inputs of the THEN parts: one for each rule, or
// a single one that all rules share; none without curves.
function curveSums({ knots, curves }, thenPart) {
  const at = [];
  let first = 0;
  knots.forEach((k, m) => {
    if (k.length) {
      const v = thenPart[m];
      let q = 0;
      while (q < k.length - 2 && v >= k[q + 1]) q++;
      at.push([first + q, Math.max(0, Math.min(1, (v - k[q]) / (k[q + 1] - k[q])))]);
    }
    first += k.length;
  });
  return curves.map((values) => at.reduce((sum, [q, t]) => sum + (values[q] + t * (values[q + 1] - values[q])), 0));
}

// predictBy returns the prediction of a member: its value, the firing levels of its rules, and
// the output of each rule, in the unit of the target.
function predictBy(member, row) {
  const { ifPart, thenPart } = scale(member, row);
  const { mean, scale: unit, low, high } = member.target;
  const levels = fire(member, ifPart);
  const sums = curveSums(member, thenPart);
  const says = member.rules.map(({ weights }, r) => thenPart.reduce((sum, v, m) => sum + weights[m + 1] * v, weights[0]) + (sums[r] ?? sums[0] ?? 0));
  const uncovered = { value: mean, covered: false, limited: false, levels: new Float64Array(says.length), says: says.map((y) => mean + unit * y), ifPart };
  if (!levels) return uncovered;
  const raw = mean + unit * says.reduce((sum, y, r) => (levels[r] === 0 ? sum : sum + levels[r] * y), 0);
  const value = Math.max(low ?? -Infinity, Math.min(high ?? Infinity, raw));
  if (!Number.isFinite(value)) return uncovered;
  return { value, covered: true, limited: value !== raw, levels, says: uncovered.says, ifPart };
}

// predict returns the prediction for a row of features: the mean of the members, and their
// standard deviation with divisor K-1.
function predict(row) {
  const by = members.map((member) => predictBy(member, row));
  const K = by.length;
  const value = K === 1 ? by[0].value : by.reduce((mean, p, k) => mean + (p.value - mean) / (k + 1), 0);
  const spread = K === 1 ? 0 : Math.sqrt(by.reduce((sum, p) => sum + (p.value - value) ** 2, 0) / (K - 1));
  return { value, spread, members: by, covered: by.every((p) => p.covered), limited: by.some((p) => p.limited) };
}
