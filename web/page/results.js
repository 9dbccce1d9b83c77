
// shownRun returns the entry of the run that the results show: the one chosen, else the latest; undefined without runs.
const shownRun = () => app.start?.runs.find(({ run }) => run === app.state.run) ?? app.start?.runs[0];

// runTitle names a run for people.
const runTitle = ({ run, metric, error_test: test, error_train: train, stopped }) =>
  `${run}${metric ? `: ${metric} ${figure(test ?? train)}` : ""}${stopped ? ", stopped early" : ""}`;

// runFacts says what a run was and how well its model predicts.
function runFacts({ table, target, preset, rules, metric, error_train: train, error_test: test, seconds, stopped, edited }) {
  const errors = [[test, "on the test part"], [train, "in training"]].filter(([v]) => Number.isFinite(v)).map(([v, where]) => `${figure(v)} ${where}`);
  const parts = [
    Number.isFinite(rules) && counted(rules, "rule"), errors.length && `${metric} ${errors.join(", ")}`, preset && `preset ${preset}`, edited && "trained on from edited rules",
    seconds > 0 && `trained in ${lasting(seconds)}`, stopped && "stopped early: the best model up to then",
  ];
  return `${[target].flat().join(", ")} from ${titled(table)}. ${parts.filter(Boolean).join("; ")}.`;
}

// showRun makes a run the one that the results show.
function showRun(run) {
  app.state.run = run;
  app.show("results");
}

// trainOn trains from rules, the text of rules.yaml, that are edited from those of a run: with the settings chosen if the run is on
// the table that the page shows, else with those of the run.
function trainOn({ run, table }, rules) {
  if (running) return showFault({ message: "A training is running: wait until it has ended, or stop it, then train on from the rules." });
  const from = { run, rules };
  return startTraining(app.state.look && app.state.table === table ? { ...trainingArgs(), from } : { from });
}

// resultsStep is the step with the rules of a run and its report. Its parts show(run) a run when it is chosen.
const resultsStep = app.step({
  id: "results", title: "Results", heading: "Results",
  open: () => shownRun() !== undefined,
  build() {
    const pick = make("div", { class: "controls" }), ask = make("div", {}), facts = make("p", { class: "lead" }), warned = make("div", {}), rules = make("div", {}), files = make("div", {});
    const edit = button("Edit the rules", () => resultsFrame.open("edit")), sheet = button("One sheet", () => resultsFrame.open("sheet")), parts = [rulesInWords(rules), takeAway(files)];
    askToKeep(ask);
    resultsFrame.element.before(ask, pick, facts, warned, make("div", { class: "actions" },
      edit, sheet, button("Predict", () => app.show("predict")), button("Compare with another run", () => app.show("runs")), button("Change the settings", () => app.show(app.state.look ? "settings" : "table"))), rules,
      make("p", { id: "no-report", class: "warning", role: "note" }, "There is no report, which needs the rows of the table: a model that is opened has none, and after a reload of the page they are here only if you chose to keep them. Rules, predictions and files are here."));
    resultsFrame.element.after(files); // the frame stays where it is: moved, it would be loaded again
    let shown = null;
    resultsStep.fill = () => {
      const one = shownRun(), { runs } = app.start;
      if (!one) return;
      pick.replaceChildren(choice("Run", runs.map(runTitle), runs.indexOf(one), (i) => showRun(runs[i].run)));
      resultsStep.head.textContent = `Rules for ${[one.target].flat().join(", ")}`;
      facts.textContent = runFacts(one);
      warned.replaceChildren(...(one.warnings ?? []).map((text) => make("p", { class: "warning", role: "note" }, `${text}.`.replace(/\.\.$/, "."))));
      const key = `${one.run} ${one.when}`; // after a run is deleted, another one may have its name
      if (shown === key) return;
      shown = key;
      edit.disabled = sheet.disabled = isBare(one.run);
      for (const part of parts) part.show(one);
      showReport(one, () => shown === key);
    };
    app.on("start", () => app.shown() === "results" && resultsStep.fill());
  },
  entered() {
    resultsStep.fill();
  },
});

// resultsFrame is in the page from the start: afterwards the page asks its host for nothing.
const resultsFrame = reportFrame((rules) => trainOn(shownRun(), rules));
resultsStep.host.append(resultsFrame.element);

// showReport shows the report of a run, unless another run is shown by then.
async function showReport({ run }, wanted) {
  resultsFrame.hide();
  byId("no-report").hidden = !isBare(run);
  if (isBare(run)) return;
  await app.attempt("Writing the report", async () => {
    const { html } = await app.call("report", { run });
    if (wanted()) await resultsFrame.show(html);
  });
}
