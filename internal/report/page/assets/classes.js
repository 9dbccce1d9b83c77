
// classErrors draws the receiver operating characteristics and the calibration of class probabilities.
function classErrors() {
  if (!classes) return;
  const { roc, calibration, of, histogram } = content.classes, unit = (label) => ({ from: 0, to: 1, label });
  byId("errors-lead").textContent = `How well the probabilities separate the classes, and whether they are calibrated, on ${content.data}.`;
  const series = (k) => ({ class: `line series-${k % 5}`, ...strokes[Math.floor(k / 5) % strokes.length] });
  const direct = roc.length <= 4;
  chart(byId("roc"), {
    title: "Receiver operating characteristic", alt: "True positive rate over false positive rate", height: 340,
    x: unit("false positive rate"), y: unit("true positive rate"),
    names: direct ? roc.map((c, k) => ({ text: `${cutMiddle(c.class, 14)}: ${figure(c.auc)}`, y: 1, class: `series-${k}` })) : [],
  }, (plot) => {
    plot.g.append(svg("line", { class: "start", x1: plot.x(0), y1: plot.y(0), x2: plot.x(1), y2: plot.y(1) }));
    roc.forEach((c, k) => {
      const path = line(plot, c.x, c.y, series(k));
      path.append(svg("title", {}, `${c.class}: AUC ${figure(c.auc)}`));
      plot.g.append(path);
    });
  });
  if (!direct) byId("classes-note").before(make("ul", { class: "note legend" }, ...roc.map((c, k) => make("li", {},
    svg("svg", { width: 26, height: 8, "aria-hidden": "true" }, svg("line", { ...series(k), x1: 1, x2: 25, y1: 4, y2: 4 })), ` ${c.class}: AUC ${figure(c.auc)}`))));
  const { rows } = content.rows, known = content.rows.values.map((row) => predict(row).values), chances = known.map((p) => (p.length === 2 ? p[1] : Math.max(...p)));
  const members = calibration.map(() => []), truth = (n) => outputs[content.rows.targets[0][n]].name, guess = (n) => outputs[mostProbable(known[n])].name;
  chances.forEach((p, n) => members[Math.max(0, calibration.findLastIndex((b) => p >= b.from - 1e-9))].push(rows[n]));
  linkConfusion((of, as) => rows.filter((_, n) => truth(n) === of && guess(n) === as));
  chart(byId("calibration"), {
    title: "Calibration", alt: "Observed shares over predicted probabilities", height: 340,
    x: unit(`predicted probability of ${of}`), y: unit("observed share"),
  }, (plot) => {
    if (histogram) {
      plot.g.append(bars(plot, histogram, 0.2));
      linkRows(plot, barMarks(barsOf(plot, histogram, 0.2), plot.bottom - 0.2 * (plot.bottom - plot.top), membersOf(histogram, chances).map((all) => all.map((n) => rows[n])), binText(histogram)));
    }
    linkRows(plot, calibration.map((b, i) => ({ x: plot.x(b.predicted), y: plot.y(b.observed), r: 4, rows: members[i], text: `predicted ${percent(b.predicted)}, observed ${percent(b.observed)}` })));
    plot.g.append(svg("line", { class: "start", x1: plot.x(0), y1: plot.y(0), x2: plot.x(1), y2: plot.y(1) }));
    plot.g.append(line(plot, calibration.map((b) => b.predicted), calibration.map((b) => b.observed)));
    for (const b of calibration) {
      const x = plot.x(b.predicted), clip = (v) => plot.y(Math.max(0, Math.min(1, v)));
      plot.g.append(svg("line", { class: "whisker", x1: x, x2: x, y1: clip(b.observed - b.se), y2: clip(b.observed + b.se) }),
        svg("circle", { class: "big dot", cx: x, cy: plot.y(b.observed), r: 4 },
          svg("title", {}, `${b.samples} rows: predicted ${percent(b.predicted)}, observed ${percent(b.observed)} ± ${percent(b.se)}`)));
    }
  });
  byId("classes-note").textContent = (roc.length < (outputs.length === 2 ? 1 : outputs.length) ? `The curves of ${roc.length} of ${outputs.length} classes are drawn. ` : "") +
    `${direct ? "Beside each curve is the area below it. " : ""}Whiskers are one standard error to either side; the bars at the bottom show where the probabilities are.`;
}

// linkConfusion links the cells of the confusion matrix with rows, which of returns for a true and a predicted class.
function linkConfusion(of) {
  const table = document.querySelector(".confusion"), names = [...table.tHead.querySelectorAll("th + th")].map((th) => th.textContent);
  linkMarks(table.parentElement, [...table.tBodies[0].rows].flatMap((row, y) => [...row.querySelectorAll("td")].map((cell, x) => (
    { x, y, cell, rows: of(names[y], names[x]), text: `${names[y]}, predicted as ${names[x]}` }))));
}
