
// Charts that show rows are linked: a mark of rows that is pointed at, by mouse, touch or keyboard, is drawn in all charts of its
// section. marksOf has the marks of each chart, or of a table: the numbers of their rows and a place, a bar with a height and the top of
// what belongs to it, or a cell; those that are still are not pointed at.
const marksOf = new WeakMap();

// linkMarks adds marks of a chart or of a table, and lets readers point at them.
function linkMarks(root, marks) {
  if (!marksOf.has(root)) {
    root.tabIndex = 0;
    root.classList.add("linked");
  }
  marksOf.set(root, [...(marksOf.get(root) ?? []), ...marks]);
}

// linkRows says which rows the marks of a plot show.
const linkRows = (plot, marks) => linkMarks(plot.g.ownerSVGElement, marks);

// barMarks returns the marks of bars, each with some rows; what lies above them belongs to them, too, from the top.
const barMarks = (bars, top, rows, text) => bars.map((bar, i) => ({ ...bar, top, rows: rows[i], text: text(i) }));

// binText says where a bin of a histogram is.
const binText = ({ from, to, counts }) => (i) => `from ${figure(from + (i * (to - from)) / counts.length, 3)} to ${figure(from + ((i + 1) * (to - from)) / counts.length, 3)}`;

// membersOf returns the indices of the values in each bin of a histogram; null is in none.
function membersOf({ from, to, counts }, values) {
  const members = counts.map(() => []);
  values.forEach((v, i) => v !== null && v >= from && v <= to && members[Math.min(counts.length - 1, Math.floor(((v - from) / (to - from)) * counts.length))].push(i));
  return members;
}

// linkColumn links the bars of a column at the bottom of a plot, as high as a share of it, with the rows of the sample.
function linkColumn(plot, column, axis, share) {
  const { rows } = content.rows, values = content.rows.values.map((row) => get(row, column)), places = placesOf(column), { histogram } = content.features[column.feature];
  if (places) {
    linkRows(plot, barMarks(placeBarsOf(plot, places, axis.gap, share), plot.top, places.map((p) => rows.filter((_, n) => values[n] === p.value)), (i) => `${column.name} ${places[i].text}`));
  } else if (histogram) {
    const within = binText(histogram);
    linkRows(plot, barMarks(barsOf(plot, histogram, share), plot.top, membersOf(histogram, values).map((of) => of.map((n) => rows[n])), (i) => `${column.name} ${within(i)}`));
    linkRows(plot, rows.map((row, n) => ({ x: plot.x(values[n]), y: plot.bottom, rows: [row], still: true })).filter((_, n) => values[n] !== null && values[n] >= axis.from && values[n] <= axis.to));
  }
}

// nearestMark returns the mark at a point, or the nearest within some pixels; undefined if there is none.
function nearestMark(root, x, y, reach) {
  let best, least = reach * reach;
  for (const mark of marksOf.get(root)) {
    const bar = mark.width !== undefined, dx = bar ? Math.max(mark.x - x, 0, x - mark.x - mark.width) : mark.x - x, dy = bar ? Math.max(mark.top - y, 0) : mark.y - y;
    if (mark.rows.length && !mark.still && dx * dx + dy * dy <= least) {
      best = mark;
      least = dx * dx + dy * dy;
    }
  }
  return best;
}

// drawnMark draws a mark, of a bar the share of its rows.
function drawnMark({ x, y, r, width, height }, share) {
  if (width === undefined) return svg("circle", { cx: x, cy: y, r: (r ?? 2.4) + 2 });
  const bar = (class_, high) => svg("rect", { class: class_, x, width, y: y + height - Math.max(high, 2), height: Math.max(high, 2) });
  return svg("g", {}, bar("part", height * share), bar("whole", height));
}

// markRows draws some rows in all charts of a section, and says which they are; none ends it.
function markRows(section, rows, said = "") {
  const wanted = new Set(rows);
  for (const root of section.querySelectorAll(".linked")) {
    root.querySelector("g.marked")?.remove();
    const marks = marksOf.get(root).flatMap((mark) => {
      const share = mark.rows.filter((row) => wanted.has(row)).length / mark.rows.length;
      mark.cell?.classList.toggle("pointed", share > 0);
      return share > 0 && !mark.cell ? [drawnMark(mark, share)] : [];
    });
    if (marks.length) root.append(svg("g", { class: "marked", "aria-hidden": "true" }, ...marks));
  }
  const note = section.querySelector(".marked-rows");
  if (!note) return;
  note.dataset.hint ??= note.textContent;
  note.textContent = said || note.dataset.hint;
  note.classList.toggle("on", said !== "");
}

// rowsText says how many of the rows that the marks show these are, or which one.
const rowsText = (rows, marks) => (rows.length === 1 ? `Row ${rows[0]} of ${content.data}` : `${rows.length} of ${new Set(marks.flatMap((mark) => mark.rows)).size} rows of ${content.data}`);

// pointAt marks the rows of a mark of a chart; undefined ends it.
function pointAt(root, mark) {
  const now = mark ?? null;
  if (root.pointed === now || !root.isConnected) return;
  root.pointed = now;
  markRows(root.closest("section"), now?.rows ?? [], now ? `${rowsText(now.rows, marksOf.get(root))}${now.text ? `: ${now.text}` : ""}` : "");
}

// linkCharts listens for pointers and keys on all charts.
function linkCharts() {
  const chartOf = (event) => event.target.closest?.(".linked");
  let last = null;
  const point = (event, reach) => {
    const root = chartOf(event);
    if (last && last !== root) pointAt(last, undefined);
    last = root;
    if (!root) return;
    if (!root.viewBox) return void pointAt(root, marksOf.get(root).find((mark) => mark.cell.contains(event.target) && mark.rows.length));
    const { left, top, width } = root.getBoundingClientRect(), scale = root.viewBox.baseVal.width / width;
    pointAt(root, nearestMark(root, (event.clientX - left) * scale, (event.clientY - top) * scale, reach * scale));
  };
  document.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event, 8));
  document.addEventListener("pointerdown", (event) => point(event, event.pointerType === "mouse" ? 8 : 24));
  document.addEventListener("focusout", (event) => chartOf(event) && pointAt(chartOf(event), undefined));
  document.addEventListener("keydown", (event) => {
    const root = chartOf(event);
    if (!root) return;
    const all = marksOf.get(root).filter((mark) => mark.rows.length && !mark.still).toSorted((a, b) => a.x - b.x || a.y - b.y), at = all.indexOf(root.pointed);
    const to = { ArrowRight: at + 1, ArrowLeft: at < 0 ? all.length - 1 : at - 1, Home: 0, End: all.length - 1, PageDown: at + 10, PageUp: at - 10, Escape: NaN }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    last = root;
    pointAt(root, all[Math.min(Math.max(to, 0), all.length - 1)]);
    root.pointed?.cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
