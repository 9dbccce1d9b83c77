
// errors draws predictions over targets, and residuals.
function errors() {
  const { observed, predicted, rows, of } = content.points, { name, unit } = content.target;
  const residuals = predicted.map((p, i) => observed[i] - p);
  byId("errors-lead").textContent = observed.length === of
    ? `All ${of} rows of ${content.data}. A residual is the observed value less the prediction.`
    : `${observed.length} rows of ${content.data}, drawn at random from ${of}. A residual is the observed value less the prediction.`;
  const [from, to] = extent([...observed, ...predicted], 0.03);
  const dots = (plot, xs, ys) => xs.forEach((x, i) => plot.g.append(
    svg("circle", { cx: plot.x(x).toFixed(1), cy: plot.y(ys[i]).toFixed(1), r: observed.length > 600 ? 1.8 : 2.6, class: "dot" },
      svg("title", {}, `row ${rows[i]}: observed ${figure(observed[i])}, predicted ${figure(predicted[i])}`))));
  chart(byId("observed"), {
    title: "Predicted and observed", alt: "Scatter plot of predictions over observed values", height: 340,
    x: { from, to, label: label(`observed ${name}`, unit) }, y: { from, to, label: label(`predicted ${name}`, unit) },
  }, (plot) => {
    dots(plot, observed, predicted);
    plot.g.append(svg("line", { class: "reference", x1: plot.x(from), y1: plot.y(from), x2: plot.x(to), y2: plot.y(to) }));
  });
  const [low, high] = extent([...residuals, 0], 0.05), [px, py] = extent(predicted, 0.03);
  chart(byId("residuals"), {
    title: "Residuals", alt: "Scatter plot of residuals over predictions", height: 340,
    x: { from: px, to: py, label: label(`predicted ${name}`, unit) }, y: { from: low, to: high, label: label("residual", unit) },
  }, (plot) => {
    dots(plot, predicted, residuals);
    plot.g.append(svg("line", { class: "reference", x1: plot.left, x2: plot.right, y1: plot.y(0), y2: plot.y(0) }));
  });
  const histogram = count(residuals, 40);
  if (!histogram) return;
  chart(byId("residual-histogram"), {
    title: "Distribution of the residuals", alt: "Histogram of the residuals", height: 200,
    x: { from: histogram.from, to: histogram.to, label: label("residual", unit) },
    y: { from: 0, to: Math.max(...histogram.counts), label: "rows" },
  }, (plot) => {
    plot.g.append(bars(plot, histogram));
    plot.g.append(svg("line", { class: "reference", x1: plot.x(0), x2: plot.x(0), y1: plot.top, y2: plot.bottom }));
  });
}

// count makes a histogram, around zero; null if the values do not differ.
function count(values, bins) {
  const reach = Math.max(...values.map(Math.abs));
  if (!(reach > 0)) return null;
  const counts = new Array(bins).fill(0);
  for (const v of values) counts[Math.min(bins - 1, Math.floor(((v + reach) / (2 * reach)) * bins))]++;
  return { from: -reach, to: reach, counts };
}
