
// readAs are the ways to read a column, in words.
const readAs = {
  number: "a number", category: "a category", ordered: "in an order", ranked: "by the mean target", group: "groups of rows", time: "time", exposure: "exposure", weight: "weight of rows", unused: "not used",
};

// directions are those of predictions with a column, in words.
const directions = { increasing: "never falls", decreasing: "never rises" };

// besides are the keys that name a column of a type.
const besides = { group: "data.group", exposure: "data.offset", weight: "data.weight" };

// timesOf returns the proposal that makes a column the time of the rows.
const timesOf = (look, name) => look.proposals.find((p) => p.set?.["data.time"] === name);

// levelsOfColumn returns the levels of a column in their order, if they are known.
const levelsOfColumn = (c) => (c.order?.length ? c.order : drawn.known.get(c.name)?.picture?.levels);

// readColumn changes how a column is read.
function readColumn(name, type) {
  const { look, leaveOut } = app.state, c = look.columns.find((one) => one.name === name), times = timesOf(look, name);
  let set = settingsOf((key) => key !== besides[c.type] && !(c.type === "time" && key in (times?.set ?? {})));
  if (besides[type]) set = { ...set, [besides[type]]: name };
  if (type === "time") set = { ...set, ...times.set };
  if (type === "exposure") set = { ...set, ...look.proposals.find((p) => p.set?.["data.offset"])?.set };
  const coding = { number: "", category: "onehot", ordered: levelsOfColumn(c) ?? "ordinal", ranked: "ranked" }[type];
  const columns = withPart(app.state.columns, "data.categorical", name, coding), left = (leaveOut ?? leftOut(look)).filter((n) => n !== name);
  change({ set, columns, leaveOut: type === "unused" ? [...left, name] : left });
}

// directionPart is the part of model.monotone for a direction: of two classes that of the one whose share is drawn.
const directionPart = (direction) => (direction && drawn.facts?.class ? { [drawn.facts.class]: direction } : direction);

// partChoice returns a select over parts of a key for a column, and update.
function partChoice(name, key, what, texts, part = (value) => value) {
  const select = make("select", { "aria-label": `${what} ${name}`, onchange: () => change({ columns: withPart(app.state.columns, key, name, part(select.value)) }) },
    ...Object.entries(texts).map(([value, text]) => make("option", { value }, text)));
  const update = (value, shown) => {
    select.hidden = !shown;
    select.value = value ?? "";
  };
  return { select, update };
}

// readControls returns the controls for how a column is read and where rules may mention it, and update.
function readControls(name) {
  const type = make("select", { "aria-label": `Read ${name} as`, onchange: () => readColumn(name, type.value) });
  const role = partChoice(name, "model.roles", "Where rules may mention", { "": "in IF and THEN", if: "in IF only", then: "in THEN only" });
  const direction = partChoice(name, "model.monotone", "Direction of predictions with", { "": "any direction", ...directions }, directionPart);
  const order = make("details", { class: "order" }), summary = make("summary", {}), parts = make("details", {}, summary, make("div", { class: "read" }, role.select, direction.select));
  const host = make("div", { class: "read" }, type, order, parts);
  let ways = "";
  const update = (c, look) => {
    const shown = !look.fixed && c.use !== "target", used = shown && c.use === "input";
    if (ways !== (ways = (c.types ?? []).join())) type.replaceChildren(...(c.types ?? []).map((t) => make("option", { value: t }, readAs[t])));
    type.hidden = !shown;
    type.value = c.type;
    role.update(c.role, used);
    direction.update(c.direction, used && c.type !== "category" && (look.task !== "classification" || drawn.facts?.classes?.length === 2));
    parts.hidden = !used;
    summary.replaceChildren([c.role && `in ${c.role.toUpperCase()} only`, directions[c.direction]].filter(Boolean).join(", ") || "anywhere in rules", make("span", { class: "hidden" }, `, ${name}`));
    showOrder(order, c);
  };
  return { host, update };
}

// showOrder shows the levels of a column in their order, with buttons that move them.
function showOrder(host, c) {
  const levels = levelsOfColumn(c);
  host.hidden = c.type !== "ordered" || !levels;
  if (host.hidden) return void host.replaceChildren();
  const at = document.activeElement?.dataset?.level, move = (i) => {
    const order = levels.toSpliced(i, 1).toSpliced(i - 1, 0, levels[i]);
    change({ columns: withPart(app.state.columns, "data.categorical", c.name, order) });
  };
  host.replaceChildren(make("summary", {}, `Order of ${counted(levels.length, "level")}`), make("ol", {}, ...levels.map((level, i) => make("li", {}, level, " ",
    i ? button("↑", () => move(i), { "aria-label": `Move ${level} up`, "data-level": level }) : null))));
  if (at !== undefined) (host.querySelector(`[data-level=${CSS.escape(at)}]`) ?? host.querySelector("summary")).focus();
  return undefined;
}
