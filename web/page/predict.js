
// predictStep is the step in which a run predicts a row that is typed, and the rows of a file.
const predictStep = app.step({
  id: "predict", title: "Predict", heading: "Predict",
  open: () => shownRun() !== undefined,
  build(host) {
    const pick = make("div", { class: "controls" }), form = make("div", { class: "cells" }), answer = make("div", { class: "answer" }), file = make("div", {});
    const values = make("output", { class: "said", "aria-live": "polite" }), doubts = make("ul", { class: "warnings" }), rules = make("div", {});
    answer.append(values, doubts, rules);
    host.append(pick, make("div", { class: "predicting" }, answer, make("div", {}, make("h3", {}, "A row"), form)), make("h3", {}, "A file"), file);
    let shown = null;
    predictStep.fill = () => {
      const one = shownRun(), { runs } = app.start;
      if (!one) return;
      pick.replaceChildren(choice("Run", runs.map(runTitle), runs.indexOf(one), (i) => {
        app.state.run = runs[i].run;
        predictStep.fill();
      }));
      const key = `${one.run} ${one.when}`;
      if (shown !== key) predictStep.taker = show(one, shown = key);
    };
    // show shows the form of a run, and resolves to a function that takes a file of rows; to undefined if the form cannot be shown.
    const show = async (one, key) => {
      const asked = await app.attempt("Reading the model", () => app.call("form", { run: one.run }));
      if (!asked || shown !== key) return undefined;
      predictStep.head.textContent = `Predict ${asked.target}`;
      const ask = latest(async () => {
        try {
          const said = await app.call("predict", { run: one.run, row: row.cells() });
          if (shown === key) showPrediction({ values, doubts, rules }, said, asked), row.mark(said.flags);
        } catch (fault) {
          values.replaceChildren();
          rules.replaceChildren();
          doubts.replaceChildren(make("li", {}, faultText(fault)));
        }
      });
      const row = rowForm(form, asked, ask);
      ask();
      return predictFile(file, one.run, asked);
    };
    app.on("start", () => app.shown() === "predict" && predictStep.fill());
  },
  entered() {
    predictStep.fill();
  },
});

// latest returns a function that calls f, which returns a promise, at once or as soon as its last call has ended, and then once.
function latest(f) {
  let runs = false, again = false;
  return async () => {
    again = true;
    if (runs) return;
    for (runs = true; again;) {
      again = false;
      await f();
    }
    runs = false;
  };
}

// showPrediction shows the prediction of a row, why to doubt it, and the rules that decide it.
function showPrediction({ values, doubts, rules }, said, { committee, rows }) {
  const level = `${Number((100 * said.level).toPrecision(6))}%`;
  values.replaceChildren(...(said.class !== undefined ? ofClasses(said, level) : said.values.map((v) => make("p", {}, ...(said.values.length > 1 ? [make("span", { class: "what" }, v.title)] : []),
    make("strong", {}, figure(v.value)), v.unit ? ` ${v.unit}` : "", v.low === null && v.high === null ? "" : make("span", { class: "interval" }, `${level} interval: ${figure(v.low ?? NaN)} to ${withUnit(v.high ?? NaN, v.unit)}`)))));
  doubts.replaceChildren(...said.flags.map(({ text }) => make("li", {}, text)));
  rules.replaceChildren(...said.rules.map((r) => make("div", { class: "decides" }, make("h3", {}, r.name), ruleLine(r.sentence), make("p", { class: "note" }, r.place || `It has ${percent(r.firing)} of the firing here.`))),
    ...(committee ? [make("p", { class: "note" }, "The prediction is the mean of a committee: no rule decides it.")] : []),
    ...(said.level || !rows ? [] : [make("p", { class: "note" }, "An interval needs training rows that are set aside for it: data.calibration in the settings, such as 0.2.")]));
}

// ofClasses shows the most probable class, the set of a level, and the probabilities of the first classes.
function ofClasses(said, level) {
  const all = [...said.values].sort((a, b) => b.value - a.value);
  return [make("p", {}, make("strong", {}, said.class), ` ${percent(all[0].value)}`, said.set ? make("span", { class: "interval" }, `${level} set: ${said.set.join(", ")}`) : ""),
    ...all.slice(0, 8).map((v) => make("p", { class: "chance" }, make("span", {}, v.title), make("meter", { value: v.value, max: 1, "aria-label": v.title }), make("span", { class: "n" }, percent(v.value))))];
}
