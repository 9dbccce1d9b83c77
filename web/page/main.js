
// begin starts the page: it waits for the engine, and shows the step that the address names.
async function begin() {
  takeDrops();
  byId("place").textContent = "Nothing leaves this computer.";
  themeButton(byId("theme"), (theme) => app.emit("theme", theme));
  window.addEventListener("popstate", follow);
  reveal(steps[0], false);
  const forgotten = history.state?.forgotten; // see leaveForgotten
  history.replaceState(null, "");
  let kept;
  const start = await app.attempt("Starting", async () => {
    await engine.ready;
    kept = await restoreSession();
    return app.restart();
  });
  if (!start) return;
  if (engine.kind === "workbench") byId("place").append(` Runs are written to the directory ${start.directory}.`);
  if (await openLink()) return;
  if (forgotten) tellForgotten("Another tab of this page has forgotten all tables and runs, those of this tab too.");
  else if (kept) await resumeSession(kept);
  else if (start.table) await choose(start.table);
}

begin();
