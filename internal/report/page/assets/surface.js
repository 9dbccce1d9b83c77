
// Cividis, a colour scale that looks the same to colour-blind readers (J. R. Nuñez,
// C. R. Anderton, R. S. Renslow, PLoS ONE 13 (2018)), by ten of its colours.
const cividis = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"]
  .map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));

// colour returns the colour of a share between 0 and 1.
function colour(share) {
  const at = Math.min(1, Math.max(0, share)) * (cividis.length - 1), i = Math.min(Math.floor(at), cividis.length - 2);
  return cividis[i].map((v, k) => Math.round(v + (cividis[i + 1][k] - v) * (at - i)));
}

// surface draws the prediction over two columns of numbers, with the others as in the rule
// viewer.
function surface() {
  const host = byId("surface"), controls = byId("surface-controls");
  const columns = byImportance.filter((c) => !c.levels);
  if (columns.length < 2) {
    controls.replaceWith(make("p", { class: "note" }, "A surface needs two columns of numbers."));
    host.remove();
    return;
  }
  const pair = [columns[0], columns[1]], names = columns.map((c) => c.name);
  const draw = () => drawSurface(host, pair), redraw = later(() => gradually(draw), 80);
  const pick = (k) => (i) => {
    pair[k] = columns[i];
    redraw();
  };
  controls.append(choice("Horizontal", names, 0, pick(0)), choice("Vertical", names, 1, pick(1)));
  onRow(redraw);
}

function* drawSurface(host, [across, up]) {
  const n = 41, range = (c) => content.features[c.feature];
  const at = (c, i) => range(c).min + ((range(c).max - range(c).min) * i) / (n - 1);
  const row = state.row.slice(), values = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      set(row, across, at(across, i));
      set(row, up, at(up, j));
      values.push(predict(row).value);
    }
    yield;
  }
  const [from, to] = extent(values), { label: name, unit } = shownOutput();
  const image = heatmap(values, n, from, to);
  const frame = make("div", {}), scale = make("div", {});
  host.replaceChildren(frame, scale, make("p", { class: "note" }, `Dots are rows of ${content.data}; the ring is the point in the rule viewer.`));
  chart(frame, {
    alt: `Prediction over ${across.name} and ${up.name}`, height: Math.min(440, Math.max(280, host.clientWidth * 0.6)),
    x: { from: range(across).min, to: range(across).max, label: label(across.name, across.unit) },
    y: { from: range(up).min, to: range(up).max, label: label(up.name, up.unit), grid: false },
  }, (plot) => {
    plot.g.append(svg("image", { href: image, x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top, preserveAspectRatio: "none" }));
    const shown = [...content.rows.values.entries()].filter(([, r]) => within(across, r[across.feature]) && within(up, r[up.feature]));
    linkRows(plot, shown.map(([n, r]) => ({ x: plot.x(r[across.feature]), y: plot.y(r[up.feature]), rows: [content.rows.rows[n]], text: rowText(n, [across, up]) })));
    for (const [, r] of shown) {
      const x = r[across.feature], y = r[up.feature];
      plot.g.append(svg("circle", { class: "over", cx: plot.x(x), cy: plot.y(y), r: 2.2 }));
    }
    const x = state.row[across.feature], y = state.row[up.feature];
    if (within(across, x) && within(up, y)) plot.g.append(svg("circle", { class: "here", cx: plot.x(x), cy: plot.y(y), r: 6 }));
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

// heatmap returns an image of values [n*n], the lowest row first.
function heatmap(values, n, from, to) {
  const canvas = make("canvas", { width: n, height: n }), context = canvas.getContext("2d");
  const pixels = context.createImageData(n, n);
  values.forEach((v, k) => {
    const i = k % n, j = n - 1 - Math.floor(k / n);
    pixels.data.set([...colour((v - from) / (to - from || 1)), 255], 4 * (j * n + i));
  });
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
