
// look has what the editor shows: the formula of one output, and whether slopes turn about the centre of their rule.
const look = { output: 0, turn: true };

// findCentres finds the centre of each rule: the mean row, in z-scores, where it fires before the edits, weighted by its firing level.
function* findCentres() {
  const sums = edited.rules.map(() => new Float64Array(edited.scalings.length)), totals = new Float64Array(edited.rules.length), levels = new Float64Array(edited.rules.length);
  for (let n = 0; n < trial.N; n++) {
    trial.levels.forEach((of, r) => { levels[r] = of[n]; });
    normalise(edited, levels)?.forEach((level, r) => {
      const w = level * trial.weights[n];
      trial.rows[n].thenPart.forEach((z, m) => { sums[r][m] += w * z; });
      totals[r] += w;
    });
    if (n % 100 === 99) yield;
  }
  edited.rules.forEach((rule, r) => { rule.centre = sums[r].map((v) => (totals[r] > 0 ? v / totals[r] : 0)); });
}

// saysAt returns what a formula of a rule says at the centre of the rule, on the scale of the output.
function saysAt(rule, c) {
  const w = rulesWeights(rule, c), { base, scale } = editing.outputs[c];
  return base + scale * rule.centre.reduce((sum, z, m) => sum + w[m + 1] * z, w[0]);
}

const thenKey = (rule, c, i) => `then ${rule.number - 1} ${c} ${i}`;

// setSlope changes a slope; the constant follows so that the rule says the same at its centre, if slopes turn about it.
function setSlope(rule, c, i, v, gesture) {
  const changes = [[thenKey(rule, c, i), v]];
  if (look.turn) {
    const { mean, sd } = edited.scalings[i - 1], change = (v ?? coefficientBefore(rule, c, i)) - coefficient(rule, c, i);
    changes.push([thenKey(rule, c, 0), tidy(coefficient(rule, c, 0) - change * (mean + sd * rule.centre[i - 1]), editing.outputs[c].scale / 1000)]);
  }
  commit(changes, gesture);
}

// slideField returns a slider with a number field, and a function that updates both. spec is as for numberField, with range
// and slide, which gets the number and a gesture.
function slideField(spec) {
  const { from, to } = spec.range, step = niceStep((to - from) / 400);
  const range = make("input", { type: "range", min: from, max: to, step: "any", "aria-label": spec.label, oninput: () => spec.slide(tidy(Number(range.value), to - from), gestureOf(spec.label)),
    onkeydown: (event) => {
      const v = keyed(event, spec.now(), { from, to });
      if (v === null) return;
      event.preventDefault();
      spec.slide(tidy(Math.min(to, Math.max(from, v)), step * 400), gestureOf(spec.label));
    } });
  const { field, update } = numberField(spec);
  return { range, field, update: () => {
    const v = spec.now();
    range.value = v;
    range.style.setProperty("--filled", `${(100 * Math.min(1, Math.max(0, (v - from) / (to - from)))).toFixed(2)}%`);
    range.setAttribute("aria-valuetext", shortNumber(v));
    update();
  } };
}

// thenEditor returns the fields of a rule's formula of the output that is shown.
function thenEditor(rule) {
  const c = look.output, { label: name, unit, scale } = editing.outputs[c], weights = rule.weights[c];
  const row = (text, spec, note) => {
    const control = slideField({ label: `Rule ${rule.number}: ${text}`, ...spec });
    return { element: make("div", { class: "edit-slope" }, make("span", { class: "name" }, text, note ? make("span", { class: "unit" }, ` ${note}`) : null), control.range, control.field), update: control.update };
  };
  const level = saysAt(rule, c), says = (v, gesture) => commit([[thenKey(rule, c, 0), tidy(coefficient(rule, c, 0) + v - saysAt(rule, c), scale / 1000)]], gesture);
  const rows = [row(`${name} at the centre of the rule`, {
    now: () => saysAt(rule, c), was: () => level, range: around(level, 2 * scale), slide: says,
    set: (v) => (v === undefined ? commit([[thenKey(rule, c, 0), undefined]]) : says(v)),
  }, unit)];
  const shown = edited.inputs.map((_, m) => m).filter((m) => weights[m + 1] !== 0), rest = edited.inputs.map((_, m) => m).filter((m) => weights[m + 1] === 0);
  const slope = (m) => {
    const before = coefficientBefore(rule, c, m + 1), most = Math.max(2 * Math.abs(before), scale / edited.scalings[m].sd);
    const sign = editing.signs?.[c * weights.length + m + 1] ?? 0; // model.monotone: 1 for slopes of at least zero, -1 for at most
    return row(inputName(m), {
      now: () => coefficient(rule, c, m + 1), was: () => before, range: { from: sign > 0 ? 0 : -most, to: sign < 0 ? 0 : most },
      fault: (v) => (v * sign < 0 ? `the model was trained with a sign for this column: ${sign > 0 ? "at least" : "at most"} 0` : ""),
      slide: (v, gesture) => setSlope(rule, c, m + 1, v, gesture), set: (v) => setSlope(rule, c, m + 1, v),
    }, slopeUnit(m, unit));
  };
  rows.push(...shown.map(slope));
  const host = make("div", { class: "edit-then" }, ...rows.map((r) => r.element));
  if (rest.length) {
    const more = choice("Add a term", ["…", ...rest.map(inputName)], 0, (i) => {
      if (!i) return;
      const r = slope(rest[i - 1]);
      rows.push(r);
      more.before(r.element);
      more.querySelector(`option[value="${i}"]`).disabled = true;
      more.querySelector("select").value = 0;
      r.update();
    });
    host.append(more);
  }
  const update = () => rows.forEach((r) => r.update());
  update();
  return { element: host, update };
}

const around = (v, reach) => ({ from: v - reach, to: v + reach });

// inputName returns the name of an input of the THEN parts.
function inputName(m) {
  const column = columnOf(m), k = edited.inputs[m].feature - column.feature;
  return column.onehot ? `${column.name} ${column.levels[k]}` : column.name;
}

const columnOf = (m) => content.columns.find((c) => edited.inputs[m].feature >= c.feature && edited.inputs[m].feature < c.feature + c.width);

// slopeUnit returns the unit of a slope, such as MPa per mm.
function slopeUnit(m, unit) {
  const column = columnOf(m);
  if (column.onehot) return unit ?? "";
  const per = column.levels ? "level" : column.unit;
  return per ? `${unit ? `${unit} ` : ""}per ${per}` : unit ?? "";
}
