
// editor fills the tab in which the rules are edited.
function* editor() {
  if (editing.why) {
    byId("edit-bar").remove();
    return;
  }
  yield* startTrial();
  const list = byId("edit-rules");
  const cards = ranked(edited, edited.rules).map(editCard), bar = errorBar(byId("edit-bar"));
  list.append(...cards.map((c) => c.element));
  editControls(byId("edit-controls"), () => cards.forEach((c) => c.update(true)));
  downloads(byId("edit-files"));
  const text = byId("edit-text"), show = later(() => { text.textContent = rulesFile(); }, 250);
  let frame = 0;
  const draw = () => {
    frame = 0;
    const changed = reevaluate();
    for (const card of cards) card.update(changed.has(card.rule));
    bar();
    show();
  };
  edits.listeners.push((keys) => {
    for (const key of keys) trial.stale.add(key);
    frame ||= requestAnimationFrame(draw);
  });
  for (const card of cards) {
    card.update(true);
    yield;
  }
  draw();
  cards[0].element.querySelector("details").open = true;
  document.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (byId("edit").hidden || !(event.ctrlKey || event.metaKey) || event.target.matches("input[type=text]") || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
}

// editControls are the choices of what is shown, and of how slopes turn.
function editControls(host, changed) {
  if (editing.outputs.length > 1) {
    host.append(choice("Formulas of", editing.outputs.map((o) => o.label), 0, (c) => {
      look.output = c;
      changed();
    }));
  }
  const turn = make("input", { type: "checkbox", checked: true, onchange: () => { look.turn = turn.checked; } });
  host.append(make("label", {}, turn, " a slope turns the formula about the centre of its rule; otherwise about zero"));
}

// errorBar shows the error of the edited rules and remarks on them, with the buttons to undo. It returns a function that
// updates it.
function errorBar(host) {
  const { name, unit } = content.figure, value = make("output", { id: "edit-error" }), change = make("span", { class: "change" });
  const before = make("span", { class: "note" }), remarks = make("ul", { class: "warnings", "aria-live": "polite" });
  const button = (text, label, f) => make("button", { type: "button", "aria-label": label, title: label, onclick: f }, text);
  const back = button("↶", "Undo (Ctrl+Z)", undo), forth = button("↷", "Redo (Ctrl+Y)", redo);
  const reset = make("button", { type: "button", onclick: () => commit([...edits.now.keys()].map((key) => [key, undefined])) }, "Reset all");
  const said = make("p", { class: "hidden", role: "status" }), say = later(() => { said.textContent = `${name} ${value.textContent} ${change.textContent}`; }, 600);
  const train = outer && make("button", { type: "button", class: "primary", id: "edit-train", onclick: () => tellOuter({ rules: rulesFile() }) }, "Train on from here");
  host.append(make("div", { class: "edit-error" }, make("span", { class: "what" }, name), value, change, before),
    make("div", { class: "edit-buttons" }, back, forth, reset, make("a", { href: "#edit-download", class: "button" }, "Download"), ...(train ? [train] : [])), remarks, said);
  return () => {
    const { error, accuracy } = trial.now, was = trial.before;
    value.textContent = withUnit(error, unit);
    value.dataset.value = error;
    if (classes) value.dataset.accuracy = accuracy;
    const by = error - was.error;
    change.textContent = edits.now.size === 0 ? "" : by === 0 ? "as before" : `${signed(by)} (${by > 0 ? "worse" : "better"})`;
    change.className = `change ${by > 0 ? "worse" : by < 0 ? "better" : ""}`;
    before.textContent = `${withUnit(was.error, unit)} unedited${classes ? `; accuracy ${percent(accuracy)}, ${percent(was.accuracy)} unedited` : ""}`;
    back.disabled = !edits.past.length;
    forth.disabled = !edits.future.length;
    reset.disabled = !edits.now.size;
    remarks.replaceChildren(...editRemarks().map((text) => make("li", {}, text)));
    say();
  };
}

// leastTop is the level above which a rule should fire for some row.
const leastTop = 0.05;

// editRemarks returns warnings about the edited rules.
function editRemarks() {
  const { uncovered, most } = trial.now, remarks = [];
  const idle = edited.rules.filter((r) => !isOff(r) && most[r.number - 1] < leastTop && trial.before.most[r.number - 1] >= leastTop).map((r) => r.number);
  if (uncovered > trial.before.uncovered) remarks.push(`${uncovered} of ${trial.N} rows are covered by no rule${trial.before.uncovered ? `, ${trial.before.uncovered} before the edits` : ""}.`);
  if (idle.length) remarks.push(`Rule${idle.length > 1 ? "s" : ""} ${idle.join(", ")} no longer fire${idle.length > 1 ? "" : "s"} above ${percent(leastTop)} for any row.`);
  return remarks;
}
