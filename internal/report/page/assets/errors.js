
// errors draws predictions over targets, and residuals; of classes what classErrors draws.
function* errors() {
  if (classes) return;
  const { rows, of } = content.points, { label: name, unit } = shownOutput();
  const observed = content.points.observed[state.output], predicted = content.points.predicted[state.output];
  const residuals = predicted.map((p, i) => observed[i] - p), [from, to] = content.points.axes[state.output], [low, high] = content.points.errors[state.output];
  const outside = (v) => v < from || v > to, far = residuals.filter((r, i) => r < low || r > high || outside(predicted[i]) || outside(observed[i])).length;
  byId("errors-lead").textContent = (observed.length === of ? `All ${of} rows of ${content.data}.` : `${observed.length} rows of ${content.data}, drawn at random from ${of}.`) +
    " A residual is the observed value minus the prediction." + (far ? ` Rings at the edge are points beyond it, of rows: ${far}.` : "");
  const about = (i) => `observed ${withUnit(observed[i], unit)}, predicted ${withUnit(predicted[i], unit)}`;
  const dots = (plot, xs, ys) => {
    const g = svg("g", {});
    plot.g.append(g);
    linkRows(plot, xs.map((x, i) => {
      const [kx, ky] = inPlot(plot, x, ys[i]);
      return { x: kx, y: ky, rows: [rows[i]], text: about(i) };
    }));
    gradually(function* () {
      for (let i = 0; i < xs.length; i += 100) {
        g.append(...xs.slice(i, i + 100).map((x, k) => plotDot(plot, x, ys[i + k], observed.length > 600 ? 1.8 : 2.6, `row ${rows[i + k]}: ${about(i + k)}`)));
        yield;
      }
    });
  };
  chart(renewed("observed"), {
    title: "Predicted and observed", alt: "Scatter plot of observed values over predictions", height: 340,
    x: { from, to, label: label(`predicted ${name}`, unit) }, y: { from, to, label: label(`observed ${kind === "quantiles" ? content.target.name : name}`, unit) },
  }, (plot) => {
    dots(plot, predicted, observed);
    plot.g.append(svg("line", { class: "reference", x1: plot.x(from), y1: plot.y(from), x2: plot.x(to), y2: plot.y(to) }));
  });
  yield;
  chart(renewed("residuals"), {
    title: "Residuals", alt: "Scatter plot of residuals over predictions", height: 340,
    x: { from, to, label: label(`predicted ${name}`, unit) }, y: { from: low, to: high, label: label("residual", unit) },
  }, (plot) => {
    dots(plot, predicted, residuals);
    plot.g.append(svg("line", { class: "reference", x1: plot.left, x2: plot.right, y1: plot.y(0), y2: plot.y(0) }));
  });
  yield;
  const histogram = content.points.histogram[state.output], below = renewed("residual-histogram");
  if (!histogram) return;
  chart(below, {
    title: "Distribution of the residuals", alt: "Histogram of the residuals", height: 200,
    x: { from: histogram.from, to: histogram.to, label: label("residual", unit) }, beyond: histogram,
    y: { from: 0, to: Math.max(...histogram.counts), label: "rows" },
  }, (plot) => {
    plot.g.append(bars(plot, histogram));
    linkRows(plot, barMarks(barsOf(plot, histogram), plot.top, membersOf(histogram, residuals).map((of) => of.map((i) => rows[i])), binText(histogram)));
    plot.g.append(svg("line", { class: "reference", x1: plot.x(0), x2: plot.x(0), y1: plot.top, y2: plot.bottom }));
  });
}
