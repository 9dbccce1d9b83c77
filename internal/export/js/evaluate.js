// The evaluator. It needs the constants shapes and limits, and reads a model as NewModel writes it.

// floats decodes little-endian 64-bit numbers from base64.
function floats(text) {
  const view = new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return Float64Array.from({ length: view.byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

// load returns the members of a model, each with its shape and its rules: number, the inputs that the IF part mentions, the
// parameters of their membership functions, and the weights of each output of the THEN part, the bias first.
function load({ members }) {
  return members.map((m) => {
    const antecedents = floats(m.antecedents), consequents = floats(m.consequents);
    const width = (m.components ?? m.scalings).length + 1;
    let at = 0;
    const rules = m.mentions.map((mentions, r) => ({
      number: r + 1,
      mentions,
      params: mentions.map(() => antecedents.subarray(at, (at += m.parameters))),
      weights: Array.from({ length: m.outputs }, (_, c) => consequents.subarray((r * m.outputs + c) * width, (r * m.outputs + c + 1) * width)),
    }));
    return { ...m, shape: shapes[m.shape], rules, curves: (m.curves ?? []).map(floats), knots: m.knots ?? [] };
  });
}

// straighten converts a z-score to the input of antecedents: by the transform of Yeo and Johnson, standardised and limited, if
// the feature has one.
function straighten(power, z) {
  if (!power) return z;
  const sign = z < 0 ? -1 : 1, lambda = z < 0 ? 2 - power.lambda : power.lambda;
  const l = Math.log1p(Math.abs(z));
  const psi = sign * (lambda === 0 ? l : Math.expm1(lambda * l) / lambda);
  return Math.max(-limits.power, Math.min(limits.power, (psi - power.mean) / power.sd));
}

// scale returns the inputs of the IF parts and of the THEN parts of a member for a row of features, null for a missing one;
// null if a number is infinite or too far away.
function scale({ scalings, components }, row) {
  const z = scalings.map((s) => (row[s.feature] === null ? s.missing : (row[s.feature] - s.mean) / s.sd));
  scalings.forEach((s, i) => { z[i] = Math.max(s.low ?? -Infinity, Math.min(s.high ?? Infinity, z[i])); });
  if (!z.every((v, i) => Math.abs(v) < limits.far && Math.abs(row[scalings[i].feature]) < Infinity)) return null;
  if (components) {
    const sums = components.map((loadings) => loadings.reduce((sum, l, i) => sum + l * z[i], 0));
    return { ifPart: sums, thenPart: sums };
  }
  return { ifPart: z.map((v, i) => straighten(scalings[i].power, v)), thenPart: z };
}

// levelOf returns the firing level of a rule or, if shape.log, its logarithm.
function levelOf({ shape }, { mentions, params }, ifPart) {
  let level = shape.log ? 0 : 1;
  for (let i = 0; i < mentions.length; i++) {
    if (shape.log) level = shape.joinLogs(level, shape.log(ifPart[mentions[i]], params[i]));
    else level = shape.join(level, shape.grade(ifPart[mentions[i]], params[i]));
  }
  if (!shape.weight) return level;
  if (shape.log) return shape.weight(level);
  return level < limits.level ? 0 : Math.exp(shape.weight(Math.log(level)));
}

// normalise returns the weights of the rules by the levels of levelOf; null if no rule covers the row.
function normalise({ shape }, levels) {
  if (shape.log) {
    const top = levels.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!Number.isFinite(top)) return null;
    levels = levels.map((v) => Math.exp(v - top));
  }
  const sum = levels.reduce((a, b) => a + b, 0);
  return sum > limits.firing && sum < Infinity ? levels.map((v) => v / sum) : null;
}

// curveSums returns the sums of the curves for the inputs of the THEN parts: one for each rule, or a single one that all rules
// share, of each output; none without curves.
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

// outputsOf returns the outputs of a rule; sums are those of curveSums, in which the own curves of output c are at c R + r.
function outputsOf({ rules, outputs }, { number, weights }, thenPart, sums) {
  return weights.map((w, c) => {
    let y = w[0];
    for (let i = 0; i < thenPart.length; i++) y += w[i + 1] * thenPart[i];
    return y + ((sums.length > outputs ? sums[c * rules.length + number - 1] : sums[c]) ?? 0);
  });
}

// respond returns the response to outputs of the rules, without limits: the inverse of the link.
function respond({ link, targets }, outputs) {
  const sigmoid = (y) => 1 / (1 + Math.exp(-y));
  switch (link) {
    case "log": return outputs.map((y, c) => targets[c].mean * Math.exp(Math.min(y, limits.log)));
    case "logit": return [sigmoid(-outputs[0]), sigmoid(outputs[0])];
    case "softmax": {
      const top = Math.max(...outputs), shares = outputs.map((y) => Math.exp(y - top)), sum = shares.reduce((a, b) => a + b, 0);
      return shares.map((v) => v / sum);
    }
    case "ordered": return outputs.slice().sort((a, b) => a - b).map((y, c) => targets[c].mean + targets[c].scale * y);
    default: return outputs.map((y, c) => targets[c].mean + targets[c].scale * y);
  }
}

// limited returns a response within the limits of the targets; probabilities have none.
function limited({ targets }, values) {
  return targets ? values.map((v, j) => Math.max(targets[j].low ?? -Infinity, Math.min(targets[j].high ?? Infinity, v))) : values;
}

// respondTo returns the response of a member to the outputs of its rules with weights; that of an uncovered row for null.
function respondTo(member, weights, outputs) {
  const uncovered = { values: member.uncovered, covered: false, limited: false };
  if (!weights) return uncovered;
  const mean = Array.from({ length: member.outputs }, (_, c) => outputs.reduce((sum, y, r) => (weights[r] === 0 ? sum : sum + weights[r] * y[c]), 0));
  if (!mean.every(Number.isFinite)) return uncovered;
  const raw = respond(member, mean), values = limited(member, raw);
  if (!values.every(Number.isFinite)) return uncovered;
  return { values, covered: true, limited: values.some((v, j) => v !== raw[j]) };
}

// predictBy returns the prediction of a member for a row: its values, the normalised firing levels of its rules, the outputs of
// each rule, and the inputs of the IF parts. Without a prediction all values are NaN, and the last two are empty.
function predictBy(member, row) {
  const { rules } = member, inputs = scale(member, row);
  const none = rules.map(() => 0);
  if (!inputs) return { values: member.uncovered.map(() => NaN), covered: false, limited: false, levels: none, outputs: [], ifPart: [] };
  const { ifPart, thenPart } = inputs;
  const weights = normalise(member, rules.map((rule) => levelOf(member, rule, ifPart)));
  const sums = curveSums(member, thenPart), outputs = rules.map((rule) => outputsOf(member, rule, thenPart, sums));
  const response = respondTo(member, weights, outputs);
  return { ...response, levels: response.covered ? weights : none, outputs, ifPart };
}

// predictRow returns the prediction of members for a row of features: the mean of theirs. Quantiles do not cross.
function predictRow(members, row) {
  const by = members.map((member) => predictBy(member, row));
  const values = by[0].values.map((first, j) => by.reduce((mean, p, k) => mean + (p.values[j] - mean) / (k + 1), first));
  if (members[0].link === "ordered") values.forEach((v, j) => { if (j > 0) values[j] = Math.max(v, values[j - 1]); });
  return { values, members: by, covered: by.every((p) => p.covered), limited: by.some((p) => p.limited) };
}
