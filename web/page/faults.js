
// doing has what is being done, the latest last.
const doing = [];

// busy shows what is being done until the function that it returns is called.
function busy(what) {
  const entry = { what };
  const show = () => {
    byId("busy").textContent = doing.length ? `${doing.at(-1).what} …` : "";
    byId("main").setAttribute("aria-busy", doing.length > 0);
  };
  doing.push(entry);
  show();
  return () => {
    doing.splice(doing.indexOf(entry), 1);
    show();
  };
}

// faultText returns what an error of the engine says, with the place of the fault.
function faultText(fault) {
  const message = fault?.message ?? String(fault);
  return [fault?.where, fault?.key, message].filter((part) => part).join(": ");
}

// showFault shows an error above the step.
function showFault(fault) {
  byId("fault").replaceChildren(make("div", { class: "warning fault" },
    make("pre", {}, faultText(fault)),
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
