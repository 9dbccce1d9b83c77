
// fileFormats are the formats of files with predictions by extension.
const fileFormats = { csv: "CSV", parquet: "Parquet", xlsx: "workbook (.xlsx)" };

// predictFile shows where a file is dropped whose rows a run predicts, its first rows with their predictions, and saves it with them. It
// returns a function that takes such a file.
function predictFile(host, run, { level, sets, rows, committee, formats }) {
  let table = null;
  const chosen = { interval: level > 0, flags: true, firing: false, explain: false };
  const option = (key, text, possible) => (possible ? make("label", {}, make("input", { type: "checkbox", checked: chosen[key], onchange: (event) => {
    chosen[key] = event.target.checked;
    if (table) show();
  } }), ` ${text}`) : null);
  const input = make("input", { type: "file", class: "hidden", tabindex: -1, "aria-label": "File with rows to predict", onchange: () => {
    if (input.files.length) take(input.files[0]);
    input.value = "";
  } });
  const own = make("span", {}), shown = make("div", {}), fill = ({ tables }) => {
    const names = tables.map((t) => t.name ?? t);
    own.replaceChildren(...(names.length ? [choice("or a table of yours", ["choose one", ...names], names.indexOf(table) + 1, (i) => i && show(names[i - 1]))] : []));
  };
  const args = () => ({ run, table, ...chosen });
  const show = async (name = table) => {
    table = name;
    const first = await app.attempt(`Predicting ${name}`, () => app.call("score", args()));
    if (!first || table !== name) return;
    const [counts, ...rest] = firstRows(first, sets);
    shown.replaceChildren(counts, make("div", { class: "actions" }, ...formats.map((extension) => button(`Save as ${fileFormats[extension] ?? extension}`, () => save(extension)))), ...rest);
  };
  const save = async (extension) => {
    const made = await app.attempt(`Writing ${table}`, () => app.call("score", { ...args(), save: extension }));
    if (made) saveMade(made);
  };
  const take = async (file) => {
    const name = await app.attempt(`Reading ${file.name}`, () => engine.upload(file));
    if (name === undefined) return;
    await show(name);
    await app.restart().catch(showFault);
    fill(app.start);
  };
  fill(app.start);
  host.replaceChildren(make("div", { class: "drop" }, make("p", {}, "Drop a table here that has the columns of the model: they are found by name, and all others pass through."),
    make("div", { class: "controls" }, button("Choose a file", () => input.click()), input, own)),
    make("div", { class: "controls", role: "group", "aria-label": "Columns to add" }, option("interval", `${Number((100 * level).toPrecision(6))}% ${sets ? "set of classes" : "interval"}`, level > 0), option("flags", "why to doubt a row", true),
      option("firing", "what each rule says (firing_k, rule_k)", !committee), option("explain", "what each column contributes (Shapley values: slower)", rows > 0)), shown);
  return take;
}

// firstRows shows the first rows of a table with predictions: its first column, which often names a row, the added columns, and the others.
function firstRows({ header, added, rows, counts, notes }, classes) {
  const at = header.length - added, keys = [...header.keys()], order = [0, ...keys.slice(at), ...keys.slice(1, at)].slice(0, mostShown);
  const short = (text, i) => ((i < at || classes ? /^-?\d*\.\d{4,}$/ : /^-?\d+(\.\d+)?$/).test(text) ? cellText(Number(text)) : text);
  const cell = (name, i, row) => make(name, { class: i >= at ? "strong" : false, ...(row ? { title: row[i] } : { scope: "col" }) }, row ? short(row[i], i) : header[i]);
  return [make("p", {}, `${counts}.`), ...notes.map((text) => make("p", { class: "note" }, text)),
    make("h3", {}, `The first ${counted(rows.length, "row")}`), make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "First rows with predictions" }, make("table", {}, make("thead", {}, make("tr", {}, ...order.map((i) => cell("th", i)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...order.map((i) => cell("td", i, row))))))),
    ...(order.length < header.length ? [make("p", { class: "note" }, `${counted(header.length - order.length, "further column")} in the file.`)] : [])];
}

// mostShown is how many columns of a table with predictions are shown.
const mostShown = 30;
