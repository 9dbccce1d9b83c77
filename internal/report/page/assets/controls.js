
// startControls makes the controls that choose a row.
function startControls(host) {
  const { rows, of } = content.rows;
  const where = make("span", { "aria-live": "polite" });
  const go = (i) => setRow((i + rows.length) % rows.length);
  host.append(
    make("button", { type: "button", onclick: () => setRow(-1) }, "Typical values"),
    make("button", { type: "button", "aria-label": "Previous row", onclick: () => go(state.sample < 0 ? -1 : state.sample - 1) }, "‹"),
    make("button", { type: "button", "aria-label": "Next row", onclick: () => go(state.sample + 1) }, "›"),
    where);
  onRow(() => {
    const i = state.sample;
    where.textContent = i < 0
      ? `Row ${content.typical.row} of ${content.typical.data}, near most others. ${rows.length === of ? "All" : rows.length} ${rows.length === of ? of : `of ${of}`} rows of ${content.data} can be chosen.`
      : `Row ${rows[i]} of ${content.data}; observed: ${observedText(i)}`;
  });
}

// inputControls makes a control for each column that the model uses, by importance.
function inputControls(host) {
  const first = 20, controls = byImportance.map((column) => (column.levels ? categories(column) : slider(column)));
  host.append(...controls.slice(0, first));
  if (controls.length > first) {
    const more = make("button", { type: "button", onclick: () => more.replaceWith(...controls.slice(first)) }, `Show all ${controls.length} inputs`);
    host.append(more);
  }
  if (used.length === content.columns.length) return;
  const names = content.columns.filter((c) => c.unused).map((c) => c.name);
  host.append(make("p", { class: "note" }, `Not used by the model: ${names.join(", ")}`));
}

function categories(column) {
  const select = make("select", { onchange: () => put(column, column.levels[select.value] ?? null) },
    content.model.imputeMeans ? make("option", { value: -1 }, "missing") : null,
    ...column.levels.map((level, i) => make("option", { value: i }, level)));
  onRow(() => {
    const value = get(state.row, column);
    select.value = value === null ? -1 : column.levels.indexOf(value);
  });
  return make("label", { class: "input" }, make("span", { class: "name" }, label(column.name, column.unit)), select);
}

// slider returns a slider over the training range in round steps, with a field for any number.
function slider(column) {
  const { min, max } = content.features[column.feature];
  const step = column.whole ? Math.max(1, niceStep((max - min) / 400)) : niceStep((max - min) / 400);
  const round = (v) => Number((Math.round(v / step) * step).toPrecision(12));
  const low = round(Math.ceil(min / step - 1e-9) * step), high = round(Math.floor(max / step + 1e-9) * step);
  const id = `input-${column.feature}`;
  const range = make("input", { type: "range", id, min: low, max: high, step, "data-column": column.name, oninput: () => put(column, round(Number(range.value))) });
  const field = make("input", { type: "text", inputmode: "decimal", "aria-label": `${column.name}, any value`, "data-column": column.name, onchange: () => {
    const text = field.value.trim().replace("−", "-");
    const v = text === "" && content.model.imputeMeans ? null : text === "" ? NaN : Number(text);
    field.setCustomValidity(Number.isNaN(v) || v === Infinity || v === -Infinity ? "enter a number" : "");
    if (field.reportValidity()) put(column, v);
  } });
  onRow(() => {
    const v = state.row[column.feature];
    range.value = v ?? (min + max) / 2;
    range.style.setProperty("--filled", `${(100 * Math.min(1, Math.max(0, (v - low) / (high - low)))).toFixed(2)}%`);
    range.setAttribute("aria-valuetext", v === null ? "missing" : withUnit(v, column.unit));
    field.dataset.value = v;
    field.value = v === null ? "" : Number(v.toPrecision(6));
    field.classList.toggle("outside", outside(state.row).includes(column));
  });
  return make("div", { class: "input" }, make("label", { class: "name", for: id }, label(column.name, column.unit)), range, field);
}

// put sets the value of a column in the current row.
function put(column, v) {
  set(state.row, column, v);
  rowChanged();
}
