// leftOut says that n columns of a kind are not drawn; empty for none.
const leftOut = (n, kind) => (n ? ` ${n === 1 ? "One column" : `${n} columns`} ${kind} ${n === 1 ? "is" : "are"} not drawn.` : "");


// importance draws the permutation importance of the columns as bars.
function importance() {
  const { columns, rows } = content.importance, { name, unit } = content.figure;
  const shown = columns.slice(0, 30), high = 24, top = Math.max(...shown.map((c) => c.mean + c.sd), 1e-12);
  const longest = Math.max(...shown.map((c) => c.name.length));
  const host = byId("importance-chart");
  chart(host, {
    alt: "Bar chart of the importance of the columns", height: high * shown.length + 50,
    x: { from: Math.min(0, ...shown.map((c) => c.mean - c.sd)), to: top * 1.02, label: label(`rise of the ${name}`, unit) },
    y: { from: shown.length, to: 0, grid: false, ticks: shown.map((c, i) => ({ at: i + 0.5, text: shorten(c.name, host.clientWidth < 500 ? 16 : 30) })) },
  }, (plot) => shown.forEach((c, i) => {
    const y = plot.y(i + 0.5), x0 = plot.x(0), x1 = plot.x(c.mean);
    plot.g.append(svg("rect", { class: "mark", x: Math.min(x0, x1), width: Math.abs(x1 - x0), y: y - 7, height: 14 },
      svg("title", {}, `${c.name}: ${withUnit(c.mean, unit)} ± ${figure(c.sd, 2)}`)));
    plot.g.append(svg("line", { class: "whisker", x1: plot.x(c.mean - c.sd), x2: plot.x(c.mean + c.sd), y1: y, y2: y }));
  }));
  byId("importance-note").textContent = `Mean and standard deviation over five permutations of ${rows} rows of ${content.data}.` +
    leftOut(columns.length - shown.length, "of the least importance") +
    " Columns with the same information can replace one another: then each seems less important than both are together.";
}

// shorten truncates a long name.
const shorten = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
