
const cell = { width: 120, height: 40 };

// gradeCell draws the membership functions of a rule over a part, and the grade of the current value.
function gradeCell(member, part, terms) {
  const { grades, show, picture } = (part.places ? placedCell : curveCell)(member, part, terms), value = make("span", { class: "value" });
  const flat = Math.max(...grades) - Math.min(...grades) < 0.05;
  const element = make("div", { class: flat ? "flat cell" : "cell" },
    make("p", { title: part.name }, make("span", { class: "name" }, part.name.replaceAll("_", "_\u200b")), value), picture);
  return { element, update(ifPart) {
    const g = gradeOf(member, terms, (i) => ifPart[i]);
    value.textContent = g.toFixed(2);
    element.dataset.grade = g;
    element.classList.toggle("zero", g < 0.005);
    show(g, ifPart);
    return g;
  } };
}

// cellY is the height of a grade in a cell.
const cellY = (g) => cell.height - 2 - Math.min(1, Math.max(0, g)) * (cell.height - 6);

// curveCell draws one function as a curve, the area below the current grade, and the current value.
function curveCell(member, part, [{ input, params }]) {
  const seen = inputScale(member, input);
  const x = (u) => ((u - seen.from) / (seen.to - seen.from)) * cell.width;
  const points = Array.from({ length: 61 }, (_, i) => seen.from + ((seen.to - seen.from) * i) / 60);
  const grades = points.map((v) => member.shape.grade(seen.toRules(v), params));
  const curve = points.map((v, i) => `${x(v).toFixed(1)} ${cellY(grades[i]).toFixed(1)}`).join("L");
  const area = svg("rect", { class: "grade", x: 0, width: cell.width }), at = svg("line", { class: "now", y1: 0, y2: cell.height });
  const picture = svg("svg", { viewBox: `0 0 ${cell.width} ${cell.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    area, svg("path", { class: "line", d: `M${curve}`, fill: "none" }), at);
  return { grades, picture, show(g, ifPart) {
    const place = Math.min(cell.width, Math.max(0, x(seen.now(ifPart[input]))));
    area.setAttribute("y", cellY(g));
    area.setAttribute("height", cell.height - cellY(g));
    at.setAttribute("x1", place);
    at.setAttribute("x2", place);
  } };
}

// placedCell draws a bar for each place and marks that of the current value. It names all places if they fit, else the
// current one.
function placedCell(member, part, terms) {
  const { column, places } = part, axis = placeAxis(column, places), scale = cell.width / (axis.to - axis.from);
  const x = (u) => (u - axis.from) * scale, wide = 0.7 * axis.gap * scale;
  const grades = placeGrades(member, part, terms);
  const marks = places.map((p, k) => svg("rect", { class: "place", x: x(p.at) - wide / 2, width: wide, y: cellY(grades[k]), height: cell.height - cellY(grades[k]) },
    svg("title", {}, `${p.text}: ${grades[k].toFixed(2)}`)));
  const fits = places.every((p) => 7 * p.text.length < axis.gap * scale);
  const names = places.map((p) => {
    const name = make("span", {}, cutMiddle(p.text, 14)), at = (100 * x(p.at)) / cell.width;
    name.style.left = `${at}%`;
    name.style.transform = `translateX(-${fits ? 50 : at}%)`;
    return name;
  });
  const picture = make("div", { class: "places" },
    svg("svg", { viewBox: `0 0 ${cell.width} ${cell.height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...marks), make("p", {}, ...names));
  return { grades, picture, show() {
    const now = places.findIndex((p) => p.value === get(state.row, column));
    marks.forEach((b, k) => b.classList.toggle("now", k === now));
    names.forEach((n, k) => {
      n.classList.toggle("now", k === now);
      n.hidden = !fits && k !== now;
    });
  } };
}
