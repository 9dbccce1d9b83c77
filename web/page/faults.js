
// doing has what is being done, the latest last.
const doing = [];

// busy shows what is being done until done is called; say shows something else.
function busy(what) {
  const entry = { what };
  const show = () => {
    byId("busy").textContent = doing.length ? `${doing.at(-1).what} …` : "";
    byId("main").setAttribute("aria-busy", doing.length > 0);
  };
  doing.push(entry);
  show();
  const say = (text) => {
    entry.what = text;
    show();
  };
  const done = () => {
    doing.splice(doing.indexOf(entry), 1);
    show();
  };
  return { say, done };
}

// faultText returns what an error of the engine says, with the place of the fault.
function faultText(fault) {
  const message = fault?.message ?? String(fault);
  return [fault?.where, fault?.key, message].filter((part) => part).join(": ");
}

// showFault shows an error above the step, with a way to the setting that it is about.
function showFault(fault) {
  const option = app.state.look?.options.find((o) => o.key === fault?.key);
  byId("fault").replaceChildren(make("div", { class: "warning fault" },
    make("pre", {}, faultText(fault)),
    option ? button("Change this setting", () => showOption(option.key)) : null,
    make("button", { type: "button", onclick: clearFault }, "Close")));
  byId("fault").scrollIntoView({ block: "nearest" });
}

function clearFault() {
  byId("fault").replaceChildren();
}

// What nothing else caught is shown, too.
window.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  showFault(event.reason);
});
