
// optionField returns a labelled field for a key of the configuration, with its effect and its default; changed() is called after each
// change. The key itself, and all that is said of it, is one click away.
function optionField(option, changed) {
  const { key, title, effect, value: usual, words, doc } = option, id = `option-${key}`, same = (v) => written(v) === written(usual);
  const now = app.state.set[key] ?? usual;
  const fault = make("span", { class: "invalid", id: `${id}-fault` });
  const reset = button("Reset", () => show(usual), { "aria-label": `Reset ${title}` }), mark = make("span", { class: "changed" }, "changed ", reset);
  const row = make("div", { class: "option" });
  const put = (wanted) => {
    const wrong = wanted === undefined;
    field.setAttribute("aria-invalid", wrong);
    fault.textContent = wrong ? `want ${wantedOf(option)}` : "";
    app.state.set = { ...settingsOf((k) => k !== key), ...(!wrong && !same(wanted) && { [key]: wanted }) };
    app.state.look.stale = true;
    tell();
    changed();
  };
  const tell = () => {
    mark.hidden = !(key in app.state.set);
    row.classList.toggle("differs", !mark.hidden);
  };
  let field;
  const show = (value) => {
    const fresh = optionInput(option, value, put);
    fresh.id = id;
    fresh.setAttribute("aria-describedby", `${id}-doc ${id}-fault`);
    if (field) {
      field.replaceWith(fresh);
      field = fresh;
      put(value);
      field.focus();
    }
    field = fresh;
  };
  show(now);
  tell();
  row.append(make("label", { for: id }, title), make("div", {}, field, mark, fault),
    make("p", { class: "note", id: `${id}-doc` }, `${effect}. Default: ${words}.`), make("details", {}, make("summary", {}, "Key and details", make("span", { class: "hidden" }, ` of ${title}`)), make("p", { class: "note" }, make("code", {}, key), `: ${doc}`)));
  return row;
}

// optionInput returns the control of an option; put receives the value that it is given, undefined if that cannot be one.
function optionInput(option, now, put) {
  const { kind, choices, said } = option;
  if (kind === "boolean") {
    const box = make("input", { type: "checkbox", checked: now === true, onchange: () => put(box.checked) });
    return box;
  }
  if (choices?.length) {
    const all = choices.includes(now) ? choices : [now, ...choices]; // a custom one
    const select = make("select", { onchange: () => put(all[select.value]) }, ...all.map((text, i) => make("option", { value: i, selected: text === now }, said?.[choices.indexOf(text)] ?? String(text))));
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
