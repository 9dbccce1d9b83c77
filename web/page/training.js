
// running is the training that runs: {args, stop}; null if none does.
let running = null, begun = false;

// trainingArgs returns the arguments of train.
function trainingArgs() {
  const { table, preset, look, leaveOut, units, columns, set, from } = app.state;
  return { table, preset, target: look.targets, leave_out: leaveOut ?? leftOut(look), units, ...(filled(columns) && { columns }), set, ...(from && { from }) };
}

// startTraining trains, by default on the table with the settings chosen, and shows how it goes.
async function startTraining(args = trainingArgs()) {
  if (running) return app.show("training");
  const invalid = document.querySelector("#more [aria-invalid=true]");
  if (invalid) return showOption(invalid.id.slice("option-".length));
  const stopper = new AbortController();
  app.state.from = null; // it was for this training
  [running, begun] = [{ args, stop: () => stopper.abort() }, true];
  app.show("training");
  app.emit("training", running);
  clearFault();
  let result = null;
  try {
    result = await app.call("train", args, { signal: stopper.signal, onEvent: (event) => app.emit("progress", event) });
  } catch (fault) {
    if (!stopper.signal.aborted || fault.kind !== "interrupted") showFault(fault);
  }
  running = null;
  if (result) app.state.run = result.run;
  app.emit("ended", result);
  app.refresh();
  if (!result) return undefined;
  await app.restart().catch(showFault);
  app.emit("trained", result);
  app.say(result.stopped ? "Training stopped; the best model so far is kept." : "Training is done.");
  if (app.shown() === "training") app.show("results");
  return result;
}

app.step({
  id: "training", title: "Training", heading: "Training",
  open: () => running !== null || begun,
  build(host) {
    const line = make("div", { class: "stages" }), charts = make("div", { class: "live" }), rules = make("div", {}), notes = make("ul", { class: "found" });
    const stop = stopButton(), stages = stageLine(line), curves = liveCharts(charts), live = liveRules(rules);
    const results = button("See the results", () => app.show("results"), { class: "main" });
    const begin = () => {
      stop.begin();
      results.hidden = true;
      notes.replaceChildren();
      curves.clear();
      live.clear();
      stages.show({ stage: "reading", done: 0, total: 0, seconds: 0 });
    };
    app.on("training", begin);
    app.on("progress", (event) => {
      if (event.event === "progress") stages.show(event);
      if (event.setting || event.stage === "training") stop.keep();
      if (event.event === "note") notes.append(make("li", {}, event.message));
      if (event.event === "rules") live.show(event);
      curves.add(event);
    });
    app.on("ended", (result) => {
      [stop.element.hidden, results.hidden] = [true, !result];
      live.end();
      stages.end(!result ? "No model was trained: nothing is kept." : result.stopped ? "Stopped; the best model so far is kept." : "Done.");
    });
    host.append(line, make("div", { class: "actions" }, stop.element, results), make("div", { class: "course" }, rules, charts), notes);
    if (running) begin();
  },
});

// Leaving the page ends a training.
window.addEventListener("beforeunload", (event) => {
  if (running && !session.left) event.preventDefault();
});
