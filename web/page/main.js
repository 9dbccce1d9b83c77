
// begin starts the page: it waits for the engine, and shows the step that the address names.
async function begin() {
  takeDrops();
  themeButton(byId("theme"), (theme) => app.emit("theme", theme));
  window.addEventListener("popstate", follow);
  reveal(steps[0], false);
  const start = await app.attempt("Starting", async () => {
    await engine.ready;
    return app.restart();
  });
  if (!start) return;
  byId("place").textContent = engine.kind === "browser" ? "Nothing leaves this computer." : `It runs on this computer; runs are written to ${start.directory ?? "runs"}.`;
  if (start.table) await choose(start.table);
}

begin();
