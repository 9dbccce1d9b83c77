
// keepParts are the parts of a rule as sets of one, see rules.Keep.
const keepParts = { IF: 1, THEN: 2 };

const keptBefore = (rule) => editing.keeps[rule.number - 1];

// keptOf returns the set of the parts of a rule that training keeps, as edited.
const keptOf = (rule) => edits.now.get(`keep ${rule.number - 1}`) ?? keptBefore(rule);

// keepBox returns a heading for a part of a rule with a checkbox that keeps it.
function keepBox(rule, name) {
  const part = keepParts[name], box = make("input", { type: "checkbox", "aria-label": `Rule ${rule.number}: keep its ${name} part when training on`, onchange: () => {
    const kept = box.checked ? keptOf(rule) | part : keptOf(rule) & ~part;
    commit([[`keep ${rule.number - 1}`, kept === keptBefore(rule) ? undefined : kept]]);
  } });
  const note = make("span", { class: "shared" });
  const element = make("div", { class: "edit-part" }, make("h3", {}, name), make("label", {}, box, " keep when training on"), note);
  return { element, update: () => {
    box.checked = (keptOf(rule) & part) !== 0;
    note.textContent = box.checked ? keptWith(rule, name) : "";
  } };
}

// keptWith says what else is kept with a part of a rule; empty if nothing is.
function keptWith(rule, name) {
  if (name === "THEN") return edited.rules.length > 1 && edited.curves.length > 0 && edited.curves.length <= editing.outputs.length ? "and with it the curves that all rules share" : "";
  const others = sharing(rule, termsIn(rule));
  return others.length ? `and with it what rule${others.length > 1 ? "s" : ""} ${others.join(", ")} share${others.length > 1 ? "" : "s"} with it` : "";
}

// keptWords says which parts of a rule are kept; empty without any.
const keptWords = (rule) => ["", "IF kept", "THEN kept", "kept"][keptOf(rule)];
