
// twice returns a button that asks before it acts. The question is a function that returns a text.
function twice(text, question, act, attributes = {}) {
  const first = button(text, () => {
    box.replaceChildren(make("span", {}, question()), yes, no);
    yes.focus();
  }, attributes);
  const yes = button("Yes", () => act(), { class: "primary" });
  const no = button("No", () => {
    box.replaceChildren(first);
    first.focus();
  });
  const box = make("span", { class: "twice" }, first);
  return box;
}

// runsTable lists the runs. chosen is the set of those to compare; changed is called after a change of it.
function runsTable(chosen, changed) {
  const errorOf = ({ metric, error_test: test, error_train: train }) => (Number.isFinite(test ?? train) ? `${metric} ${figure(test ?? train)}` : "–");
  const row = (one) => {
    const box = make("input", { type: "checkbox", checked: chosen.has(one.run), "aria-label": `Compare ${one.run}`, onchange: () => {
      if (box.checked) chosen.add(one.run);
      else chosen.delete(one.run);
      changed();
    } });
    return make("tr", { class: one.run === shownRun()?.run ? "strong" : false },
      make("td", {}, box), make("th", { scope: "row" }, button(one.run, () => showRun(one.run), { class: "link" }), one.stopped ? make("span", { class: "note" }, " stopped early") : null),
      make("td", { class: "n" }, errorOf(one)), make("td", { class: "n" }, Number.isFinite(one.rules) ? String(one.rules) : "–"), make("td", {}, one.preset ?? ""),
      make("td", {}, titled(one.table)), make("td", {}, whenText(one.when)),
      make("td", {}, twice("Delete", () => "Delete it?", () => deleteRun(one.run), { "aria-label": `Delete ${one.run}` })));
  };
  return make("table", { class: "runs" },
    make("thead", {}, make("tr", {}, ...["Compare", "Run", "Error", "Rules", "Preset", "Table", "When"].map((text, i) => make("th", { scope: "col", class: i === 2 || i === 3 ? "n" : false }, text)),
      make("th", { scope: "col" }, make("span", { class: "hidden" }, "Delete")))),
    make("tbody", {}, ...app.start.runs.map(row)));
}

// whenText formats the time of a run.
function whenText(when) {
  const at = new Date(when);
  return Number.isNaN(at.getTime()) ? "" : at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

async function deleteRun(run) {
  const answer = await app.attempt(`Deleting ${run}`, async () => {
    const removed = await app.call("delete", { run });
    await app.restart();
    return removed;
  });
  if (!answer) return;
  if (answer.kept?.length) showFault({ message: `${run}: its directory has files that are not of tskgraph, and stays: ${answer.kept.join(", ")}` });
  if (app.state.run === run) app.state.run = null;
  app.say(`Deleted ${run}.`);
  saveSession();
}

app.step({
  id: "runs", title: "Runs", heading: "Runs",
  open: () => app.start !== null,
  build(host) {
    const chosen = new Set(), table = make("div", { class: "wide" }), result = make("div", {}), kept = make("div", {});
    const compare = comparison(result), go = button("Compare the two chosen runs", () => compare.show(app.start.runs.map(({ run }) => run).filter((run) => chosen.has(run)).reverse()));
    const changed = () => {
      go.disabled = chosen.size !== 2;
      compare.clear();
    };
    const fill = () => {
      for (const run of chosen) if (!app.start.runs.some((r) => r.run === run)) chosen.delete(run);
      const none = !app.start.runs.length;
      table.replaceChildren(none ? make("p", { class: "note" }, "No run yet: choose a table and train.") : runsTable(chosen, changed));
      go.hidden = none;
      changed();
    };
    host.append(table, make("div", { class: "actions" }, go), result, kept);
    fill();
    app.on("start", fill);
    sessionBox(kept);
  },
  entered() {
    session.said = "";
    sessionChanged();
  },
});

// sessionBox says what is kept where, and lets people keep tables and forget everything.
function sessionBox(host) {
  const fill = () => {
    const focused = host.contains(document.activeElement) && document.activeElement.matches("[type=checkbox]");
    const box = make("input", { type: "checkbox", checked: session.tables === "keep", onchange: () => keepTables(box.checked) });
    host.replaceChildren(
      make("h3", {}, "What is kept"),
      make("p", { class: "note" }, keepsSessions
        ? "The runs are kept in this browser and survive a reload; the rows of your tables only if you say so. Without them a run has its rules, its model and its settings, but no report."
        : `The runs are directories in ${app.start.directory}; tables that were dropped here are copies in its directory tables.`),
      ...(keepsSessions ? [make("p", {}, make("label", {}, box, " Keep the tables too"))] : []),
      ...(session.fault ? [make("p", { class: "warning", role: "alert" }, session.fault)] : []),
      make("div", { class: "actions" }, twice(keepsSessions ? "Forget everything" : "Forget the tables", forgetQuestion, forgetEverything, { disabled: running !== null })),
      ...(session.said ? [make("p", { id: "forgotten" }, session.said)] : []));
    if (focused) box.focus();
  };
  fill();
  session.listeners.push(fill);
  for (const kind of ["training", "ended"]) app.on(kind, fill);
}

// forgetQuestion asks whether to forget, and says what runs of the workbench lose.
function forgetQuestion() {
  if (keepsSessions) return "Forget all tables and runs, in every tab of this page?";
  const of = app.start.runs.filter(({ table }) => app.start.tables.includes(table)).length;
  return `Forget the tables that were dropped here?${of ? ` ${counted(of, "run")} stay${of === 1 ? "s" : ""}, but cannot be trained again.` : ""}`;
}

// keepTables keeps the rows of tables in the browser, or removes them from it.
function keepTables(is) {
  session.tables = is ? "keep" : "drop";
  sessionChanged();
  return saveSession();
}

// askToKeep asks, once there is a run, whether the browser shall keep the table too.
function askToKeep(host) {
  const fill = () => {
    const asks = keepsSessions && session.mine && session.tables === "ask" && app.start?.runs.some((r) => !r.table.startsWith(builtin));
    host.hidden = !asks && !session.fault;
    host.replaceChildren(...(session.fault ? [make("p", { class: "warning", role: "alert" }, session.fault)] : []), ...(asks ? [make("p", { class: "warning", role: "note" },
      "This browser keeps the rules and settings of your runs. Keep the table too, so that reports and training go on after a reload? ",
      button("Keep the table", () => keepTables(true)), " ", button("Do not keep it", () => keepTables(false)))] : []));
  };
  fill();
  session.listeners.push(fill);
  app.on("start", fill);
}
