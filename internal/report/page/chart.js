
// chart draws a figure with axes in a host element, redraws it when the width of the host
// changes, and returns a function that redraws it.
//
// spec has title, alt (the text alternative), role (img, unless there are controls in it), height, the axes x and y: from, to, label,
// log, ticks (instead of round numbers; or a function of the width), grid, of x also turned, the most letters of names that stand upright
// where they do not fit side by side, and broad, for as wide a chart as there is room; beyond, a histogram that may have values beyond the axis; and
// names of lines, each with text, y and class, which are written at the right. paint gets the plot: a group to draw in, and x and y, which
// convert values to coordinates.
function chart(host, spec, paint) {
  let width = 0;
  host.classList.toggle("broad", spec.x.broad ?? false);
  const redraw = () => {
    width = host.clientWidth || width;
    if (width > 0) host.replaceChildren(...picture(width, spec, paint));
  };
  new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== width) gradually(redraw);
  }).observe(host);
  redraw();
  return redraw;
}

function picture(width, spec, paint) {
  const { x, y, names = [] } = spec;
  let { height = 260 } = spec;
  const yTicks = y.hidden ? [] : axisTicks(y, Math.max(2, height / 55));
  const widest = Math.max(0, ...yTicks.map((t) => t.text.length));
  const left = y.hidden ? 2 : Math.min(width * 0.4, 14 + 6.6 * widest), right = 14 + 6.4 * Math.max(0, ...names.map((n) => n.text.length)), top = y.label ? 24 : 8;
  const xTicks = axisTicks(x, Math.max(2, (width - left - right) / 70), width - left - right), turned = x.ticks && xTicks.some((t) => t.turned);
  const below = turned ? 6.4 * Math.max(...xTicks.map((t) => t.text.length)) : 12, bottom = (x.label ? 30 : 10) + below;
  height += below - 12;
  const place = (axis, low, high) => {
    const f = axis.log ? Math.log : (v) => v;
    const from = f(axis.from), to = f(axis.to);
    return (v) => low + ((f(v) - from) / (to - from)) * (high - low);
  };
  const px = place(x, left, width - right), py = place(y, height - bottom, top);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: spec.role ?? "img", "aria-label": spec.alt ?? spec.title });
  const axes = svg("g", { class: "axes" });
  for (const t of yTicks) {
    if (y.grid !== false) axes.append(svg("line", { x1: left, x2: width - right, y1: py(t.at), y2: py(t.at) }));
    axes.append(svg("text", { x: left - 7, y: py(t.at) + 4, "text-anchor": "end" }, t.text));
  }
  for (const t of xTicks) {
    const at = Math.min(Math.max(px(t.at), left), width - right), foot = height - bottom, half = 3.3 * t.text.length;
    axes.append(svg("line", { class: "tick", x1: at, x2: at, y1: foot, y2: foot + 4 }), t.turned
      ? svg("text", { x: at + 4, y: foot + 8, "text-anchor": "end", transform: `rotate(-90 ${at + 4} ${foot + 8})` }, t.text)
      : svg("text", { x: Math.min(at, width - half), y: foot + 17, "text-anchor": "middle" }, t.text));
  }
  axes.append(svg("line", { class: "base", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
  if (y.label) axes.append(svg("text", { x: 0, y: 11, class: "axis" }, y.label));
  if (x.label) axes.append(svg("text", { x: width - right, y: height - 5, "text-anchor": "end", class: "axis" }, x.label));
  const g = svg("g", {});
  root.append(axes, g, ...nameLines(names, py, width - right + 6, height - bottom));
  paint({ g, x: px, y: py, left, right: width - right, top, bottom: height - bottom, width });
  return spec.title ? [make("figcaption", {}, spec.title, ...beyondText(spec.beyond)), root] : [root];
}

// inPlot returns the place of a point in a plot, of one beyond its axes at the edge.
const inPlot = (plot, u, v) => [Math.min(plot.right, Math.max(plot.left, plot.x(u))), Math.min(plot.bottom, Math.max(plot.top, plot.y(v)))];

// plotDot returns the dot of a point with a title, a ring for one beyond the axes.
function plotDot(plot, u, v, r, title) {
  const [x, y] = inPlot(plot, u, v), beyond = x !== plot.x(u) || y !== plot.y(v);
  return svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: beyond ? 4 : r, class: beyond ? "here" : "dot" }, svg("title", {}, title));
}

// nameLines writes the names of lines beside their ends, apart from one another.
function nameLines(names, py, x, lowest) {
  const slot = 14;
  let last = -Infinity;
  const placed = names.toSorted((a, b) => b.y - a.y).map((n) => ({ ...n, at: (last = Math.max(py(n.y), last + slot)) }));
  const excess = Math.max(0, last - lowest);
  return placed.map((n) => svg("text", { class: `name ${n.class ?? ""}`, x, y: n.at - excess + 4 }, n.text));
}

// beyondText says how many values of a histogram lie beyond its axis.
function beyondText(histogram) {
  const { below, above, least, most } = histogram ?? {};
  const rows = (n) => `${n} ${n === 1 ? "row" : "rows"}`;
  const texts = [...(below ? [`← ${rows(below)} to ${cellText(least)}`] : []), ...(above ? [`${rows(above)} to ${cellText(most)} →`] : [])];
  return texts.length ? [make("small", {}, texts.join(", "))] : [];
}

function axisTicks(axis, n, width) {
  if (axis.ticks) return typeof axis.ticks === "function" ? axis.ticks(width) : axis.ticks;
  if (!axis.log) return ticks(axis.from, axis.to, n);
  const all = [];
  for (let power = Math.floor(Math.log10(axis.from)); power <= Math.log10(axis.to); power++) {
    for (const k of [1, 2, 5]) {
      const v = k * 10 ** power;
      if (v >= axis.from && v <= axis.to) all.push({ at: v, text: figure(v, 1) });
    }
  }
  return all;
}

// line returns the path through points, with gaps where y is null.
function line(plot, xs, ys, attributes) {
  let d = "", pen = "M";
  xs.forEach((x, i) => {
    if (ys[i] === null || !Number.isFinite(ys[i])) {
      pen = "M";
      return;
    }
    d += `${pen}${plot.x(x).toFixed(1)} ${plot.y(ys[i]).toFixed(1)}`;
    pen = "L";
  });
  return svg("path", { d, fill: "none", class: "line", ...attributes });
}

// strokes are the dash patterns of curves, so that colour is not their only difference.
const strokes = [{}, { "stroke-dasharray": "6 3" }, { "stroke-dasharray": "2 3" }, { "stroke-dasharray": "9 3 2 3" }];

// supported returns the path through points, faint where the histogram has no rows near.
function supported(plot, histogram, xs, ys, attributes = {}) {
  if (!histogram) return line(plot, xs, ys, attributes);
  const { from, to, counts } = histogram;
  const near = (v) => {
    const bin = Math.floor(((v - from) / (to - from)) * counts.length);
    return counts.slice(Math.max(0, bin - 1), Math.max(0, bin + 2)).some((n) => n > 0);
  };
  return svg("g", {}, line(plot, xs, ys, { ...attributes, class: `${attributes.class ?? "line"} far` }), line(plot, xs, ys.map((y, i) => (near(xs[i]) ? y : null)), attributes));
}

// barsOf returns the places of the bars of a histogram at the bottom, as high as a share of the plot.
function barsOf(plot, { from, to, counts }, share = 1) {
  const width = (to - from) / counts.length, most = Math.max(1, ...counts);
  return counts.map((n, i) => {
    const height = ((plot.bottom - plot.top) * share * n) / most;
    const low = Math.max(plot.x(from + i * width), plot.left), high = Math.min(plot.x(from + (i + 1) * width), plot.right);
    return { x: low, y: plot.bottom - height, width: Math.max(high - low - 0.5, 0.2), height };
  });
}

// bars draws a histogram at the bottom, as high as a share of the plot, with arrows where values lie beyond it.
function bars(plot, histogram, share = 1) {
  const { from, to, below, above } = histogram;
  const arrow = (at, by) => svg("path", { class: "beyond", d: `M${at + by} ${plot.bottom - 5}l${-by} -5v10z` });
  return svg("g", { class: "histogram" }, ...barsOf(plot, histogram, share).map((bar) => svg("rect", bar)), ...(below ? [arrow(plot.x(from) + 8, -8)] : []), ...(above ? [arrow(plot.x(to) - 8, 8)] : []));
}

// multiples shows charts side by side, at first a dozen of them; each is drawn gradually.
function multiples(host, items, show) {
  const first = 12;
  const add = (some) => some.forEach((item, i) => {
    const figure = make("figure", {});
    host.append(figure);
    gradually(() => show(figure, item, i));
  });
  add(items.slice(0, first));
  if (items.length <= first) return;
  const more = make("button", { type: "button", onclick: () => {
    more.remove();
    add(items.slice(first));
  } }, `Show all ${items.length}`);
  host.after(more);
}
