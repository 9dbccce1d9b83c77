
// strokes are the dash patterns of curves, so that colour is not their only difference.
const strokes = [{}, { "stroke-dasharray": "6 3" }, { "stroke-dasharray": "2 3" }, { "stroke-dasharray": "9 3 2 3" }];

// legend draws the names of the curves above the plot, on the right.
function legend(plot, entries) {
  let right = plot.right;
  for (const { text, chosen } of entries.slice().reverse()) {
    const y = plot.top - 12;
    plot.g.append(svg("line", { class: chosen ? "line chosen" : "line", x1: right - 22, x2: right, y1: y, y2: y }),
      svg("text", { x: right - 28, y: y + 4, "text-anchor": "end" }, text));
    right -= 48 + 6.3 * text.length;
  }
}
