
// curves draws the curves in the THEN parts over the distribution of the data.
function curves() {
  const section = byId("curves");
  if (!section) return;
  const controls = byId("curve-controls"), charts = byId("curve-charts");
  const show = (member) => {
    charts.replaceChildren();
    for (const button of section.querySelectorAll(":scope > button")) button.remove();
    const c = Math.min(state.output, (member.common ?? []).length - 1), all = member.common?.[c] ?? [];
    const [low, high] = extent(all.flatMap((c) => [...c.y, ...c.total, ...ownCurves(member, c.input).flat(), 0]), 0.06);
    const from = low - (high - low) / 4, to = high; // room for the histogram
    multiples(charts, all, (figure, c) => curveChart(figure, member, c, from, to));
  };
  let shown = members[0];
  if (members.length > 1) controls.append(choice("Member", members.map((_, k) => String(k + 1)), 0, (k) => show((shown = members[k]))));
  onOutput(() => show(shown));
}

// ownCurves returns the values at the knots of an input of the curves of each rule; none if the
// rules share them.
function ownCurves({ knots, curves, targets, rules, outputs: C }, input) {
  const c = Math.min(state.output, C - 1);
  if (curves.length <= C) return [];
  const first = knots.slice(0, input).reduce((n, k) => n + k.length, 0), scale = additive || content.response.link === "ordered" ? targets[c].scale : 1;
  return curves.slice(c * rules.length, (c + 1) * rules.length).map((values) => Array.from(values.subarray(first, first + knots[input].length), (v) => scale * v));
}

// curveChart draws a curve, alone and with the mean slope of the rules, over those of each rule.
function curveChart(host, member, { input, x, y, total }, from, to) {
  const part = member.parts.find((p) => p.inputs.includes(input));
  const places = part.places, axis = places ? placeAxis(part.column, places) : part.histogram ?? { from: x[0], to: x.at(-1) };
  chart(host, {
    title: part.title, alt: `Curve of ${part.name}`, height: 190,
    x: places ? axis : { from: axis.from, to: axis.to }, beyond: part.histogram,
    y: { from, to },
  }, (plot) => {
    const background = places ? placeBars(plot, places, axis.gap, 0.25) : part.histogram && bars(plot, part.histogram, 0.25);
    if (background) plot.g.append(background);
    if (part.column) linkColumn(plot, part.column, axis, 0.25);
    plot.g.append(svg("line", { class: "zero", x1: plot.left, x2: plot.right, y1: plot.y(0), y2: plot.y(0) }));
    const at = part.column?.levels ? x.map((v) => v - 1) : x; // levels count from 1
    const low = Math.max(axis.from, at[0]), high = Math.min(axis.to, at.at(-1));
    const xs = places?.map((p) => p.at) ?? Array.from({ length: 201 }, (_, i) => low + ((high - low) * i) / 200);
    const draw = (ys, attributes) => {
      const all = xs.map((v) => interpolate(at, ys, v));
      return places ? svg("g", {}, ...placeDots(plot, places, axis.gap, all, 0, { ...attributes, r: 3.2 })) : supported(plot, part.histogram, xs, all, attributes);
    };
    plot.g.append(...ownCurves(member, input).map((ys, r) => {
      const each = draw(ys, { class: "line each" });
      each.append(svg("title", {}, `rule ${r + 1}`));
      return each;
    }));
    plot.g.append(draw(total, { class: "line total" }), draw(y, { class: "line" }));
  });
}

// interpolate returns the value at v of the line through points of ascending x, beyond them that of the outermost.
function interpolate(x, y, v) {
  const i = x.findIndex((at) => at >= v);
  if (i <= 0) return y.at(i);
  return y[i - 1] + ((y[i] - y[i - 1]) * (v - x[i - 1])) / (x[i] - x[i - 1]);
}
