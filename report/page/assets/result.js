
// answer shows the prediction, its interval, and remarks. The attribute data-value has the
// unrounded number.
function answer(host) {
  const { unit, name } = content.target, { intervals = [] } = content.model;
  const value = make("output", { id: "prediction", "aria-live": "polite" });
  const interval = make("span", {}), spread = make("p", { class: "aside" });
  const table = members.length > 1 ? make("div", { class: "wide" }) : null;
  const remarks = make("ul", { class: "warnings" });
  const level = { index: Math.max(0, intervals.findIndex((i) => i.level === 0.9)) };
  const select = intervals.length
    ? make("p", { class: "aside" }, fill(choice("", intervals.map((i) => `${Number((100 * i.level).toPrecision(6))} %`), level.index, (i) => {
      level.index = i;
      rowChanged();
    }), {}, [" interval: "]), interval)
    : null;
  fill(host, {}, [make("p", { class: "what" }, `Prediction of ${name}`),
    make("p", { class: "big" }, value, unit ? make("span", { class: "unit" }, ` ${unit}`) : null),
    select, spread, remarks, table]);
  onRow(() => {
    const p = predict(state.row);
    value.textContent = figure(p.value);
    value.dataset.value = p.value;
    value.dataset.spread = p.spread;
    if (intervals.length) {
      const { half } = intervals[level.index];
      interval.textContent = `${figure(p.value - half)} to ${withUnit(p.value + half, unit)}`;
    }
    spread.textContent = members.length > 1 ? `Standard deviation over the members: ${withUnit(p.spread, unit)}` : "";
    remarks.replaceChildren(...remarksOn(p).map((text) => make("li", {}, text)));
    table?.replaceChildren(memberTable(p));
  });
}

function remarksOn(p) {
  const remarks = [];
  const beyond = outside(state.row).map((c) => c.name);
  if (beyond.length) remarks.push(`Outside the training range: ${beyond.join(", ")}. The model extrapolates.`);
  if (!p.covered) remarks.push(`No rule${members.length > 1 ? " of some member" : ""} covers this point: the training mean stands in.`);
  if (p.limited) remarks.push("The prediction is kept within the limits of the target.");
  return remarks;
}

// memberTable lists what each member of a committee predicts.
function memberTable(p) {
  const [from, to] = extent([...p.members.map((m) => m.value), p.value], 0.05);
  const at = (v) => ((v - from) / (to - from)) * 100;
  return make("table", {}, make("tbody", {}, ...p.members.map((m, k) => make("tr", {},
    make("th", { scope: "row" }, `Member ${k + 1}`), make("td", { class: "n" }, figure(m.value)),
    make("td", { class: "bar" }, svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("line", { class: "mean", x1: at(p.value), x2: at(p.value), y1: 0, y2: 10 }), svg("rect", { x: Math.max(0, at(m.value) - 2), y: 0, width: 4, height: 10 })))))));
}
