
// tabs lets readers choose between the report, the editor and the sheet, and calls shown when the editor is first shown. The editor has
// the hash #edit, the sheet #sheet; any other hash belongs to the report.
function tabs(shown) {
  const list = byId("tabs"), all = [...list.querySelectorAll("[role=tab]")];
  const panels = all.map((tab) => byId(tab.getAttribute("aria-controls"))), heights = all.map(() => 0);
  let at = 0;
  const select = (k) => {
    if (k === at) return;
    heights[at] = window.scrollY;
    at = k;
    all.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === k);
      tab.tabIndex = i === k ? 0 : -1;
      panels[i].hidden = i !== k;
    });
    if (panels[k].id === "edit") shown();
    window.scrollTo({ top: heights[k], behavior: "instant" });
  };
  const choose = (k) => {
    select(k);
    history.replaceState(null, "", k ? `#${panels[k].id}` : "#");
  };
  const follow = () => {
    const id = location.hash.slice(1), k = Math.max(0, panels.findIndex((panel) => panel.id === id));
    select(k);
    if (id && !k) byId(id)?.scrollIntoView();
  };
  all.forEach((tab, i) => tab.addEventListener("click", () => choose(i)));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: all.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose((at + step + all.length) % all.length);
    all[at].focus();
  });
  window.addEventListener("hashchange", follow);
  list.hidden = false;
  if (!outer && panels.slice(1).some(({ id }) => location.hash === `#${id}`)) follow(); // in a frame the hash is that of the report before
}
