
// The page shows one of the values that the model predicts: a target, a quantile, or the probability of a class.
const kind = content.response.kind, outputs = content.response.outputs, classes = kind.endsWith("classes");

// shownOutput returns the value that is shown, with its label and unit.
const shownOutput = () => outputs[state.output];

// valued formats a value of the response.
const valued = (v, j = state.output) => (classes ? percent(v) : withUnit(v, outputs[j].unit));

// mostProbable returns the index of the largest value, the first of equal ones.
const mostProbable = (values) => values.indexOf(Math.max(...values));

const outputListeners = [];

// onOutput calls f now and after every change of the value that is shown.
function onOutput(f) {
  outputListeners.push(f);
  f();
}

// outputChoice makes the control that chooses the value to show.
function outputChoice(host) {
  if (outputs.length < 2) {
    host.remove();
    return;
  }
  const what = classes ? "Class" : { targets: "Target", quantiles: "Quantile" }[kind];
  const control = choice(what, outputs.map((o) => (kind === "quantiles" ? o.name.replace(" quantile", "") : o.name)), state.output, (j) => {
    state.output = j;
    for (const f of outputListeners) f();
    rowChanged();
  });
  control.querySelector("select").id = "output";
  host.append(control);
}

// renewed returns an empty copy of an element in its place, without what was drawn or observed before.
function renewed(id) {
  const old = byId(id), fresh = old.cloneNode(false);
  old.replaceWith(fresh);
  return fresh;
}

// observedText formats what was observed in a row of the sample.
function observedText(i) {
  const { targets } = content.rows;
  if (classes) return outputs[targets[0][i]].name;
  const c = kind === "targets" ? state.output : 0;
  return withUnit(targets[c][i], outputs[c].unit);
}
