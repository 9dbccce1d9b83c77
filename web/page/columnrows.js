
// columnsAtOnce is how many rows the table of columns grows by: more would keep the page from answering.
const columnsAtOnce = 30;

// columnTable shows the columns, with a box for whether each is used and a field for its unit.
function columnTable(host) {
  const body = make("tbody", {}), find = make("input", { type: "search", id: "find", oninput: later(() => fill(true), 150) });
  const more = make("p", {}), search = make("p", { class: "controls", hidden: true }, make("label", { for: "find" }, "Find a column"), find);
  let rows = new Map(), of = null, shown = columnsAtOnce;
  const head = ["Column", "Type", "Missing", "Distinct", "Values", "Unit", "Remark"], numbers = ["Missing", "Distinct"];
  host.append(search, make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Columns of the table" }, make("table", { class: "columns" },
    make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col", class: numbers.includes(h) && "n" }, h)))), body)), more);
  const matching = (look) => {
    const part = find.value.trim().toLowerCase();
    if (part) return look.columns.filter((c) => c.name.toLowerCase().includes(part));
    if (look.columns.length <= columnsAtOnce) return look.columns;
    return [...look.columns].sort((a, b) => (b.use === "target") - (a.use === "target")); // so that targets are seen
  };
  const fill = (again) => {
    const look = app.state.look;
    if (of !== look.table) [rows, of, shown, find.value] = [new Map(), look.table, columnsAtOnce, ""];
    if (again === true) shown = columnsAtOnce;
    search.hidden = look.columns.length <= columnsAtOnce;
    const all = matching(look), some = all.slice(0, shown);
    for (const c of some) {
      if (!rows.has(c.name)) rows.set(c.name, columnRow(c));
      rows.get(c.name).update(c, look);
    }
    const wanted = some.map((c) => rows.get(c.name).row);
    if (wanted.length !== body.children.length || wanted.some((row, i) => body.children[i] !== row)) body.replaceChildren(...wanted);
    more.replaceChildren();
    if (all.length > shown) {
      more.append(button(`Show ${Math.min(columnsAtOnce, all.length - shown)} more of ${all.length}`, () => {
        shown += columnsAtOnce;
        fill();
        wanted.at(-1).nextSibling?.querySelector("input")?.focus();
      }));
    } else if (!all.length) more.textContent = "No column has such a name.";
  };
  fill();
  app.on("look", fill);
}

// columnRow returns the row of a column, and update, which shows what is known of it.
function columnRow({ name }) {
  const box = make("input", { type: "checkbox", onchange: () => useColumn(name, box.checked) });
  const use = make("span", { class: "use" }), cells = Array.from({ length: 4 }, (_, i) => make("td", { class: [false, "n", "n", "values"][i] })), why = make("td", { class: "why" });
  const unit = make("input", { type: "text", class: "unit", maxlength: 40, "aria-label": `Unit of ${name}`, onchange: () => setUnit(name, unit.value.trim()) });
  const row = make("tr", {}, make("th", { scope: "row" }, make("label", {}, box, make("span", {}, name), use)), ...cells, make("td", {}, unit), why);
  const update = (c, { rows, fixed }) => {
    const target = c.use === "target";
    row.className = target ? "strong" : c.use === "input" ? "" : "unused";
    box.classList.toggle("unseen", target || fixed);
    box.checked = c.use === "input";
    use.textContent = target ? "target" : "";
    [c.kind, c.missing ? `${grouped(c.missing)} (${percent(c.missing / Math.max(rows, 1))})` : "0", grouped(c.distinct), valuesOf(c)].forEach((text, i) => { cells[i].textContent = text; });
    if (document.activeElement !== unit) unit.value = app.state.units[name] ?? c.unit ?? "";
    unit.hidden = fixed || c.kind !== "number";
    why.textContent = c.why ?? "";
  };
  return { row, update };
}

// valuesOf returns the values of a column in short.
function valuesOf({ min, max, mean, examples }) {
  if (Number.isFinite(min) && Number.isFinite(max)) return `${brief(min)} to ${brief(max)}${Number.isFinite(mean) ? `, mean ${brief(mean)}` : ""}`;
  return (examples ?? []).join(", ");
}

let before = null; // {leaveOut}: before the changes that no look has seen

// useColumn uses a column, or leaves it out. Columns that are changed one soon after another are looked at together.
function useColumn(name, used) {
  before ??= { leaveOut: app.state.leaveOut };
  const left = app.state.leaveOut ?? leftOut(app.state.look);
  app.state.leaveOut = used ? left.filter((n) => n !== name) : [...left, name];
  lookSoon();
}

const lookSoon = later(async () => {
  const last = before;
  before = null;
  if (await app.attempt("Looking at the columns", relook)) return;
  Object.assign(app.state, last);
  app.emit("look", app.state.look);
}, 300);

// setUnit keeps the unit of a column, if it differs from the one that is known.
function setUnit(name, unit) {
  const known = app.state.look.columns.find((c) => c.name === name).unit ?? "";
  const { [name]: _, ...others } = app.state.units;
  app.state.units = unit === known ? others : { ...others, [name]: unit };
}
