
// Charts that show rows are linked: a mark of rows that is pointed at, by mouse, touch or keyboard, is drawn in all charts of its
// section. marksOf has the marks of each chart: a place with a radius, or a bar with a height, and the numbers of its rows in the table.
const marksOf = new WeakMap();

// linkRows says which rows the marks of a plot show, and lets readers point at them.
function linkRows(plot, marks) {
  const root = plot.g.ownerSVGElement;
  if (!marksOf.has(root)) fill(root, { tabindex: 0, class: "linked" }, []);
  marksOf.set(root, [...(marksOf.get(root) ?? []), ...marks]);
}

// barMarks returns the marks of a histogram, whose bars show some rows.
function barMarks(plot, { from, to, counts }, rows) {
  const width = (to - from) / counts.length, most = Math.max(1, ...counts);
  return counts.map((n, i) => {
    const height = ((plot.bottom - plot.top) * n) / most, x = plot.x(from + i * width);
    return { x, width: plot.x(from + (i + 1) * width) - x, y: plot.bottom - height, height, rows: rows[i], text: `from ${figure(from + i * width, 3)} to ${figure(from + (i + 1) * width, 3)}` };
  });
}

// nearestMark returns the mark at a point, or the nearest within some pixels; undefined if there is none.
function nearestMark(root, x, y, reach) {
  let best, least = reach * reach;
  for (const mark of marksOf.get(root)) {
    const bar = mark.width !== undefined, dx = bar ? Math.max(mark.x - x, 0, x - mark.x - mark.width) : mark.x - x, dy = bar ? 0 : mark.y - y;
    if (mark.rows.length && dx * dx + dy * dy <= least) {
      best = mark;
      least = dx * dx + dy * dy;
    }
  }
  return best;
}

// markRows draws some rows in all charts of a section, and says which they are; none ends it.
function markRows(section, rows, said = "") {
  const wanted = new Set(rows);
  for (const root of section.querySelectorAll("svg.linked")) {
    root.querySelector(".marked")?.remove();
    if (!wanted.size) continue;
    const marks = marksOf.get(root).flatMap((mark) => {
      const n = mark.rows.reduce((sum, row) => sum + wanted.has(row), 0), share = n / mark.rows.length;
      if (!n) return [];
      return mark.width === undefined ? [svg("circle", { cx: mark.x, cy: mark.y, r: (mark.r ?? 2.4) + 2 })]
        : [svg("rect", { x: mark.x, width: mark.width, y: mark.y + mark.height * (1 - share), height: mark.height * share })];
    });
    root.append(svg("g", { class: "marked", "aria-hidden": "true" }, ...marks));
  }
  const note = section.querySelector(".marked-rows");
  if (!note) return;
  note.dataset.hint ??= note.textContent;
  note.textContent = said || note.dataset.hint;
  note.classList.toggle("on", said !== "");
}

const rowsText = (rows) => (rows.length === 1 ? `Row ${rows[0]} of ${content.data}` : `${rows.length} rows of ${content.data}`);

// pointAt marks the rows of a mark of a chart; undefined ends it.
function pointAt(root, mark) {
  const now = mark ?? null;
  if (root.pointed === now || !root.isConnected) return;
  root.pointed = now;
  markRows(root.closest("section"), now?.rows ?? [], now ? `${rowsText(now.rows)}${now.text ? `: ${now.text}` : ""}` : "");
}

// linkCharts listens for pointers and keys on all charts.
function linkCharts() {
  const chartOf = (event) => event.target.closest?.("svg.linked");
  let last = null;
  const point = (event, reach) => {
    const root = chartOf(event);
    if (last && last !== root) pointAt(last, undefined);
    last = root;
    if (!root) return;
    const { left, top, width } = root.getBoundingClientRect(), scale = root.viewBox.baseVal.width / width;
    pointAt(root, nearestMark(root, (event.clientX - left) * scale, (event.clientY - top) * scale, reach * scale));
  };
  document.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(event, 8));
  document.addEventListener("pointerdown", (event) => point(event, event.pointerType === "mouse" ? 8 : 24));
  document.addEventListener("focusout", (event) => chartOf(event) && pointAt(chartOf(event), undefined));
  document.addEventListener("keydown", (event) => {
    const root = chartOf(event);
    if (!root) return;
    const all = marksOf.get(root).filter((mark) => mark.rows.length).toSorted((a, b) => a.x - b.x || a.y - b.y), at = all.indexOf(root.pointed);
    const to = { ArrowRight: at + 1, ArrowLeft: at < 0 ? all.length - 1 : at - 1, Home: 0, End: all.length - 1, PageDown: at + 10, PageUp: at - 10, Escape: NaN }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    last = root;
    pointAt(root, all[Math.min(Math.max(to, 0), all.length - 1)]);
  });
}
