
// choose makes a table the one to learn from, and shows what it has.
async function choose(table) {
  const before = { ...app.state };
  Object.assign(app.state, unchosen(), { table });
  const look = await app.attempt(`Reading ${titled(table)}`, async () => {
    Object.assign(app.state, await settingsFor(table));
    return relook();
  });
  if (!look) return void (app.state.table === table && Object.assign(app.state, before));
  await pause();
  app.show("columns");
}

// upload sends a file to the engine and chooses it.
async function upload(file) {
  const name = await app.attempt(`Reading ${file.name}`, (say) => engine.upload(file, (sent, of) => of && say(`Sending ${file.name}: ${percent(sent / of)}`)));
  if (name === undefined) return undefined;
  app.restart().catch(showFault);
  return choose(name);
}

// dropZone is where files are dropped or chosen.
function dropZone() {
  const input = make("input", { type: "file", id: "file", class: "hidden", tabindex: -1, "aria-label": "File with a table", accept: ".csv,.tsv,.txt,.gz,.zst,.parquet,.json,.yaml,.yml,text/csv",
    onchange: () => {
      if (input.files.length) take(input.files[0]);
      input.value = "";
    } });
  return make("div", { id: "drop", class: "drop" },
    make("p", { class: "big" }, "Drop a table here"),
    make("p", {}, `A CSV file with a header: one line per case, one column per quantity${engine.limit ? `; up to ${sized(engine.limit)}` : ""}.`),
    make("p", {}, button("Choose a file", () => input.click(), { class: "main" }), input),
    make("p", { class: "note" }, "Or paste cells copied from a spreadsheet. A model.json opens its rules, a config.yaml fills in the settings."));
}

// takeDrops lets people drop a file anywhere on the page, and paste cells.
function takeDrops() {
  const files = (event) => event.dataTransfer?.types.includes("Files");
  let inside = 0;
  const mark = (by) => {
    inside = Math.max(0, inside + by);
    document.body.classList.toggle("dropping", inside > 0);
  };
  document.addEventListener("dragenter", (event) => files(event) && mark(1));
  document.addEventListener("dragleave", (event) => files(event) && mark(-1));
  document.addEventListener("dragover", (event) => files(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    mark(-inside);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (event.target.closest?.("input, textarea, select") || app.shown() !== "table" || !text.trim().includes("\n")) return;
    event.preventDefault();
    upload(new File([text], "pasted.csv", { type: "text/csv" }));
  });
}

// tableCards shows tables as buttons.
function tableCards(host, title, tables) {
  host.replaceChildren();
  if (!tables.length) return;
  host.append(make("h3", {}, title), make("ul", { class: "cards" }, ...tables.map(({ table, doc }) => make("li", {},
    make("button", { type: "button", class: "card", onclick: () => choose(table) }, make("strong", {}, titled(table)), doc && make("span", {}, doc))))));
}

app.step({
  id: "table", title: "Table", heading: "Start with a table",
  build(host) {
    const own = make("div", {}), builtins = make("div", {});
    host.append(make("div", { id: "wanted" }), dropZone(), own, builtins);
    const fill = (start) => {
      const mine = start.table ? [{ table: start.table, doc: "named in the command line" }] : [];
      tableCards(own, "Your tables", [...mine, ...start.tables.map((table) => ({ table: table.name ?? table }))]);
      tableCards(builtins, "Or try one of these", start.builtins.map(({ name, doc }) => ({ table: name.startsWith(builtin) ? name : builtin + name, doc })));
    };
    if (app.start) fill(app.start);
    app.on("start", fill);
  },
});
