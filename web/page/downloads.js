
// takeAway shows what can be taken away from a run: files, and the commands that do the same.
function takeAway(host) {
  return {
    show(run) {
      const own = app.start.exports.filter(({ target, file }) => target === file && (run.opened ? ["model.json", "rules.yaml"].includes(target) : target !== "start.yaml" || run.edited)), others = app.start.exports.filter(({ target, file }) => target !== file);
      host.replaceChildren(make("h3", {}, "Take it away"), fileList(run, own), make("ul", { id: "export-notes", class: "found", "aria-live": "polite" }),
        make("details", {}, make("summary", {}, `The model in ${counted(others.length, "other form")}`), fileList(run, others)));
      if (!run.opened) showCommands(host, run);
    },
  };
}

// fileList lists files, each with a button that saves it.
function fileList({ run }, list) {
  return make("ul", { class: "files" }, ...list.map(({ target, file, doc, asks = [] }) => {
    const fields = asks.map((name) => make("input", { type: "text", required: true, "data-name": name, "aria-label": `${askedFor[name] ?? name} of ${target}`, placeholder: askedFor[name] ?? name }));
    const save = () => fields.every((field) => field.reportValidity()) && saveExport(run, target, Object.fromEntries(fields.map((field) => [field.dataset.name, field.value])));
    return make("li", {}, button(target, save), make("span", {}, target === file ? doc : `${doc}: ${file}`), ...fields);
  }));
}

// askedFor says what the options are that a target requires.
const askedFor = { table: "table in the database", key: "column that identifies its rows" };

// saveExport asks for a file of a run, and saves it.
async function saveExport(run, target, options) {
  const made = await app.attempt(`Writing ${target}`, () => app.call("export", { run, target, ...options }));
  if (!made) return;
  saveMade(made);
  if (made.notes?.length) showNotes(target, made.notes);
}

// saveMade saves a file of the engine.
function saveMade(made) {
  saveFile(made.name, new Blob([Uint8Array.from(atob(made.base64), (c) => c.charCodeAt(0))], { type: made.type }));
  app.say(`Saved ${made.name}.`);
}

// showNotes shows what an export says of the file.
function showNotes(target, notes) {
  byId("export-notes").replaceChildren(...notes.map((text) => make("li", {}, `${target}: ${text}`)));
}

// saveFile saves a blob as a file of a name.
function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// showCommands shows the command lines that do what the page did.
async function showCommands(host, { run }) {
  const place = make("div", {});
  host.append(place);
  const answer = await app.attempt("Writing the command", () => app.call("command", { run }));
  if (!answer || !place.isConnected) return;
  place.append(make("h3", {}, "The same in a terminal"), make("p", { class: "note" }, "With config.yaml from above, or with its settings in the command:"),
    ...answer.lines.map(commandLine));
}

// commandLine shows a command with a button that copies it.
function commandLine(text) {
  const pre = make("pre", { tabindex: 0 }, text);
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
      app.say("Copied.");
    } catch {
      getSelection().selectAllChildren(pre);
      copy.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => { copy.textContent = "Copy"; }, 3000);
  });
  return make("div", { class: "command" }, pre, copy);
}
