
// trial has the rows on which the error of edited rules is measured, the levels [R][N] and outputs [R][N][C] of the rules, their
// evaluation before the edits and now, and the keys of edits since.
const trial = { levels: [], outputs: [], stale: new Set() };

// startTrial evaluates the rules as they are.
function* startTrial() {
  const { x, y, weights } = editing.rows, N = y[0].length, rows = [];
  for (let n = 0; n < N; n++) {
    const scaled = scale(edited, x.map((column) => column[n]));
    rows.push({ ...scaled, sums: curveSums(edited, scaled.thenPart) });
    if (n % 100 === 99) yield;
  }
  Object.assign(trial, { N, rows, y, weights: weights ?? new Array(N).fill(1) });
  for (const rule of edited.rules) {
    reckon(rule);
    yield;
  }
  yield* findCentres();
  trial.before = trial.now = evaluate(edited.rules);
}

// editedRule returns a rule as edited.
const editedRule = (rule) => ({ ...rule, params: termsIn(rule).map(rulesParams), weights: rule.weights.map((_, c) => rulesWeights(rule, c)) });

// reckon computes the levels and outputs of one rule for all rows.
function reckon(rule) {
  const now = editedRule(rule);
  trial.levels[rule.number - 1] = trial.rows.map(({ ifPart }) => levelOf(edited, now, ifPart));
  trial.outputs[rule.number - 1] = trial.rows.map(({ thenPart, sums }) => outputsOf(edited, now, thenPart, sums));
}

// evaluate returns the figure of the rules that are on, the accuracy of classes, the number of rows without a rule, and by
// rule: the share of the firing, the greatest level, and the rows of which it is the strongest, with their figure.
function evaluate(on) {
  const { N, y, weights } = trial, losses = new Float64Array(N), top = new Int32Array(N).fill(-1);
  const share = new Float64Array(edited.rules.length), most = new Float64Array(edited.rules.length);
  let uncovered = 0, right = 0, total = 0;
  const levels = new Float64Array(on.length), outs = new Array(on.length);
  for (let n = 0; n < N; n++) {
    on.forEach((rule, k) => {
      levels[k] = trial.levels[rule.number - 1][n];
      outs[k] = trial.outputs[rule.number - 1][n];
    });
    const fired = on.length ? normalise(edited, levels) : null, { values, covered } = respondTo(edited, fired, outs);
    losses[n] = lossOf(values, y, n);
    total += weights[n];
    if (classes && mostProbable(values) === y[0][n]) right += weights[n];
    if (!covered) uncovered++;
    if (!fired) continue;
    let best = 0;
    fired.forEach((v, k) => {
      const r = on[k].number - 1;
      share[r] += (v * weights[n]);
      if (v > most[r]) most[r] = v;
      if (v > fired[best]) best = k;
    });
    top[n] = on[best].number - 1;
  }
  return { error: meanLoss(losses), accuracy: right / total, uncovered, share: share.map((v) => v / total), most, top, losses };
}

// meanLoss returns the figure of the losses of the rows, or of those that are strongest in rule r.
function meanLoss(losses, top = null, r = -1) {
  let sum = 0, total = 0;
  losses.forEach((v, n) => {
    if (top && top[n] !== r) return;
    sum += trial.weights[n] * v;
    total += trial.weights[n];
  });
  return content.figure.name === "RMSE" ? Math.sqrt(sum / total) : sum / total;
}

// leastShare is the least share of the training mean, and the least probability, in a logarithm.
const leastShare = 1e-15;

// lossOf returns the loss of a prediction of row n, whose mean, or the root of it, is the figure: see model.Criterion.
function lossOf(values, y, n) {
  const t = y[0][n], mu = Math.max(values[0], leastShare * (edited.targets?.[0].mean ?? 0));
  switch (content.figure.name) {
    case "log loss": return -Math.log(Math.max(values[t], leastShare));
    case "mean pinball loss":
      return values.reduce((sum, v, c) => sum + Math.max(editing.levels[c] * (t - v), (editing.levels[c] - 1) * (t - v)), 0) / values.length;
    case "mean Poisson deviance": return t === 0 ? 2 * mu : Math.max(0, 2 * (t * Math.log(t / mu) - t + mu));
    case "mean Tweedie deviance": {
      const a = 2 - 2 * content.model.power, b = 1 - a; // p = 2 power
      return Math.max(0, 2 * (mu ** a / a + (t * mu ** -b) / b - t ** a / (a * b)));
    }
    case "mean gamma deviance": return Math.max(0, 2 * (t / mu - 1 - Math.log(t / mu)));
  }
  const power = content.figure.name === "RMSE" ? 2 : 1;
  if (kind !== "targets") return Math.abs(t - values[0]) ** power;
  const { weights } = editing, total = weights.reduce((a, b) => a + b, 0);
  return values.reduce((sum, v, c) => sum + weights[c] * Math.abs((y[c][n] - v) / edited.targets[c].scale) ** power, 0) / total;
}

// reevaluate computes what the stale keys concern, and the error. It returns the rules that changed.
function reevaluate() {
  const concerned = new Set();
  for (const key of trial.stale) {
    const [what, of] = key.split(" ");
    if (what === "if") terms[of].rules.forEach((rule) => concerned.add(rule));
    else if (what === "then") concerned.add(edited.rules[of]);
  }
  concerned.forEach(reckon);
  for (const key of trial.stale) if (/^(off|keep) /.test(key)) concerned.add(edited.rules[key.split(" ")[1]]);
  trial.stale.clear();
  trial.now = evaluate(edited.rules.filter((rule) => !isOff(rule)));
  return concerned;
}
