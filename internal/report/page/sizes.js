
// leastPage is the least number of numbers that a page can be trained for.
const leastPage = 10;

// sizeCurve draws what pages err in cross-validation over their numbers, with standard errors and a ring around the page shown: tried has
// its numbers and the sizes, and name labels the error. Sizes below leastPage are left out, unless the page shown is as small. A click on
// a point calls choose, if it is given, with the numbers there.
function sizeCurve(host, { numbers, sizes: all }, name, choose) {
  const sizes = all.filter((s) => s.numbers >= Math.min(numbers, leastPage));
  if (!sizes.length) return;
  const [from, to] = extent(sizes.flatMap((s) => [s.rmse - s.se, s.rmse + s.se]), 0.05), last = sizes.at(-1).numbers;
  const said = (s) => `${s.numbers} numbers, ${s.rules} ${s.rules === 1 ? "rule" : "rules"}: ${figure(s.rmse)} ± ${figure(s.se, 2)}`;
  chart(host, {
    alt: `Error in cross-validation over the numbers on the page, from ${said(sizes[0])} to ${said(sizes.at(-1))}`, height: 260,
    x: { from: 0, to: last + 2, label: "numbers on the page" }, y: { from, to, label: name },
  }, (plot) => {
    for (const s of sizes) plot.g.append(svg("line", { class: "whisker", x1: plot.x(s.numbers), x2: plot.x(s.numbers), y1: plot.y(s.rmse - s.se), y2: plot.y(s.rmse + s.se) }));
    plot.g.append(line(plot, sizes.map((s) => s.numbers), sizes.map((s) => s.rmse)));
    for (const s of sizes) {
      const at = { cx: plot.x(s.numbers), cy: plot.y(s.rmse) };
      if (s.numbers === numbers) plot.g.append(svg("circle", { class: "here", ...at, r: 7 }));
      plot.g.append(svg("circle", { class: choose ? "size choice" : "size", ...at, r: 4, onclick: choose && (() => choose(s.numbers)) }, svg("title", {}, said(s))));
    }
  });
}
