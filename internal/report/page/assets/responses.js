
const responsePoints = 31;

// responses draws the partial dependence of the prediction on each column, averaged over as
// many rows as take about a second.
function* responses() {
  const perRow = members.reduce((sum, m) => sum + m.rules.reduce((n, r) => n + r.mentions.length + m.inputs.length / 4 + 2, 0), 0);
  const columns = byImportance.filter((c) => !c.idle), idle = byImportance.length - columns.length, charts = Math.min(columns.length, 12);
  const old = byId("response-charts").nextElementSibling;
  if (old?.tagName === "BUTTON") old.remove();
  const rows = content.rows.values.slice(0, Math.max(20, Math.min(100, Math.floor(3e7 / (perRow * responsePoints * charts)))));
  const curves = new Map();
  for (const c of columns.slice(0, charts)) curves.set(c, yield* dependence(c, rows));
  const [from, to] = extent([...curves.values()].flatMap((c) => c.ys), 0.06);
  const { label: name, unit } = shownOutput();
  multiples(renewed("response-charts"), columns, function* (host, column, i) {
    const { xs, ys } = curves.get(column) ?? (yield* dependence(column, rows)), [low, high] = i < charts ? [from, to] : extent([from, to, ...ys]);
    const places = placesOf(column), { histogram } = content.features[column.feature], axis = places ? placeAxis(column, places) : spanOf(content.features[column.feature]);
    chart(host, {
      title: label(column.name, column.unit), alt: `Mean prediction over ${column.name}`, height: 190,
      x: axis, beyond: histogram,
      y: { from: low, to: high },
    }, (plot) => {
      if (places) plot.g.append(placeBars(plot, places, axis.gap, 0.25), ...placeDots(plot, places, axis.gap, ys, 0, { class: "big dot", r: 5 }));
      else {
        if (histogram) plot.g.append(bars(plot, histogram, 0.25));
        plot.g.append(supported(plot, histogram, xs, ys));
      }
      linkColumn(plot, column, axis, 0.25);
    });
  });
  byId("response-note").textContent = `Vertical: predicted ${label(name, unit)}, on the same scale in all charts. Averaged over ${rows.length} rows of ${content.data}; the bars show where the data are.${idle ? ` Columns that no rule mentions, ${idle}, have no chart.` : ""}`;
}

// dependence returns the mean prediction for each value of a column; each is a step.
function* dependence(column, rows) {
  const { min, max } = content.features[column.feature], span = spanOf(content.features[column.feature]);
  const from = Math.max(min, span.from), to = Math.min(max, span.to);
  const values = column.levels ?? column.values ?? Array.from({ length: responsePoints }, (_, i) => from + ((to - from) * i) / (responsePoints - 1));
  const ys = [];
  for (const v of values) {
    ys.push(rows.reduce((sum, row) => {
      const changed = row.slice();
      set(changed, column, v);
      return sum + predict(changed).value / rows.length;
    }, 0));
    yield;
  }
  return { xs: column.levels ? values.map((_, k) => k) : values, ys };
}
