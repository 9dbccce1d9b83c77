
settle();
themeButton(byId("theme"));
outputChoice(byId("output-choice"));
for (const draw of [
  () => startControls(byId("start")),
  () => inputControls(byId("inputs")),
  () => answer(byId("answer")),
  () => rowContributions(byId("row-contributions")),
  () => firing(byId("firing")),
  () => onOutput(() => gradually(errors)),
  classErrors,
  forecasts,
  importance,
  () => onOutput(() => gradually(contributions)),
  () => onOutput(() => gradually(responses)),
  surface,
  memberships,
  curves,
  learningCurves,
  pruningPath,
  pageSizes,
]) gradually(draw);
tabs(() => gradually(editor));
window.addEventListener("beforeprint", () => document.querySelectorAll("#rules .rules details").forEach((d) => { d.open = true; }));

// For the console, with values by column: tskgraph.predict({length: 0.5, sex: "F"}). Interval returns what the interval or set
// with a score holds, see intervals.js.
window.tskgraph = Object.freeze({
  predict: (values) => predict(encode(values)),
  interval: (values, score) => (classes ? classSet(predict(encode(values)), score) : outputs.map((_, j) => bounds(predict(encode(values)), score, kind === "quantiles" ? 0 : j))),
});
