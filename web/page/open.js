
// openModel makes a run of the text of a model file, and shows it.
async function openModel(name, text) {
  const opened = await app.attempt(`Opening ${name}`, () => app.call("open", { name, model: text }));
  if (!opened) return;
  await app.restart().catch(showFault);
  saveSession();
  showRun(opened.run);
}

// given is the text of a config.yaml whose table is asked for; null without one.
let given = null;

// openSettings takes a config.yaml: its table is asked for, unless it is one that the page has.
async function openSettings(name, text) {
  const found = await app.attempt(`Reading ${name}`, () => app.call("settings", { config: text }));
  if (!found) return;
  given = text;
  const has = [...app.start.tables.map((t) => t.name ?? t), app.start.table, ...app.start.builtins.map((b) => (b.name.startsWith(builtin) ? b.name : builtin + b.name))];
  if (has.includes(found.table)) return void await choose(found.table);
  app.show("table");
  byId("wanted").replaceChildren(make("p", { class: "warning", role: "note" }, `${name} is read: now drop or choose its table${found.table ? `, ${titled(found.table)}` : ""}. `, button("Do without it", forgetSettings)));
}

function forgetSettings() {
  given = null;
  byId("wanted").replaceChildren();
}

// settingsFor returns what the config.yaml that was given chooses for a table; nothing without one.
async function settingsFor(table) {
  if (given === null) return {};
  const { preset, target, leave_out: leaveOut, units, set, left } = await app.call("settings", { config: given, table });
  forgetSettings();
  if (left.length) app.say(`Left out: ${left.join(", ")}.`);
  return { preset, target, leaveOut, units: units ?? {}, set };
}

// take takes a file by what it is: a model, a configuration, or a table, on the step Predict one whose rows are predicted.
async function take(file) {
  if (/\.json$/i.test(file.name)) return openModel(file.name, await file.text());
  if (/\.ya?ml$/i.test(file.name)) return openSettings(file.name, await file.text());
  return app.shown() === "predict" ? (await predictStep.taker)?.(file) : upload(file);
}

// openLink opens what the address asks for: #run=NAME, or #model=URL, of the page's own host, in the browser alone. It says whether it did.
async function openLink() {
  const [, kind, value] = /^#(run|model)=(.+)$/.exec(location.hash) ?? [];
  if (!kind) return false;
  const named = decodeURIComponent(value);
  history.replaceState(null, "", location.pathname + location.search);
  if (kind === "run") {
    if (app.start.runs.some(({ run }) => run === named)) showRun(named);
    else showFault({ message: `There is no run ${named} here.` });
    return true;
  }
  await app.attempt("Loading the model", async () => {
    const url = new URL(named, document.baseURI);
    if (engine.kind !== "browser" || url.origin !== location.origin || !url.protocol.startsWith("http")) throw new Error(`${named}: a link opens models of the host of the page in the browser only: drop the file here instead.`);
    const answer = await fetch(url, { redirect: "error", credentials: "omit" });
    if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status} ${answer.statusText}`);
    await openModel(decodeURIComponent(url.pathname.split("/").at(-1)), await answer.text());
  });
  return true;
}
