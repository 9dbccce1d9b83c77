
// learningCurves draws the error over the updates.
function learningCurves() {
  const host = byId("learning"), { learning } = content;
  if (!learning) {
    host.replaceWith(make("p", { class: "note" }, host.dataset.none));
    return;
  }
  const validation = learning.flatMap((c) => c.validation ?? []).filter((v) => v !== null);
  const all = [...learning.flatMap((c) => c.batch), ...validation].filter((v) => v > 0);
  let [from, to] = extent(all, 0.03);
  const log = to / Math.max(from, 1e-300) > 20 && Math.min(...all) > 0;
  if (log) [from, to] = [Math.min(...all) / 1.05, to];
  const metric = learning[0].metric ?? "RMSE";
  const long = Math.max(...learning.map((c) => c.updates.at(-1)));
  const names = [{ text: "mini-batch", y: learning.at(-1).batch.at(-1) }, ...(validation.length ? [{ text: "validation", y: validation.at(-1), class: "chosen" }] : [])];
  chart(host, {
    title: learning.length > 1 ? `Learning curves of ${learning.length} members` : "Learning curve", names, alt: `${metric} over the updates of training`, height: 280,
    x: { from: 0, to: long, label: "updates" },
    y: { from: log ? from : Math.min(from, 0) || 0, to, log, label: metric === content.figure.name ? label(metric, content.figure.unit) : metric },
  }, (plot) => {
    learning.forEach((c, k) => {
      plot.g.append(line(plot, c.updates, c.batch, { class: "line", ...strokes[k % strokes.length], "stroke-opacity": learning.length > 1 ? 0.6 : 0.75 }));
      if (c.validation) {
        const known = c.updates.map((_, i) => i).filter((i) => c.validation[i] !== null);
        plot.g.append(line(plot, known.map((i) => c.updates[i]), known.map((i) => c.validation[i]), { class: "line chosen" }));
      }
    });
  });
}

// pruningPath draws the error and the fidelity over the number of rules.
function pruningPath() {
  const host = byId("path"), { path } = content;
  if (!host || !path) return;
  const rules = path.map((p) => p.rules), last = path.map((p) => p.validation ?? p.train);
  const values = path.flatMap((p) => [p.train, ...(p.validation === null ? [] : [p.validation + p.error, p.validation - p.error])]);
  const [from, to] = extent(values, 0.05), validated = path[0].validation !== null;
  chart(host, {
    alt: `${content.figure.name} over the number of rules`, height: 260,
    names: [{ text: "training", y: path[0].train }, ...(validated ? [{ text: "validation ± 1 SE", y: last[0], class: "chosen" }] : [])],
    x: { from: 0, to: Math.max(...rules) + 1, label: "rules" }, y: { from, to, label: label(content.figure.name, content.figure.unit) },
  }, (plot) => {
    if (validated) {
      for (const p of path) plot.g.append(svg("line", { class: "whisker", x1: plot.x(p.rules), x2: plot.x(p.rules), y1: plot.y(p.validation - p.error), y2: plot.y(p.validation + p.error) }));
      plot.g.append(line(plot, rules, last, { class: "line chosen" }));
    }
    plot.g.append(line(plot, rules, path.map((p) => p.train)));
    path.forEach((p, i) => p.chosen && plot.g.append(svg("circle", { class: "here", cx: plot.x(p.rules), cy: plot.y(last[i]), r: 6 })));
  });
  pathFidelity(path, rules);
}

// pathFidelity draws the fidelity of the steps that have one, with a line at the limit below
// which rules can be read one by one.
function pathFidelity(path, rules) {
  const host = byId("path-fidelity"), known = path.map((p) => p.fidelity), limit = content.maxFidelity;
  if (known.every((f) => f === null)) {
    host.remove();
    return;
  }
  const [from, to] = extent([1, limit, ...known.filter((f) => f !== null)], 0.05);
  chart(host, {
    alt: "Fidelity over the number of rules", height: 180,
    x: { from: 0, to: Math.max(...rules) + 1, label: "rules" }, y: { from, to, label: "fidelity (strongest rule alone)" },
  }, (plot) => {
    plot.g.append(line(plot, [0, Math.max(...rules) + 1], [limit, limit], { class: "line", ...strokes[2] }), line(plot, rules, known));
    path.forEach((p) => p.chosen && p.fidelity !== null && plot.g.append(svg("circle", { class: "here", cx: plot.x(p.rules), cy: plot.y(p.fidelity), r: 6 })));
  });
}

// pageSizes draws what pages of other sizes err.
function pageSizes() {
  const host = byId("sizes"), { tried } = content;
  if (!host) return;
  if (!tried?.sizes) return host.remove();
  sizeCurve(host, tried, `${tried.measure} in cross-validation${content.target.unit ? ` [${content.target.unit}]` : ""}`);
  host.after(make("p", { class: "note" }, "A smaller or larger page: ", make("code", {}, "tskgraph prune --page N --model RUN"), "."));
}
