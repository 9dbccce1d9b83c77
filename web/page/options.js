
// optionField returns a labelled field for a key of the configuration; changed() is called after each change.
function optionField(option, changed) {
  const { key, value, doc } = option, id = `option-${key}`;
  const now = app.state.set[key] ?? value;
  const fault = make("span", { class: "invalid", id: `${id}-fault` });
  const put = (wanted) => {
    const wrong = wanted === undefined;
    field.setAttribute("aria-invalid", wrong);
    fault.textContent = wrong ? `want ${wantedOf(option)}` : "";
    const { [key]: _, ...others } = app.state.set;
    app.state.set = wrong || wanted === value ? others : { ...others, [key]: wanted };
    changed();
  };
  const field = optionInput(option, now, put);
  field.id = id;
  field.setAttribute("aria-describedby", `${id}-doc ${id}-fault`);
  return make("div", { class: "option" }, make("label", { for: id }, key), make("div", {}, field, fault), make("p", { class: "note", id: `${id}-doc` }, doc));
}

// optionInput returns the control of an option; put receives the value that it is given, undefined if that cannot be one.
function optionInput(option, now, put) {
  const { kind, choices } = option;
  if (kind === "boolean") {
    const box = make("input", { type: "checkbox", checked: now === true, onchange: () => put(box.checked) });
    return box;
  }
  if (choices?.length) {
    const all = choices.includes(now) ? choices : [now, ...choices]; // a custom one
    const select = make("select", { onchange: () => put(all[select.value]) }, ...all.map((text, i) => make("option", { value: i, selected: text === now }, String(text))));
    return select;
  }
  const number = kind === "integer" || kind === "number";
  const text = make("input", { type: "text", inputmode: number && "decimal", value: written(now), spellcheck: "false", autocomplete: "off",
    onchange: () => put(number ? numberIn(option, text.value) : text.value.trim()) });
  return text;
}

// written returns a value as YAML on one line; nothing for null.
function written(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// numberIn returns the number that a text is, if the option can have it.
function numberIn({ kind, min, max, above, below }, text) {
  const v = text.trim() === "" ? NaN : Number(text.trim().replace("−", "-"));
  const fits = Number.isFinite(v) && (kind !== "integer" || Number.isInteger(v)) && !(v < min) && !(v > max) && !(v <= above) && !(v >= below);
  return fits ? v : undefined;
}

// wantedOf returns what an option can be.
function wantedOf({ kind, min, max, above, below }) {
  const limits = [["at least", min], ["more than", above], ["at most", max], ["less than", below]].filter(([, v]) => v !== undefined);
  const what = kind === "integer" ? "a whole number" : "a number";
  return limits.length ? `${what} of ${limits.map(([word, v]) => `${word} ${v}`).join(" and ")}` : what;
}
