
// targetControls let people choose what is predicted.
function targetControls(host) {
  const names = () => app.state.look.columns.map((c) => c.name);
  const change = (target) => {
    const leaveOut = app.state.leaveOut?.filter((name) => !target.includes(name)) ?? null;
    return rechoose("Looking at the columns", { target, leaveOut });
  };
  const select = (all, targets, i) => {
    const free = all.filter((name) => name === targets[i] || !targets.includes(name));
    const element = choice("", free, free.indexOf(targets[i]), (k) => change(targets.with(i, free[k])));
    element.querySelector("select").setAttribute("aria-label", i ? `Target ${i + 1}` : "Column to predict");
    return element;
  };
  const fill = (look) => {
    const at = [...host.querySelectorAll("select, button")].indexOf(document.activeElement), all = names(), { targets } = look;
    if (look.fixed) return host.replaceChildren(make("span", {}, `Predict ${targets.join(", ")}`));
    host.replaceChildren(make("span", {}, "Predict"), ...targets.map((name, i) => make("span", { class: "target" }, select(all, targets, i),
      targets.length > 1 ? button("×", () => change(targets.toSpliced(i, 1)), { "aria-label": `Do not predict ${name}` }) : null)));
    const free = all.find((name) => !targets.includes(name) && look.columns.find((c) => c.name === name).kind === "number");
    if (free !== undefined && look.inputs > 1 && look.task !== "classification") host.append(button("+ another target", () => change([...targets, free])));
    if (look.guessed) host.append(make("span", { class: "note" }, "a guess: the last column that can be predicted"));
    if (at >= 0) [...host.querySelectorAll("select, button")].at(Math.min(at, host.querySelectorAll("select, button").length - 1))?.focus();
    return undefined;
  };
  fill(app.state.look);
  app.on("look", fill);
}

// findings shows what was found in the table: warnings first.
function findings(host) {
  const fill = ({ warnings, notes }) => {
    host.replaceChildren();
    if (warnings.length) host.append(make("div", { class: "warning", role: "note", "aria-label": "Warnings" }, ...warnings.map((text) => make("p", {}, text))));
    if (notes.length) host.append(make("h3", {}, "What was found"), make("ul", { class: "found" }, ...notes.map((text) => make("li", {}, text))));
  };
  fill(app.state.look);
  app.on("look", fill);
}

app.step({
  id: "columns", title: "Columns", heading: "Columns",
  open: () => app.state.look !== null,
  build(host) {
    const targets = make("div", { class: "controls targets", role: "group", "aria-label": "What to predict" }), found = make("div", {}), table = make("div", {});
    const lead = make("p", { class: "lead" });
    const fill = (look) => {
      byId("heading-columns").textContent = titled(look.table);
      lead.textContent = `${counted(look.rows, "row")}, ${counted(look.columns.length, "column")}; ${look.inputs} of them will be used to predict ${look.targets.length > 1 ? "the targets" : "the target"}.`;
    };
    fill(app.state.look);
    app.on("look", fill);
    host.append(lead, targets, found, table, make("div", { class: "actions" },
      button("Train", () => startTraining(), { class: "main" }),
      button("Settings first", () => app.show("settings")),
      make("span", { class: "note preset" })));
    targetControls(targets);
    findings(found);
    columnTable(table);
  },
  entered() {
    document.querySelector("#step-columns .preset").textContent = `preset ${app.state.preset}`;
  },
});
