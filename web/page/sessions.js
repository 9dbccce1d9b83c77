
// session keeps the files of the engine in the browser, so that they survive a reload. Rows of tables are kept only if the user says
// so: tables is "ask", "keep" or "drop". A run without its rows has its model, its rules and its settings; bare are those without them
// since a reload.
const session = { tables: "ask", kept: new Map(), bare: new Set(), said: "", fault: "", mine: true, left: false, saving: Promise.resolve(), listeners: [] };

const keepsSessions = engine.kind === "browser";

// withoutRows are the files of a run that have no row of a table.
const withoutRows = ["model.json", "config.yaml", "summary.json", "start.yaml", "metrics.jsonl", "opened"];

// isBare reports whether a run has no rows.
const isBare = (run) => session.bare.has(run) || app.start.runs.find((r) => r.run === run)?.opened === true;

const sessionChanged = () => session.listeners.forEach((f) => f());

// mayKeep reports whether a file may be kept: all may if the user keeps tables, or if the run is on a table that is built in.
function mayKeep(path) {
  if (session.tables === "keep") return true;
  const parts = path.split("/"), run = app.start?.runs.find((r) => parts.includes(r.run));
  return run !== undefined && (withoutRows.includes(parts.at(-1)) || run.table.startsWith(builtin));
}

// digest identifies the bytes of a file; where the browser has no digest, nothing is known to be the same.
async function digest(bytes) {
  if (!globalThis.crypto?.subtle) return Symbol("unknown");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join();
}

// saveSession keeps what has changed since the last time: all, or what write keeps. Calls wait for one another.
function saveSession(write = writeSession) {
  if (!keepsSessions || !session.mine || session.left) return session.saving;
  const mine = session.saving = session.saving.then(write).then(() => {
    session.fault = "";
  }, (fault) => {
    session.fault = keepFault(fault);
  }).then(() => {
    if (mine === session.saving) byId("main").dataset.session = session.fault ? "not kept" : "kept";
    sessionChanged();
  });
  byId("main").dataset.session = "saving";
  return mine;
}

async function writeSession() {
  const files = Object.entries(await engine.keep()).filter(([path]) => mayKeep(path)), put = [], digests = new Map();
  for (const [path, bytes] of files) {
    const is = await digest(bytes);
    digests.set(path, is);
    if (session.kept.get(path) !== is) put.push([path, bytes]);
  }
  const drop = [...session.kept.keys()].filter((path) => !digests.has(path));
  await store.change("files", put, drop);
  session.kept = digests;
  await writeState();
}

// writeState keeps what the page shows.
function writeState() {
  const { table, preset, target, leaveOut, units, columns, set, run } = app.state;
  return store.change("session", [["state", { table, preset, target, leaveOut, units, columns, set, run }], ["tables", session.tables]]);
}

// keepFault says why a session could not be kept, and what to do.
function keepFault(fault) {
  if (fault?.name === "QuotaExceededError") {
    return "The browser has no more room for this session: after a reload, what is new will be gone. Delete runs" +
      `${session.tables === "keep" ? ", keep the session without its table" : ""}, or download what you need.`;
  }
  return `The browser does not keep this session (${fault?.message || fault?.name || fault}): after a reload it will be gone. Download what you need.`;
}

// claimSession makes this tab the one that keeps a session. Another tab that has one is left alone.
function claimSession() {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((known) => {
    navigator.locks.request("tskgraph session", { ifAvailable: true }, (lock) => {
      known(lock !== null);
      return lock ? new Promise(() => {}) : undefined; // held until the tab is closed
    }).catch(() => known(true));
  });
}

// restoreSession gives the engine the files that were kept. It returns the state of the page then; undefined if there is none.
async function restoreSession() {
  if (!keepsSessions) return undefined;
  session.mine = await claimSession();
  try {
    await store.watch(leaveForgotten);
    if (!session.mine) {
      session.fault = "Another tab keeps a session of this page: this one will be gone after a reload.";
      return undefined;
    }
    const [files, facts] = await Promise.all([store.all("files"), store.all("session").then((all) => new Map(all))]);
    session.tables = facts.get("tables") ?? "ask";
    if (!files.length) return undefined;
    await engine.restore(Object.fromEntries(files));
    for (const [path, bytes] of files) session.kept.set(path, await digest(bytes));
    session.bare = new Set(files.filter(([path]) => path.endsWith("/model.json") && !session.kept.has(path.replace(/model\.json$/, "train.csv"))).map(([path]) => path.split("/").at(-2)));
    return facts.get("state");
  } catch (fault) {
    session.fault = keepFault(fault);
    return undefined;
  }
}

// resumeSession shows what was shown before the reload.
async function resumeSession(state) {
  const { table, run, ...chosen } = state, known = app.start.tables.some((t) => (t.name ?? t) === table) || table?.startsWith(builtin);
  if (table && known) {
    Object.assign(app.state, { table }, chosen);
    if (!await app.attempt(`Reading ${titled(table)}`, relook)) Object.assign(app.state, { table: null, look: null });
  }
  if (!app.start.runs.length) return app.state.look && app.show("columns");
  app.state.run = run;
  return app.show("results");
}

// leaveForgotten loads the page again when another tab forgets everything, as this one has tables and runs in its memory.
function leaveForgotten() {
  session.left = true;
  history.replaceState({ forgotten: true }, "");
  location.reload();
}

// forgetEverything removes tables, runs and what the browser kept, and says so.
async function forgetEverything() {
  const before = app.start.tables;
  let fault; // of the browser
  const answer = await app.attempt("Forgetting", async (say) => {
    await session.saving;
    const waiting = () => setTimeout(() => say("Waiting for another tab of this page: close it"), 1000);
    if (keepsSessions) await store.forget(waiting).catch((why) => { fault = why; });
    return app.call("forget");
  });
  if (!answer) return;
  Object.assign(session, { tables: "ask", kept: new Map(), bare: new Set(), fault: session.mine ? "" : session.fault });
  Object.assign(app.state, unchosen(), { run: null });
  resultsFrame.clear();
  await app.attempt("Starting", app.restart);
  const forgotten = before.filter((name) => !app.start.tables.includes(name));
  tellForgotten(keepsSessions ? forgottenHere(fault) : forgottenTables(forgotten, answer.kept));
}

// forgottenHere says what is left in the browser.
function forgottenHere(fault) {
  if (!fault) return "Forgotten: all tables and runs, in every tab of this page. Nothing of them is left in this browser.";
  return "Forgotten: the tables and runs of this tab. What the browser keeps of this page could not be deleted " +
    `(${fault.message || fault.name}): clear the data of this site in its settings.`;
}

// forgottenTables says which tables of the workbench are left.
function forgottenTables(forgotten, kept) {
  const stay = kept.length ? ` ${kept.join(", ")} changed after the upload, and ${kept.length === 1 ? "stays" : "stay"}.` : "";
  return `Forgotten: ${counted(forgotten.length, "uploaded table")}.${stay} The runs stay, with copies of the rows: delete those that should not.`;
}

// tellForgotten shows a text where things are forgotten.
function tellForgotten(text) {
  app.show("runs");
  session.said = text;
  app.say(text);
  sessionChanged();
}

app.on("trained", () => saveSession());
app.on("look", ({ table }) => {
  const fresh = session.tables === "keep" && !table.startsWith(builtin) && ![...session.kept.keys()].some((path) => path.endsWith(`/${table}`));
  if (fresh) saveSession();
  else if (session.kept.size) saveSession(writeState);
});
