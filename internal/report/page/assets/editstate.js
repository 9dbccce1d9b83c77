
// editing describes how the rules can be edited, see editing.go. The rules are those of the first member: there is only one.
const editing = content.editing, edited = members[0];

// Edits are a map from keys to numbers in the units of the columns: "if T J" for parameter J of term T, "then R C I" for the
// slope of input I-1 in formula C of rule R, or its constant for I = 0, "off R", and "keep R" for the parts of rule R that training
// keeps. What is not in the map is as it was.
// Maps are not changed once made: undo returns to the one before.
const edits = { now: new Map(), past: [], future: [], gesture: null, listeners: [] };

// linked has the keys of parameters that rules share, by each of them: the borders of a tree. They stay equal.
const linked = new Map((editing.links ?? []).flatMap((keys) => keys.map((key) => [key, keys])));

// commit changes edits: pairs of a key and a number, or undefined for what it was. Changes of one gesture, such as a drag,
// are undone together.
function commit(changes, gesture = null) {
  const next = new Map(edits.now);
  for (const [key, value] of changes) {
    for (const each of linked.get(key) ?? [key]) {
      if (value === undefined) next.delete(each);
      else next.set(each, value);
    }
  }
  if (gesture === null || gesture !== edits.gesture) edits.past.push(edits.now);
  edits.gesture = gesture;
  edits.future = [];
  replaceEdits(next);
}

// step undoes or redoes: it moves the edits from one stack to the other.
function step(from, to) {
  if (!from.length) return;
  to.push(edits.now);
  edits.gesture = null;
  replaceEdits(from.pop());
}

const undo = () => step(edits.past, edits.future), redo = () => step(edits.future, edits.past);

// replaceEdits calls the listeners with the keys that differ.
function replaceEdits(next) {
  const before = edits.now, keys = new Set();
  for (const [key, value] of next) if (before.get(key) !== value) keys.add(key);
  for (const key of before.keys()) if (!next.has(key)) keys.add(key);
  edits.now = next;
  if (keys.size) for (const f of edits.listeners) f(keys);
}

// terms are the membership functions that can be edited, with the rules that share each.
const terms = [];
if (!editing.why) edited.rules.forEach((rule) => rule.mentions.forEach((input, k) => {
  const t = editing.terms[rule.number - 1][k];
  (terms[t] ??= { index: t, input, params: rule.params[k], rules: [], ...unitsOf(input) }).rules.push(rule);
}));

// unitsOf returns how the parameters of a term over an input are converted: from units is that of the file, the unit of
// the column or, of a transformed column, of its transform; toRules and ofRules convert a parameter by its kind, axis and
// ofAxis a position to the unit of the column; span is the training range.
function unitsOf(input) {
  const { mean, sd, power } = edited.scalings[input], { min, max } = content.features[edited.inputs[input].feature];
  const by = {
    position: [(v) => (v - mean) / sd, (u) => mean + sd * u],
    spread: [(v) => v / sd, (u) => sd * u],
    slope: [(v) => v * sd, (u) => u / sd],
  };
  const same = (v) => v, pair = (kind) => (power ? undefined : by[kind]) ?? [same, same];
  const ofAxis = power ? (v) => straighten(power, (v - mean) / sd) : same;
  return {
    power, ofAxis, span: ofAxis(max) - ofAxis(min) || sd,
    toRules: (kind, v) => pair(kind)[0](v),
    ofRules: (kind, u) => pair(kind)[1](u),
    axis: power ? (u) => mean + sd * unstraighten(power, u) : same,
  };
}

// unstraighten returns the z-score whose transform is u, an infinity if there is none.
function unstraighten(power, u) {
  const v = power.mean + power.sd * u, sign = v < 0 ? -1 : 1, lambda = v < 0 ? 2 - power.lambda : power.lambda, size = Math.abs(v);
  if (lambda === 0) return sign * Math.expm1(size);
  return 1 + lambda * size > 0 ? sign * ((1 + lambda * size) ** (1 / lambda) - 1) : sign * Infinity;
}

// valuesOf returns the parameters of a term as edited, in the units of the file; before, as they were.
const valuesBefore = (term) => editing.params.map(({ kind }, j) => term.ofRules(kind, term.params[j]));
const valuesOf = (term) => valuesBefore(term).map((v, j) => edits.now.get(`if ${term.index} ${j}`) ?? v);

// rulesParams returns parameters as the rules have them; those that were not edited to the bit.
const rulesParams = (term) => Float64Array.from(editing.params, ({ kind }, j) => {
  const v = edits.now.get(`if ${term.index} ${j}`);
  return v === undefined ? term.params[j] : term.toRules(kind, v);
});

// coefficientBefore returns a coefficient of a formula in the units of the columns: the slope of input i-1, or the constant
// for i = 0.
function coefficientBefore(rule, c, i) {
  const w = rule.weights[c], { base, scale } = editing.outputs[c], slope = (m) => (w[m + 1] * scale) / edited.scalings[m].sd;
  if (i > 0) return slope(i - 1);
  return edited.scalings.reduce((sum, s, m) => sum - slope(m) * s.mean, base + scale * w[0]);
}

const coefficient = (rule, c, i) => edits.now.get(`then ${rule.number - 1} ${c} ${i}`) ?? coefficientBefore(rule, c, i);

// rulesWeights returns the weights of a formula as the rules have them. What was not edited is the same to the bit, except for
// the bias, which the means of the columns enter with the slopes.
function rulesWeights(rule, c) {
  const { scale } = editing.outputs[c], weights = Float64Array.from(rule.weights[c]);
  for (let i = 0; i < weights.length; i++) {
    const v = edits.now.get(`then ${rule.number - 1} ${c} ${i}`);
    if (v === undefined) continue;
    const change = v - coefficientBefore(rule, c, i);
    if (i === 0) {
      weights[0] += change / scale;
      continue;
    }
    weights[i] = (v * edited.scalings[i - 1].sd) / scale;
    weights[0] += (change * edited.scalings[i - 1].mean) / scale;
  }
  return weights;
}

const isOff = (rule) => edits.now.has(`off ${rule.number - 1}`);

// sharing returns the other rules that share parameters with terms of a rule.
function sharing(rule, own) {
  const keys = own.flatMap((term) => editing.params.flatMap((_, j) => linked.get(`if ${term.index} ${j}`) ?? [`if ${term.index} ${j}`]));
  const others = new Set(keys.flatMap((key) => terms[key.split(" ")[1]].rules));
  others.delete(rule);
  return [...others].map((r) => r.number).sort((a, b) => a - b);
}

// termsIn returns the terms of a rule, in the order of its inputs.
const termsIn = (rule) => editing.terms[rule.number - 1].map((t) => terms[t]);

// keysOf returns the keys of the edits of a rule.
function keysOf(rule) {
  const own = new Set(editing.terms[rule.number - 1]);
  return [...edits.now.keys()].filter((key) => {
    const [what, of] = key.split(" ");
    return what === "if" ? own.has(Number(of)) : Number(of) === rule.number - 1;
  });
}
