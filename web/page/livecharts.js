
// liveCharts draws the error of the setting that leads the race and over the updates of the training, as they come.
function liveCharts(host) {
  const race = liveChart("Race: error of the leading setting", "trainings");
  const training = liveChart("Training: error on the mini-batches", "updates");
  const all = [race, training];
  let raced = { done: 0, total: 0 };
  return {
    clear() {
      raced = { done: 0, total: 0 };
      for (const chart of all) chart.clear();
      host.replaceChildren(...all.map((chart) => chart.figure));
    },
    add(event) {
      const { event: kind, stage, done, total, metric, value } = event;
      if (kind === "progress" && stage === "race") raced = { done, total };
      if (stage === "pages") host.replaceChildren(); // its search has no curves
      if (event.setting) race.add(raced.done, event.loss, raced.total, metric);
      if (kind === "progress" && stage === "training") {
        training.add(done, value, total, metric);
        if (race.empty()) race.figure.remove(); // there was none
      }
    },
  };
}

// liveChart is a chart of points that are added one by one; it is drawn at most once per frame.
function liveChart(title, unit) {
  const figureElement = make("figure", {});
  let xs = [], ys = [], most = 1, name = "", waiting = false;
  const draw = () => {
    waiting = false;
    if (!figureElement.isConnected || figureElement.clientWidth === 0) return;
    if (!xs.length) return figureElement.replaceChildren(make("figcaption", {}, title), make("p", { class: "note" }, "not yet"));
    let [from, to] = extent(ys, 0.06);
    const least = Math.min(...ys), log = least > 0 && Math.max(...ys) / least > 20;
    if (log) from = least / 1.1;
    figureElement.replaceChildren(...picture(figureElement.clientWidth, {
      title, alt: `${title}: ${name} ${figure(ys.at(-1))} after ${xs.at(-1)} of ${most} ${unit}`, height: 220,
      x: { from: 0, to: Math.max(most, xs.at(-1), 1), label: unit },
      y: { from: log ? from : Math.max(from, Math.min(0, least)), to, log, label: name },
    }, (plot) => {
      plot.g.append(line(plot, xs, ys), svg("circle", { class: "here", cx: plot.x(xs.at(-1)), cy: plot.y(ys.at(-1)), r: 4 }));
    }));
  };
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  new ResizeObserver(redraw).observe(figureElement);
  return {
    figure: figureElement,
    empty: () => xs.length === 0,
    clear() {
      [xs, ys, most] = [[], [], 1];
      redraw();
    },
    add(x, y, total, metric) {
      if (!Number.isFinite(y) || x === xs.at(-1)) return;
      if (x < xs.at(-1)) [xs, ys] = [[], []]; // another training begins: only the last one is drawn
      xs.push(x);
      ys.push(y);
      if (xs.length > 800) [xs, ys] = [xs, ys].map((all) => all.filter((_, i) => i % 2 === 0 || i === all.length - 1));
      [most, name] = [total, metric ?? ""];
      redraw();
    },
  };
}
