
// forecasts draws the forecasts of the last times of a series, with their intervals, beside what was observed and the naive forecast.
function forecasts() {
  const of = content.forecasts;
  if (!of) return;
  const draw = (k) => {
    const { ahead, naive, values, lower, upper } = of.steps[k];
    const curves = [["observed", of.observed, { class: "line" }], ["forecast", values, { class: "line chosen", ...strokes[1] }]];
    if (naive) curves.unshift([of.baseline, of.naive, { class: "line series-4", ...strokes[2] }]);
    const all = [...curves.flatMap(([, ys]) => ys), ...(lower ?? []), ...(upper ?? [])].filter((v) => v !== null);
    const [from, to] = extent(all, 0.04), at = of.times.map((_, i) => i), last = at.length - 1;
    chart(renewed("forecast-chart"), {
      title: `Forecasts ${ahead} ahead`, alt: `Forecasts ${ahead} ahead and observed values over time`, height: 320,
      x: { from: 0, to: last, ticks: (width) => stamps(of.times, Math.max(1, Math.floor(width / 170))) },
      y: { from, to, label: label(content.target.name, content.target.unit) },
    }, (plot) => {
      if (lower) at.forEach((i) => lower[i] !== null && plot.g.append(svg("line", { class: "band", x1: plot.x(i), x2: plot.x(i), y1: plot.y(lower[i]), y2: plot.y(upper[i]), "stroke-width": (plot.x(1) - plot.x(0) + 0.3).toFixed(2) })));
      for (const [, ys, attributes] of curves) plot.g.append(line(plot, at, ys, attributes));
    });
    const key = (text, mark) => make("li", {}, svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, mark), ` ${text}`);
    const names = curves.map(([name, , attributes]) => key(name, svg("line", { x1: 0, x2: 26, y1: 5, y2: 5, ...attributes })));
    if (lower) names.push(key("interval", svg("rect", { class: "band", width: 26, height: 10 })));
    byId("forecast-legend").replaceChildren(...names);
  };
  if (of.steps.length > 1) byId("forecast-controls").append(choice("Steps ahead", of.steps.map((s) => s.ahead), 0, draw));
  draw(0);
}

// stamps returns about n marks of an axis of times, at rows that are there.
function stamps(times, n) {
  const step = Math.max(1, Math.ceil(times.length / n));
  return times.map((text, at) => ({ at, text })).filter(({ at, text }) => at % step === Math.floor(step / 2) && text);
}
