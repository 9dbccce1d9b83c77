
// mostFields is how many columns of a form are shown at first.
const mostFields = 20;

// another is a category that no column has.
const another = "a category not in training";

// rowForm shows a field for each column that rules mention, and on demand for the others, with the values of a typical row, and calls
// changed after each change. cells returns the row: texts by column, blank for what is missing.
function rowForm(host, { columns }, changed) {
  const mentioned = columns.filter((c) => !c.idle), first = Math.min(mostFields, mentioned.length);
  const fields = [...mentioned, ...columns.filter((c) => c.idle)].map((c) => (c.levels ? levelField(c, changed) : numberField(c, changed)));
  const reset = button("Typical row", () => {
    for (const field of fields) field.reset();
    changed();
  });
  const more = button(first < mentioned.length ? `Show all ${fields.length} columns` : `Show ${counted(fields.length - first, "column")} that no rule mentions`, () => {
    more.replaceWith(...fields.slice(first).map(({ element }) => element));
    fields[first].element.querySelector("input, select").focus();
  });
  host.replaceChildren(...fields.slice(0, first).map(({ element }) => element), ...(fields.length > first ? [more] : []),
    make("div", { class: "actions" }, reset));
  return { cells: () => Object.fromEntries(fields.map(({ name, value }) => [name, value()])), mark: (flags) => fields.forEach((f) => f.mark(flags.some((one) => one.column === f.name))) };
}

// levelField returns a list of the categories of a column.
function levelField({ name, unit, levels, start }, changed) {
  const texts = ["", ...levels, another], select = make("select", { onchange: () => changed() }, ...texts.map((text, i) => make("option", { value: i }, text || "missing")));
  const reset = () => { select.value = texts.indexOf(start); };
  reset();
  return { name, reset, value: () => texts[select.value], mark: (is) => select.classList.toggle("doubted", is),
    element: make("label", { class: "field" }, make("span", { class: "name" }, label(name, unit)), select) };
}

// numberField returns a slider over the training range of a column, with a field for any number and a box for a missing one.
function numberField({ name, unit, min, max, whole, start }, changed) {
  const wide = max - min || Math.abs(max) || 1, step = whole ? Math.max(1, niceStep(wide / 400)) : niceStep(wide / 400), id = `cell-${name}`;
  const low = Math.ceil(min / step - 1e-9) * step, high = Math.max(low, Math.floor(max / step + 1e-9) * step);
  const range = make("input", { type: "range", id, min: low, max: high, step, oninput: () => put(String(Number((Math.round(range.value / step) * step).toPrecision(12)))) });
  const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `${name}, any value`, oninput: () => put(field.value, false) });
  const box = make("input", { type: "checkbox", onchange: () => put(box.checked ? "" : known) });
  let known = start, text = start; // the last number that was known
  const show = (typed) => {
    const v = Number(text);
    if (!typed) field.value = text;
    box.checked = text === "";
    field.setAttribute("aria-invalid", !Number.isFinite(v));
    if (text !== "" && Number.isFinite(v)) [known, range.value] = [text, v];
    range.setAttribute("aria-valuetext", text === "" ? "missing" : label(text, unit));
    range.classList.toggle("absent", text === "");
  };
  const put = (value, whole = true) => {
    text = value.trim().replace("−", "-");
    show(!whole);
    changed();
  };
  const reset = () => {
    text = start;
    show(false);
  };
  reset();
  return { name, reset, value: () => text, mark: (is) => field.classList.toggle("doubted", is),
    element: make("div", { class: "field" }, make("label", { class: "name", for: id }, label(name, unit)), range, field, make("label", { class: "note" }, box, " missing")) };
}
