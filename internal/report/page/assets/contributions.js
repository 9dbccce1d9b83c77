
const mostContributions = 15;

// explained returns the contributions to the output that is shown; of two classes there are only those to the odds of the second.
const explained = () => content.contributions[Math.min(state.output, content.contributions.length - 1)];

// contributionsOf returns the columns and their contributions to the prediction of the current
// row; null if the row is neither a row of the data nor that of typical values.
function contributionsOf() {
  const { columns, rows, typical } = explained();
  const at = state.sample, values = at < 0 ? typical : rows[at], from = at < 0 ? typicalRow() : content.rows.values[at];
  if (!values || from.some((v, i) => v !== state.row[i])) return null;
  return columns.map((c, i) => ({ column: content.columns[c], value: values[i] }));
}

// valueText formats the value of a column in a row.
function valueText(column, row) {
  const v = get(row, column);
  if (v === null || column.levels) return v ?? "missing";
  return `${cellText(v)}${column.unit ? ` ${column.unit}` : ""}`;
}

// rowContributions draws the way from the mean prediction of the background to that of the
// current row, column by column.
function rowContributions(host) {
  const { rows } = explained();
  const picture = make("figure", {}), note = make("p", { class: "note" });
  const where = rows.includes(null) ? "some rows" : "rows";
  let steps = stepsOf(contributionsOf());
  const spec = { alt: "Contributions of the columns to the prediction", height: 24 * steps.length + 50, x: {}, y: { from: steps.length, to: 0, grid: false } };
  const update = () => {
    const { mean, unit, label: name } = explained();
    spec.x.label = label(additive ? `predicted ${name}` : name, unit);
    [spec.x.from, spec.x.to] = extent([mean, ...steps.map((s) => s.to)], 0.08);
    spec.y.ticks = steps.map((s, i) => ({ at: i + 0.5, text: shorten(s.text, host.clientWidth < 500 ? 20 : 40) }));
    spec.title = `From the mean ${withUnit(mean, unit)} to ${withUnit(steps.at(-1)?.to ?? mean, unit)}, by column`;
  };
  update();
  host.append(picture, note);
  const redraw = chart(picture, spec, (plot) => waterfall(plot, steps));
  onRow(() => {
    const all = contributionsOf();
    picture.hidden = !all;
    note.textContent = all ? "" : `The contributions of the columns were computed for typical values and for ${where} of ${content.data}, unchanged: choose one above.`;
    if (!all) return;
    steps = stepsOf(all);
    update();
    redraw();
  });
}

// stepsOf returns the contributions, the largest first, as steps from the mean prediction of the
// background.
function stepsOf(all) {
  const sorted = all.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const steps = sorted.slice(0, mostContributions).map(({ column, value }) => ({ text: `${column.name} ${valueText(column, state.row)}`, value }));
  const others = sorted.slice(mostContributions);
  if (others.length) steps.push({ text: `${others.length} other columns`, value: others.reduce((s, o) => s + o.value, 0) });
  let at = explained().mean;
  for (const s of steps) {
    s.from = at;
    s.to = at += s.value;
  }
  return steps;
}

// signed formats a change.
const signed = (v) => (v < 0 ? "" : "+") + figure(v, 3);

// waterfall draws steps from their start to their end, one below the other.
function waterfall(plot, steps) {
  const start = plot.x(explained().mean), half = 7;
  plot.g.append(svg("line", { class: "start", x1: start, x2: start, y1: plot.top, y2: plot.bottom }));
  steps.forEach((s, i) => {
    const x0 = plot.x(s.from), x1 = plot.x(s.to), y = plot.y(i + 0.5), change = signed(s.value), down = s.value < 0, wide = 6.5 * change.length + 5;
    const beside = down ? x1 - wide > plot.left : x1 + wide < plot.right; // the end of the step, else its start
    const within = !beside && Math.abs(x1 - x0) > wide && (down ? x0 + wide > plot.right : x0 - wide < plot.left);
    const [at, anchor] = within ? [(x0 + x1) / 2, "middle"] : down === beside ? [(beside ? x1 : x0) - 5, "end"] : [(beside ? x1 : x0) + 5, "start"];
    plot.g.append(
      svg("rect", { class: down ? "step down" : "step", x: Math.min(x0, x1), width: Math.max(Math.abs(x1 - x0), 0.7), y: y - half, height: 2 * half, "data-value": s.value },
        svg("title", {}, `${s.text}: ${change}`)),
      svg("text", { class: within ? "within" : "", x: at, y: y + 4, "text-anchor": anchor }, change));
    if (i + 1 < steps.length) plot.g.append(svg("line", { class: "start", x1, x2: x1, y1: y + half, y2: plot.y(i + 1.5) - half }));
  });
}

// contributions draws the mean absolute contributions as bars, and all contributions as a swarm.
function* contributions() {
  const { columns, rows, background, source, errors, mean: start, unit, label: name } = explained();
  const known = rows.map((values, n) => ({ values, n })).filter(({ values }) => values);
  const shown = columns.slice(0, mostContributions).map((c, i) => ({
    column: content.columns[c], values: known.map(({ values }) => values[i]),
    mean: known.reduce((s, { values }) => s + Math.abs(values[i]) / known.length, 0), error: errors?.[i],
  }));
  contributionBars(renewed("contribution-bars"), shown);
  yield;
  contributionSwarm(renewed("contribution-swarm"), shown, known.map(({ n }) => n));
  byId("contributions-of").textContent = additive && outputs.length === 1 ? "the prediction" : `the ${name}`;
  byId("contributions-note").textContent = `${known.length} rows of ${content.data}, against ${background} rows of ${source} as the background: ${additive && outputs.length === 1 ? "the prediction is their mean prediction" : `the ${name} is their mean`}, ` +
    `${withUnit(start, unit)}, plus the contributions of all columns. Dots are blue for low and orange for high values of the column, grey for categories.` +
    (errors ? ` With so many columns they are estimates; the largest mean standard error is ${withUnit(Math.max(...errors), unit)}.` : "") +
    leftOut(columns.length - shown.length, "with the least contributions");
}

const contributionAxis = (host, shown) => ({ from: shown.length, to: 0, grid: false, ticks: shown.map(({ column }, i) => ({ at: i + 0.5, text: shorten(column.name, host.clientWidth < 500 ? 16 : 24) })) });

const contributionHeight = 34;

function contributionBars(host, shown) {
  const { unit } = explained();
  chart(host, {
    title: "Mean absolute contribution", alt: "Bar chart of the mean absolute contributions of the columns", height: contributionHeight * shown.length + 50,
    x: { from: 0, to: Math.max(...shown.map((c) => c.mean), 1e-12) * 1.02, label: label("contribution", unit) }, y: contributionAxis(host, shown),
  }, (plot) => shown.forEach((c, i) => plot.g.append(
    svg("rect", { class: "mark", x: plot.left, width: plot.x(c.mean) - plot.left, y: plot.y(i + 0.5) - 8, height: 16 },
      svg("title", {}, `${c.column.name}: ${withUnit(c.mean, unit)}${c.error === undefined ? "" : ` ± ${figure(c.error, 2)}`}`)))));
}

// contributionSwarm draws a dot for each row and column, moved off the line of the column where
// dots would overlap. Numbers and ordered levels are coloured by their rank among the rows.
function contributionSwarm(host, shown, rows) {
  const { unit } = explained(), [from, to] = extent([0, ...shown.flatMap((c) => c.values)], 0.04);
  chart(host, {
    title: "Contributions of each row", alt: "Swarm plot of the contributions of the columns to the predictions of the rows", height: contributionHeight * shown.length + 50,
    x: { from, to, label: label("contribution", unit) }, y: contributionAxis(host, shown),
  }, (plot) => {
    plot.g.append(svg("line", { class: "start", x1: plot.x(0), x2: plot.x(0), y1: plot.top, y2: plot.bottom }));
    shown.forEach(({ column, values }, i) => {
      const xs = values.map((v) => plot.x(v)), offsets = swarm(xs, 4.2, contributionHeight / 2 - 3), shares = ranksOf(column, rows);
      linkRows(plot, values.map((v, k) => ({
        x: xs[k], y: plot.y(i + 0.5) + offsets[k], rows: [content.rows.rows[rows[k]]], text: `${column.name} ${valueText(column, content.rows.values[rows[k]])}, ${signed(v)}`,
      })));
      values.forEach((v, k) => {
        const row = rows[k], dot = svg("circle", { class: shares ? "swarm" : "swarm level", cx: xs[k].toFixed(1), cy: (plot.y(i + 0.5) + offsets[k]).toFixed(1), r: 2.4, "data-row": row },
          svg("title", {}, `row ${content.rows.rows[row]}, ${column.name} ${valueText(column, content.rows.values[row])}: ${signed(v)}`));
        if (shares && shares[k] !== null) dot.style.setProperty("--share", `${(100 * shares[k]).toFixed(0)}%`);
        plot.g.append(dot);
      });
    });
  });
}

// swarm returns offsets of dots at xs so that neighbours do not overlap, at most the given one.
function swarm(xs, size, most) {
  const taken = new Map(), offsets = [];
  for (const x of xs) {
    const bin = Math.round(x / size), n = taken.get(bin) ?? 0;
    taken.set(bin, n + 1);
    offsets.push((n % 2 ? 1 : -1) * Math.ceil(n / 2));
  }
  const highest = Math.max(1, ...offsets.map(Math.abs)), step = Math.min(size, most / highest);
  return offsets.map((n) => n * step);
}

// ranksOf returns the ranks of a column's values among the rows, from 0 to 1; null for a missing
// value, and for a column of unordered categories.
function ranksOf(column, rows) {
  if (column.onehot) return null;
  const values = rows.map((n) => content.rows.values[n][column.feature]), sorted = values.filter((v) => v !== null).sort((a, b) => a - b);
  const rank = (v) => (sorted.indexOf(v) + sorted.lastIndexOf(v)) / 2 / Math.max(1, sorted.length - 1);
  return values.map((v) => (v === null ? null : rank(v)));
}
