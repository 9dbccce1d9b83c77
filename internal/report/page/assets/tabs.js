
// tabs lets readers choose between the report and the editor, and calls shown when the editor is first shown. The editor
// has the hash #edit; any other hash belongs to the report.
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
    if (k === 1) shown();
    window.scrollTo({ top: heights[k], behavior: "instant" });
  };
  const choose = (k) => {
    select(k);
    history.replaceState(null, "", k === 1 ? "#edit" : "#");
  };
  const follow = () => {
    const id = location.hash.slice(1), element = id && byId(id);
    select(id === "edit" ? 1 : 0);
    if (id && id !== "edit") element?.scrollIntoView();
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
  if (!outer && location.hash === "#edit") follow(); // in a frame the hash is that of the report before
}
