
// Cividis, a colour scale that looks the same to colour-blind readers (J. R. Nuñez,
// C. R. Anderton, R. S. Renslow, PLoS ONE 13 (2018)), by ten of its colours.
const cividis = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"]
  .map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));

// colour returns the colour of a share between 0 and 1.
function colour(share) {
  const at = Math.min(1, Math.max(0, share)) * (cividis.length - 1), i = Math.min(Math.floor(at), cividis.length - 2);
  return cividis[i].map((v, k) => Math.round(v + (cividis[i + 1][k] - v) * (at - i)));
}

// surface draws the prediction over two columns of numbers that act together, with the others as in the rule viewer.
function surface() {
  const host = byId("surface"), controls = byId("surface-controls");
  const pairs = (content.together ?? []).map((pair) => pair.map((i) => content.columns[i]));
  if (!pairs.length) {
    controls.replaceWith(make("p", { class: "note" }, "None is drawn: among the most important columns, no two of numbers act together."));
    host.remove();
    return;
  }
  let [pair] = pairs;
  const draw = () => drawSurface(host, pair), redraw = later(() => gradually(draw), 80);
  controls.append(choice("Over", pairs.map(([a, b]) => `${a.name} and ${b.name}`), 0, (i) => {
    pair = pairs[i];
    redraw();
  }));
  onRow(redraw);
}

function* drawSurface(host, [across, up]) {
  const n = content.support.steps, [x, y] = [across, up].map(surfaceAxis), near = nearness(x, y);
  const row = state.row.slice(), values = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      set(row, across, x.at[i]);
      set(row, up, y.at[j]);
      values.push(near[j * n + i] > 0 ? predict(row).value : null);
    }
    yield;
  }
  const [from, to] = extent(values.filter((v) => v !== null)), { label: name, unit } = shownOutput();
  const image = heatmap(values, near, n, from, to);
  const frame = make("div", {}), scale = make("div", {});
  host.replaceChildren(frame, scale, make("p", { class: "note" }, `Dots are rows of ${content.data}; the ring is the point in the rule viewer. Where no row of ${content.typical.data} is near, nothing is drawn.`));
  chart(frame, {
    alt: `Prediction over ${across.name} and ${up.name}`, height: Math.min(440, Math.max(280, host.clientWidth * 0.6)),
    x: { ...x.axis, label: label(across.name, across.unit) },
    y: { ...y.axis, label: label(up.name, up.unit), grid: false },
  }, (plot) => {
    const picture = svg("image", { href: image, x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top, preserveAspectRatio: "none" });
    if (!x.reach && !y.reach) picture.style.imageRendering = "pixelated";
    plot.g.append(picture);
    const inside = ({ axis }, v) => v !== null && v >= axis.from && v <= axis.to;
    const mark = (r, attributes) => {
      const u = r[across.feature], v = r[up.feature];
      if (inside(x, u) && inside(y, v)) plot.g.append(svg("circle", { cx: plot.x(u), cy: plot.y(v), ...attributes }));
    };
    for (const r of content.rows.values) mark(r, { class: "over", r: 2.2 });
    linkRows(plot, [...content.rows.values.entries()].filter(([, r]) => inside(x, r[across.feature]) && inside(y, r[up.feature])).map(([n, r]) => ({
      x: plot.x(r[across.feature]), y: plot.y(r[up.feature]), rows: [content.rows.rows[n]], text: rowText(n, [across, up]),
    })));
    mark(state.row, { class: "here", r: 6 });
  });
  chart(scale, {
    alt: `Scale of colours, from ${figure(from)} to ${figure(to)}`, height: 56,
    x: { from, to: to > from ? to : from + 1, label: label(name, unit) }, y: { from: 0, to: 1, hidden: true },
  }, (plot) => {
    for (let i = 0; i < 60; i++) {
      const w = (plot.right - plot.left) / 60;
      plot.g.append(svg("rect", { x: plot.left + i * w, y: plot.top - 6, width: w + 0.5, height: 14, fill: `rgb(${colour((i + 0.5) / 60)})` }));
    }
  });
}

// surfaceAxis returns the axis of a column of numbers, the value at which the prediction is drawn in each of its cells, the nearest of few
// values, and the first and last cell of each row of the sample.
function surfaceAxis(column) {
  const places = placesOf(column), { from, to, ticks } = places ? placeAxis(column, places) : spanOf(content.features[column.feature]), n = content.support.steps;
  const middles = Array.from({ length: n }, (_, i) => from + ((to - from) * (i + 0.5)) / n);
  const nearest = (v) => column.values.reduce((a, b) => (Math.abs(b - v) < Math.abs(a - v) ? b : a));
  const at = places ? middles.map(nearest) : middles;
  const cells = Array.from(content.support.columns[column.name], (letter) => {
    const k = letter === " " ? -1 : letter.charCodeAt(0) - 65;
    return k < 0 || !places ? [k, k] : [at.indexOf(column.values[k]), at.lastIndexOf(column.values[k])];
  });
  return { axis: { from, to, ticks: places && ticks }, at, cells, reach: places ? 0 : n };
}

// nearness returns for each cell of a surface how near rows are: 1 near one, 0 far from all. Near is a distance that falls with the root of
// their number, at twice that a cell is far; of few values only the same one is near.
function nearness(x, y) {
  const { steps: n, rows } = content.support, near = n * (0.03 + 0.6 / Math.sqrt(rows)), all = new Float64Array(n * n), seen = new Set();
  const beside = ([from, to], k) => Math.max(0, from - k, k - to);
  const range = ([from, to], reach) => [Math.max(0, from - Math.min(reach, Math.floor(2 * near))), Math.min(n - 1, to + Math.min(reach, Math.floor(2 * near)))];
  for (let r = 0; r < rows; r++) {
    const a = x.cells[r], b = y.cells[r];
    if (a[0] < 0 || b[0] < 0 || seen.has(a[0] * n + b[0])) continue;
    seen.add(a[0] * n + b[0]);
    const [left, right] = range(a, x.reach), [low, high] = range(b, y.reach);
    for (let j = low; j <= high; j++) {
      for (let i = left; i <= right; i++) all[j * n + i] = Math.max(all[j * n + i], Math.min(1, 2 - Math.hypot(beside(a, i), beside(b, j)) / near));
    }
  }
  return all;
}

// heatmap returns an image of values [n*n], the lowest row first, as opaque as rows are near.
function heatmap(values, near, n, from, to) {
  const canvas = make("canvas", { width: n, height: n }), context = canvas.getContext("2d");
  const pixels = context.createImageData(n, n);
  values.forEach((v, k) => {
    if (v === null) return;
    const i = k % n, j = n - 1 - Math.floor(k / n);
    pixels.data.set([...colour((v - from) / (to - from || 1)), 255 * near[k]], 4 * (j * n + i));
  });
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
