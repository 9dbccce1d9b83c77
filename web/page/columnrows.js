
// columnsAtOnce is how many rows the table of columns grows by: more would keep the page from answering.
const columnsAtOnce = 30;

// columnTable shows the columns: what is in them, how they are read, and what was found.
function columnTable(host) {
  const body = make("tbody", {}), find = make("input", { type: "search", id: "find", oninput: later(() => fill(true), 150) }), legend = make("p", { class: "note" }), means = make("p", { class: "controls", hidden: true });
  const more = make("p", {}), search = make("p", { class: "controls", hidden: true }, make("label", { for: "find" }, "Find a column"), find);
  let rows = new Map(), of = null, shown = columnsAtOnce, listed = [], drawing = 0;
  host.append(search, means, legend, make("table", { class: "columns" },
    make("thead", {}, make("tr", {}, ...["Column", "Values", "Read as", "Unit", "Found"].map((h) => make("th", { scope: "col" }, h)))), body), more);
  const matching = (look) => {
    const part = find.value.trim().toLowerCase();
    if (part) return look.columns.filter((c) => c.name.toLowerCase().includes(part));
    if (look.columns.length <= columnsAtOnce) return look.columns;
    const first = new Set([...look.targets, ...look.proposals.map((p) => p.column)]); // so that these are seen
    return [...look.columns].sort((a, b) => first.has(b.name) - first.has(a.name));
  };
  const draw = async () => {
    const { look } = app.state, number = ++drawing, range = meansRange(), note = drawn.facts && drawn.facts.drawn < drawn.facts.rows ? `, of a sample of ${counted(drawn.facts.drawn, "row")}` : "";
    legend.textContent = `Bars: rows${note}.${range ? ` Line and dots: ${meanOf(look)}, ${shownMean(range[2])} to ${shownMean(range[3])}, on one axis in all pictures, which cut off what is beyond; the bands are two standard errors.` : ""}`;
    meanChoice(means, look, (name) => drawListed(name));
    let begun = performance.now();
    for (const c of listed) {
      if (performance.now() - begun > mostAtOnce) {
        await pause();
        begun = performance.now();
      }
      if (number !== drawing) return;
      rows.get(c.name)?.draw(c, look, range);
    }
  };
  const fill = (again) => {
    const look = app.state.look;
    if (of !== look.table) [rows, of, shown, find.value] = [new Map(), look.table, columnsAtOnce, ""];
    if (again === true) shown = columnsAtOnce;
    search.hidden = look.columns.length <= columnsAtOnce;
    const all = matching(look), some = all.slice(0, shown);
    listed = some;
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
    drawListed();
  };
  const drawListed = (meant) => {
    for (let i = 0; i < listed.length; i += columnsAtOnce) drawColumns(app.state.look, listed.slice(i, i + columnsAtOnce), draw, meant);
  };
  fill();
  app.on("look", fill);
}

// columnRow returns the row of a column; update shows what is known of it, and draw its picture.
function columnRow({ name }) {
  const box = make("input", { type: "checkbox", onchange: () => useColumn(name, box.checked) });
  const use = make("span", { class: "use" }), facts = make("span", { class: "facts" }), picture = make("td", { class: "picture" }), found = make("td", { class: "why" });
  const unit = make("input", { type: "text", class: "unit", maxlength: 40, placeholder: "unit", "aria-label": `Unit of ${name}`, onchange: () => setUnit(name, unit.value.trim()) });
  const read = readControls(name);
  const row = make("tr", {}, make("th", { scope: "row" }, make("label", {}, box, make("span", {}, name), use), facts), picture, make("td", {}, read.host), make("td", {}, unit), found);
  const update = (c, look) => {
    const target = c.use === "target";
    row.className = target ? "strong" : c.use === "left out" ? "unused" : "";
    box.classList.toggle("unseen", target || look.fixed);
    box.checked = c.use === "input" || c.use === "beside";
    use.textContent = target ? "target" : "";
    const missing = c.missing ? `${grouped(c.missing)} missing (${percent(c.missing / Math.max(look.rows, 1))})` : "none missing";
    facts.textContent = [c.kind, valuesOf(c), `${grouped(c.distinct)} different`, missing].filter(Boolean).join("; ");
    if (document.activeElement !== unit) unit.value = app.state.units[name] ?? c.unit ?? "";
    unit.hidden = look.fixed || c.kind !== "number";
    read.update(c, look);
    const focus = focusedProposal(), own = look.proposals.filter((p) => p.column === name), quoted = `${JSON.stringify(name)}: `;
    found.replaceChildren(...(c.why && c.use !== "beside" && !app.state.columns["data.categorical"]?.[name] ? [make("p", {}, c.why)] : []), ...own.map((p) => make("p", {}, (p.why ?? p.text).replace(quoted, ""), proposalButtons([p]))));
    focusProposal(found, focus);
  };
  let last = "";
  const draw = (c, look, range) => {
    read.update(c, look); // levels and classes are known now
    const known = drawn.known.get(name)?.picture, bins = known && (known.bins.length || known.missing);
    if (last === (last = JSON.stringify([known ?? null, range, meanOf(look)]))) return;
    picture.replaceChildren(...(bins ? [pictureOf(known, look, range)] : []));
  };
  return { row, update, draw };
}

// valuesOf returns the values of a column in short.
function valuesOf({ min, max, mean, examples }) {
  if (Number.isFinite(min) && Number.isFinite(max)) return `${brief(min)} to ${brief(max)}${Number.isFinite(mean) ? `, mean ${brief(mean)}` : ""}`;
  return (examples ?? []).slice(0, 3).join(", ");
}

// useColumn uses a column, or leaves it out.
function useColumn(name, used) {
  const left = app.state.leaveOut ?? leftOut(app.state.look);
  change({ leaveOut: used ? left.filter((n) => n !== name) : [...left, name] });
}

// setUnit keeps the unit of a column, if it differs from the one that is known.
function setUnit(name, unit) {
  const known = app.state.look.columns.find((c) => c.name === name).unit ?? "";
  const { [name]: _, ...others } = app.state.units;
  app.state.units = unit === known ? others : { ...others, [name]: unit };
}
