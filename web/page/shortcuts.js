
// shortcuts are the keys that do something outside of fields: the key, what it does in words, and a function. Digits show the steps.
const shortcuts = [
  ["?", "show these keys", () => keysDialog().showModal()],
  ["f", "choose a file", () => (document.querySelector("section:not([hidden]) input[type=file]") ?? byId("file"))?.click()],
  ["t", "train with the table and the settings chosen", () => app.state.look && startTraining()],
  ["p", "predict", () => predictStep.open() && app.show("predict")],
  ["/", "find a column", () => byId("find")?.getClientRects().length && byId("find").focus()],
  ["c", "change the colours", () => byId("theme").click()],
];

let keysOn = true;

// keysDialog returns the dialog that lists the keys, and can turn them off. Escape closes it.
function keysDialog() {
  if (byId("keys")) return byId("keys");
  const on = make("input", { type: "checkbox", checked: true, onchange: () => { keysOn = on.checked; } });
  const row = (key, what) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)];
  const dialog = make("dialog", { id: "keys", "aria-labelledby": "keys-title" }, make("h2", { id: "keys-title" }, "Keys"),
    make("dl", {}, ...row(`1 to ${steps.filter((s) => s.link).length}`, "show the step of this number"), ...shortcuts.flatMap(([key, what]) => row(key, what)), ...row("Esc", "close this, or the full window of the report")),
    make("p", {}, make("label", {}, on, " Use these keys outside of fields")), button("Close", () => dialog.close(), { class: "main" }));
  document.body.append(dialog);
  return dialog;
}

byId("main").after(make("footer", {}, button("Keys: ?", () => keysDialog().showModal())));

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
  const act = shortcuts.find(([key]) => key === event.key)?.[2], step = steps.filter((s) => s.link)[event.key - 1];
  if (!(keysOn || event.key === "?") || !(act || step)) return;
  event.preventDefault();
  if (act) act();
  else if (step.open()) app.show(step.id);
});
