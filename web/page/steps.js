
// steps has the steps of the page in order.
const steps = [];
let shownStep = null;

// app.step adds a step: id, title (in the list of steps), heading, build(host) fills it once, when it is first shown; entered() is
// called each time it is shown; open() says whether it can be shown. A step without a place in the list has no title.
app.step = ({ id, title, heading, build, entered = () => {}, open = () => true }) => {
  const head = make("h2", { tabindex: -1, id: `heading-${id}` }, heading), host = make("div", {});
  const section = make("section", { id: `step-${id}`, "aria-labelledby": head.id, hidden: true }, head, host);
  byId("main").append(section);
  const link = title && make("button", { type: "button", onclick: () => app.show(id) }, make("span", {}, title));
  if (link) byId("steps").append(make("li", {}, link));
  const step = { id, title, head, host, section, link, build, entered, open, built: false };
  steps.push(step);
  return step;
};

// app.show shows a step, and moves the focus to its heading; the browser's button Back returns to the last one.
app.show = (id) => {
  const step = steps.find((s) => s.id === id);
  if (step && step !== shownStep) history.pushState(null, "", `#${id}`);
  reveal(step);
};

// app.shown returns the id of the step shown.
app.shown = () => shownStep?.id;

// app.refresh enables the steps that can be shown.
app.refresh = () => {
  for (const step of steps) {
    if (!step.link) continue;
    step.link.disabled = !step.open();
    if (step === shownStep) step.link.setAttribute("aria-current", "step");
    else step.link.removeAttribute("aria-current");
  }
};

// reveal shows a step, or the first one if it is null or cannot be shown.
function reveal(wanted, focus = true) {
  const step = wanted?.open() ? wanted : steps[0];
  if (shownStep && step !== shownStep) clearFault();
  shownStep = step;
  document.body.dataset.step = step.id;
  for (const s of steps) s.section.hidden = s !== step;
  if (!step.built) {
    step.built = true;
    step.build(step.host);
  }
  step.entered();
  app.refresh();
  document.title = `${step.head.textContent} · tskgraph`;
  if (!focus) return;
  window.scrollTo({ top: 0, behavior: "instant" });
  step.head.focus({ preventScroll: true });
  step.link?.scrollIntoView({ block: "nearest", inline: "center" });
}

// follow shows the step that the address names, or opens what it asks for.
async function follow() {
  if (await openLink()) return;
  reveal(steps.find((s) => `#${s.id}` === location.hash));
}
