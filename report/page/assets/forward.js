
const content = JSON.parse(byId("content").textContent);

// floats decodes little-endian 64-bit numbers from base64.
function floats(text) {
  const view = new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

// members are the models of a committee, or the single model. Each has rules: the inputs of
// the IF part, the parameters of the membership functions of these, and the weights of the
// THEN part for each output, the bias first.
const members = content.model.members.map((m) => {
  const antecedents = floats(m.antecedents), consequents = floats(m.consequents);
  const width = m.inputs.length + 1;
  let at = 0;
  const rules = m.mentions.map((mentions, r) => ({
    number: r + 1,
    share: m.shares[r],
    mentions,
    params: mentions.map(() => antecedents.subarray(at, (at += m.parameters))),
    weights: m.targets.map((_, c) => consequents.subarray((r * m.targets.length + c) * width, (r * m.targets.length + c + 1) * width)),
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

// mostLog is the logarithm above which a response by the log link does not grow.
const mostLog = 30;

// respond returns the response to the outputs of the rules, without limits: the inverse of the link.
function respond({ targets }, outputs) {
  const sigmoid = (y) => 1 / (1 + Math.exp(-y));
  switch (content.response.link) {
    case "log": return outputs.map((y, c) => targets[c].mean * Math.exp(Math.min(y, mostLog)));
    case "logit": return [sigmoid(-outputs[0]), sigmoid(outputs[0])];
    case "softmax": {
      const top = Math.max(...outputs), shares = outputs.map((y) => Math.exp(y - top)), sum = shares.reduce((a, b) => a + b, 0);
      return shares.map((v) => v / sum);
    }
    case "ordered": return outputs.toSorted((a, b) => a - b).map((y, c) => targets[c].mean + targets[c].scale * y);
    default: return outputs.map((y, c) => targets[c].mean + targets[c].scale * y);
  }
}

// limited returns a response within the limits of the targets; probabilities have none.
function limited({ targets }, values) {
  if (content.response.kind === "classes") return values;
  return values.map((v, c) => Math.max(targets[c].low ?? -Infinity, Math.min(targets[c].high ?? Infinity, v)));
}

// predictBy returns the prediction of a member: its values, the firing levels of its rules, and the response to the outputs
// of each rule alone.
function predictBy(member, row) {
  const { ifPart, thenPart } = scale(member, row);
  const { rules, targets } = member, C = targets.length;
  const levels = fire(member, ifPart);
  const sums = curveSums(member, thenPart), own = sums.length > C; // rule r has its own curve of output c in row c R + r
  const outputs = rules.map(({ weights }, r) => weights.map((w, c) =>
    thenPart.reduce((sum, v, m) => sum + w[m + 1] * v, w[0]) + ((own ? sums[c * rules.length + r] : sums[c]) ?? 0)));
  const says = outputs.map((y) => respond(member, y));
  const uncovered = { values: content.response.uncovered, covered: false, limited: false, levels: new Float64Array(rules.length), says, ifPart };
  if (!levels) return uncovered;
  const mean = targets.map((_, c) => outputs.reduce((sum, y, r) => (levels[r] === 0 ? sum : sum + levels[r] * y[c]), 0));
  if (!mean.every(Number.isFinite)) return uncovered;
  const raw = respond(member, mean);
  const values = limited(member, raw);
  if (!values.every(Number.isFinite)) return uncovered;
  return { values, covered: true, limited: values.some((v, j) => v !== raw[j]), levels, says, ifPart };
}

// predict returns the prediction for a row of features: the mean of the members, and their
// standard deviation with divisor K-1; value and spread are those of the output shown.
function predict(row) {
  const by = members.map((member) => predictBy(member, row));
  const K = by.length;
  const mean = (j) => (K === 1 ? by[0].values[j] : by.reduce((mean, p, k) => mean + (p.values[j] - mean) / (k + 1), 0));
  const values = by[0].values.map((_, j) => mean(j)), value = values[state.output];
  const spread = K === 1 ? 0 : Math.sqrt(by.reduce((sum, p) => sum + (p.values[state.output] - value) ** 2, 0) / (K - 1));
  return { values, value, spread, members: by, covered: by.every((p) => p.covered), limited: by.some((p) => p.limited) };
}
