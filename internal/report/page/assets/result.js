
// answer shows the prediction, its interval, and remarks. The attribute data-value has the
// unrounded number.
function answer(host) {
  const { intervals = [] } = content.model, what = make("p", { class: "what" });
  const value = make("output", { id: "prediction", "aria-live": "polite" });
  const interval = make("span", {}), spread = make("p", { class: "aside" });
  const unit = make("span", { class: "unit" }), all = outputs.length > 1 ? make("div", { class: "wide", tabindex: 0 }) : null;
  const table = members.length > 1 ? make("div", { class: "wide", tabindex: 0 }) : null;
  const remarks = make("ul", { class: "warnings" });
  const level = { index: Math.max(0, intervals.findIndex((i) => i.level === 0.9)) };
  const select = intervals.length
    ? make("p", { class: "aside" }, fill(choice("", intervals.map((i) => `${Number((100 * i.level).toPrecision(6))}%`), level.index, (i) => {
      level.index = i;
      rowChanged();
    }), {}, [classes ? " set: " : " interval: "]), interval)
    : null;
  fill(host, {}, [what,
    make("p", { class: "big" }, value, unit), all,
    select, spread, remarks, table]);
  onRow(() => {
    const p = predict(state.row);
    const most = mostProbable(p.values);
    what.textContent = `Prediction of ${kind === "targets" ? shownOutput().name : content.target.name}`;
    value.textContent = classes ? outputs[most].name : figure(p.value);
    unit.textContent = classes ? ` ${percent(p.values[most])}` : shownOutput().unit ? ` ${shownOutput().unit}` : "";
    value.dataset.value = p.value;
    value.dataset.values = JSON.stringify(p.values);
    all?.replaceChildren(outputTable(p));
    value.dataset.spread = p.spread;
    if (intervals.length) interval.textContent = intervalText(p, intervals[level.index].score);
    spread.textContent = members.length > 1 ? `Standard deviation over the members${outputs.length > 1 ? ` of ${shownOutput().label}` : ""}: ${valued(p.spread)}` : "";
    remarks.replaceChildren(...remarksOn(p).map((text) => make("li", {}, text)));
    table?.replaceChildren(memberTable(p));
  });
}

function remarksOn(p) {
  const remarks = [];
  const beyond = outside(state.row).map((c) => c.name);
  if (beyond.length) remarks.push(`Outside the training range: ${beyond.join(", ")}. ${members[0].pageRules ? "Terms and tables of a page count it as the end of its range." : "The model extrapolates."}`);
  if (!p.covered) remarks.push(`No rule${members.length > 1 ? " of some member" : ""} covers this point: ${{ classes: "the class shares stand", quantiles: "the training quantiles stand", targets: "the training means stand" }[kind] ?? "the training mean stands"} in.`);
  if (p.limited) remarks.push("The prediction is kept within the limits of the target.");
  return remarks;
}

// outputTable lists all values that the model predicts, the most probable classes first, at most a dozen.
function outputTable(p) {
  const most = 12, order = [...p.values.keys()];
  if (classes) order.sort((a, b) => p.values[b] - p.values[a] || a - b);
  const bar = (v) => make("td", { class: "bar" }, svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: (100 * v).toFixed(1), height: 10 })));
  return make("table", { class: "outputs" }, make("tbody", {}, ...order.slice(0, most).map((j) => make("tr", { class: j === state.output ? "strong" : false },
    make("th", { scope: "row" }, outputs[j].name), make("td", { class: "n" }, valued(p.values[j], j)), classes ? bar(p.values[j]) : null)),
    order.length > most ? make("tr", {}, make("th", { scope: "row" }, `${order.length - most} other classes`), make("td", { class: "n" }, percent(order.slice(most).reduce((s, j) => s + p.values[j], 0)))) : null));
}

// memberTable lists what each member of a committee predicts.
function memberTable(p) {
  const [from, to] = extent([...p.members.map((m) => m.values[state.output]), p.value], 0.05);
  const at = (v) => ((v - from) / (to - from)) * 100;
  return make("table", {}, make("tbody", {}, ...p.members.map((m, k) => make("tr", {},
    make("th", { scope: "row" }, `Member ${k + 1}`), make("td", { class: "n" }, classes ? percent(m.values[state.output]) : figure(m.values[state.output])),
    make("td", { class: "bar" }, svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("line", { class: "mean", x1: at(p.value), x2: at(p.value), y1: 0, y2: 10 }), svg("rect", { x: Math.max(0, at(m.values[state.output]) - 2), y: 0, width: 4, height: 10 })))))));
}
