
// mostListed is how many columns a list to choose a target from has; of more, its name is typed.
const mostListed = 500;

// targetControls let people choose what is predicted.
function targetControls(host) {
  const names = () => app.state.look.columns.map((c) => c.name);
  const change = (target) => {
    const leaveOut = app.state.leaveOut?.filter((name) => !target.includes(name)) ?? null;
    const without = (parts) => Object.fromEntries(Object.entries(parts).filter(([name]) => !target.includes(name)));
    const columns = Object.fromEntries(Object.entries(app.state.columns).map(([key, parts]) => [key, without(parts)]).filter(([, parts]) => filled(parts)));
    return rechoose("Looking at the columns", { target, leaveOut, columns, set: settingsOf((key) => !ofTarget.test(key)) });
  };
  const labelled = (element, i) => {
    element.setAttribute("aria-label", i ? `Target ${i + 1}` : "Column to predict");
    return element;
  };
  const select = (all, targets, i) => {
    if (all.length > mostListed) {
      const field = make("input", { type: "text", value: targets[i], onchange: () => change(targets.with(i, field.value.trim())) });
      return labelled(field, i);
    }
    const free = all.filter((name) => name === targets[i] || !targets.includes(name));
    const element = choice("", free, free.indexOf(targets[i]), (k) => change(targets.with(i, free[k])));
    labelled(element.querySelector("select"), i);
    return element;
  };
  const fill = (look) => {
    const controls = () => [...host.querySelectorAll("select, input, button")];
    const at = controls().indexOf(document.activeElement), all = names(), { targets } = look;
    if (look.fixed) return host.replaceChildren(make("span", {}, `Predict ${targets.join(", ")}`));
    host.replaceChildren(make("span", {}, "Predict"), ...targets.map((name, i) => make("span", { class: "target" }, select(all, targets, i),
      targets.length > 1 ? button("×", () => change(targets.toSpliced(i, 1)), { "aria-label": `Do not predict ${name}` }) : null)));
    const free = look.columns.find((c) => c.kind === "number" && !targets.includes(c.name))?.name;
    if (free !== undefined && look.inputs > 1 && look.task !== "classification") host.append(button("+ another target", () => change([...targets, free])));
    if (look.guessed) host.append(make("span", { class: "note" }, "a guess: the last column that can be predicted"));
    if (at >= 0) controls().at(Math.min(at, controls().length - 1))?.focus();
    return undefined;
  };
  fill(app.state.look);
  app.on("look", fill);
}

// findings shows what was found in the table, warnings first, each with what can be done about it. What is about one column is there.
function findings(host) {
  const fill = (look) => {
    const why = (text) => (of(text).length === 1 && of(text)[0].why) || text;
    const focus = focusedProposal(), ofColumns = look.proposals.filter((p) => p.column), of = (text) => look.proposals.filter((p) => !p.column && p.text === text);
    const [warnings, notes] = [look.warnings, look.notes].map((texts) => texts.filter((text) => !ofColumns.some((p) => p.text === text)));
    notes.push(...new Set(look.proposals.filter((p) => !p.column && ![...warnings, ...notes].includes(p.text)).map((p) => p.text)));
    host.replaceChildren();
    if (warnings.length) host.append(make("div", { class: "warning", role: "note", "aria-label": "Warnings" }, ...warnings.map((text) => make("div", {}, make("p", {}, why(text)), proposalButtons(of(text))))));
    if (notes.length) host.append(make("h3", {}, "What was found"), make("ul", { class: "found" }, ...notes.map((text) => make("li", {}, why(text), proposalButtons(of(text))))));
    focusProposal(host, focus);
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
    if (app.state.look.stale) app.attempt("Looking at the columns", relook);
  },
});
