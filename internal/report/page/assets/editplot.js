
// dragged is the gesture of the drag or the run of keys that is under way: its edits are undone together.
const dragged = { count: 0, at: 0 };

// gestureOf returns a name for edits of the same kind that follow each other within a second.
function gestureOf(what) {
  if (Date.now() - dragged.at > 1000) dragged.count++;
  dragged.at = Date.now();
  return `${what} ${dragged.count}`;
}

// moveTo moves a handle of a term to a position in the unit of the column.
function moveTo(term, handle, v, gesture) {
  const p = valuesOf(term), ranges = { position: term.span, spread: term.span / 10 };
  const moved = handle.to(p, tidy(term.ofAxis(v), term.span));
  const rounded = handle.whole ? moved : moved.map((value, j) => (value === p[j] ? value : tidy(value, ranges[editing.params[j].kind] ?? Math.abs(value))));
  commit(admitted(term, rounded).flatMap((value, j) => (value === p[j] ? [] : [[`if ${term.index} ${j}`, value]])), gesture);
}

// termPlot draws the membership function of a term over the distribution of the data, with handles to move it. It returns
// an element, and a function that updates it.
function termPlot(term, part) {
  const host = make("div", { class: "edit-plot" }), layer = svg("g", {}), curve = svg("path", { class: "line", fill: "none" });
  const { axis, background } = axisOf(term, part), xs = Array.from({ length: 121 }, (_, i) => axis.from + ((axis.to - axis.from) * i) / 120);
  const handles = handlesOf(term).map((handle) => handleElement(term, handle, part, axis));
  layer.append(curve, ...handles.map((h) => h.element));
  let plot = null;
  const path = (p) => {
    const grade = gradesFor(term, p);
    return line(plot, xs, xs.map((v) => grade(term.ofAxis(v)))).getAttribute("d");
  };
  const update = () => {
    if (!plot) return;
    const p = valuesOf(term);
    curve.setAttribute("d", path(p));
    for (const h of handles) h.update(plot, p);
  };
  chart(host, { role: "group", alt: `Membership function over ${part.name}`, height: 150, x: axis, y: { from: 0, to: 1.12, ticks: [0, 0.5, 1].map((at) => ({ at, text: String(at) })) } }, (now) => {
    plot = now;
    if (background) plot.g.append(background(plot));
    plot.g.append(svg("path", { class: "before", fill: "none", d: path(valuesBefore(term)) }), layer);
    update();
  });
  drags(host, term, handles, () => plot, axis);
  return { element: host, update };
}

// axisOf returns the axis of a term's column, somewhat wider than that of its other charts, and the distribution of the data.
function axisOf(term, part) {
  if (part.places) {
    const axis = placeAxis(part.column, part.places);
    return { axis, background: (plot) => placeBars(plot, part.places, axis.gap, 0.9) };
  }
  const { from, to } = spanOf(content.features[edited.inputs[term.input].feature]), margin = (to - from) * 0.04;
  return { axis: { from: from - margin, to: to + margin }, background: part.histogram && ((plot) => bars(plot, part.histogram, 0.9)) };
}

// placeOf returns where a handle is on the axis, in the unit of the column: at an end if it is beyond it or open.
function placeOf(term, handle, p, axis) {
  const x = handle.at(p), v = x === null || handle.open?.(p) ? null : term.axis(x);
  const end = v !== null && v !== undefined ? v : handle.name.includes("lower") || x < 0 ? -Infinity : Infinity;
  return { v, shown: Math.min(axis.to, Math.max(axis.from, end)), beyond: !(end >= axis.from && end <= axis.to) };
}

// handleElement returns the element of a handle: a slider for the keyboard and for screen readers.
function handleElement(term, handle, part, axis) {
  const stem = svg("line", { class: "stem" }), dot = handle.whole ? svg("rect", { width: 26, height: 9, rx: 4.5 }) : svg("circle", { r: 6.5 });
  const unit = part.column.unit, element = svg("g", {
    class: "handle", role: "slider", tabindex: 0, "aria-label": `${part.name}: ${handle.name}`, "aria-valuemin": axis.from, "aria-valuemax": axis.to,
    onkeydown: (event) => {
      const v = keyed(event, placeOf(term, handle, valuesOf(term), axis).shown, axis);
      if (v === null) return;
      event.preventDefault();
      moveTo(term, handle, v, gestureOf(`keys ${term.index} ${handle.name}`));
    },
  }, stem, dot, svg("title", {}, handle.name));
  return { element, handle, update(plot, p) {
    const { v, shown, beyond } = placeOf(term, handle, p, axis), x = plot.x(shown), y = plot.y(handle.whole ? 1.06 : Math.min(1, Math.max(0, gradeAt(term, p, term.ofAxis(shown)))));
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: y, y2: plot.bottom })) stem.setAttribute(name, value);
    for (const [name, value] of Object.entries(handle.whole ? { x: x - 13, y: y - 4.5 } : { cx: x, cy: y })) dot.setAttribute(name, value);
    element.classList.toggle("beyond", beyond);
    element.setAttribute("aria-valuenow", Number(shown.toPrecision(6)));
    element.setAttribute("aria-valuetext", v === null ? "open" : withUnit(v, unit));
    element.place = { x, y };
  } };
}

// keyed returns the position that a key moves a slider to; null for any other key.
function keyed(event, v, { from, to }) {
  const step = niceStep((to - from) / 100) * (event.shiftKey ? 10 : 1);
  switch (event.key) {
    case "ArrowRight": case "ArrowUp": return v + step;
    case "ArrowLeft": case "ArrowDown": return v - step;
    case "PageUp": return v + 10 * step;
    case "PageDown": return v - 10 * step;
    case "Home": return from;
    case "End": return to;
  }
  return null;
}

// reach is the distance in pixels within which a pointer takes a handle.
const reach = 26;

// drags lets a pointer move the handle nearest to it.
function drags(host, term, handles, plotted, axis) {
  host.addEventListener("pointerdown", (event) => {
    const plot = plotted(), box = host.querySelector("svg").getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    const far = ({ element: { place } }) => Math.hypot(at.x - place.x, 0.5 * (at.y - place.y));
    const nearest = handles.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (!event.isPrimary || event.button !== 0 || Math.abs(at.x - nearest.element.place.x) > reach) return;
    event.preventDefault();
    const grip = at.x - nearest.element.place.x, gesture = `drag ${++dragged.count}`;
    const width = plot.right - plot.left, value = (x) => axis.from + ((x - plot.left) / width) * (axis.to - axis.from);
    const move = (e) => moveTo(term, nearest.handle, Math.min(axis.to, Math.max(axis.from, value(e.clientX - box.left - grip))), gesture);
    const end = () => {
      nearest.element.classList.remove("held");
      host.removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) host.removeEventListener(name, end);
    };
    nearest.element.classList.add("held");
    nearest.element.focus({ preventScroll: true });
    host.setPointerCapture(event.pointerId);
    host.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) host.addEventListener(name, end);
  });
}
