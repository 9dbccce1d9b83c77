
// drawn has the pictures of columns beside a target: by name, {asked, picture}; meant is the target or class that was chosen for their means.
let drawn = { of: "", meant: undefined, known: new Map(), facts: null };

// asRead returns how the cells of a column are read for a picture.
function asRead(c) {
  const levels = c.type === "unused" || c.use !== "input" ? c.kind !== "number" : c.type !== "number";
  const dates = c.kind === "date" && c.use !== "input";
  return { name: c.name, levels: levels && !dates, dates, na: c.na ?? [] };
}

// hasPicture says whether a column has few enough values for a picture of them.
const hasPicture = (c) => c.distinct > 0 && (!asRead(c).levels || c.distinct <= 50 || c.type === "ranked");

// drawColumns asks for the pictures of columns that are not known, with the means of the target or class that is meant, and calls shown when
// there are new ones.
async function drawColumns(look, columns, shown, meant = drawn.meant) {
  const of = JSON.stringify([look.table, look.targets, look.task]), levels = look.task === "classification";
  if (of !== drawn.of) drawn = { of, meant: undefined, known: new Map(), facts: null };
  else if (meant !== drawn.meant) drawn = { of, meant, known: new Map(), facts: null };
  const { known } = drawn, at = look.columns.find((c) => c.name === ((!levels && drawn.meant) || look.targets[0])), target = { ...asRead(at), levels };
  const asked = columns.filter(hasPicture).map((c) => (c === at ? target : asRead(c))).filter((r) => known.get(r.name)?.asked !== JSON.stringify(r));
  if (!asked.length) return shown();
  for (const r of asked) known.set(r.name, { asked: JSON.stringify(r) });
  let answer;
  try {
    answer = await app.call("pictures", { table: look.table, target, class: levels ? drawn.meant : undefined, columns: asked });
  } catch (fault) {
    for (const r of asked) known.delete(r.name);
    return showFault(fault);
  }
  if (known !== drawn.known) return undefined;
  const { columns: pictures, ...facts } = answer;
  drawn.facts = facts;
  for (const picture of pictures) known.get(picture.name).picture = picture;
  return shown();
}

// binsOf returns all bins of a picture, with what is in them in words.
function binsOf({ bins, from, width, period, others, missing }) {
  const named = bins.map((b, i) => ({ ...b, name: b.level ?? (period ? `${period} from ${b.from}` : width === 1 && Number.isInteger(from + 0.5) ? brief(from + i + 0.5) : `${brief(from + i * width)} to ${brief(from + (i + 1) * width)}`) }));
  return [...named, ...(others ? [{ ...others, name: "all others", rest: true }] : []), ...(missing ? [{ ...missing, name: period ? "no date" : "missing", rest: true }] : [])];
}

// leastShown is the share of the rows of bins whose means decide the range that all pictures share.
const leastShown = 0.02;

// meansRange returns the ends of the axis of means in all pictures that are known, and the least and the greatest mean; null if there are none.
function meansRange() {
  const all = [...drawn.known.values()].flatMap(({ picture }) => (picture ? binsOf(picture) : [])).filter((b) => b.mean !== undefined && b.rows >= leastShown * drawn.facts.drawn).map((b) => b.mean);
  return all.length ? [...extent(all, 0.1), ...extent(all)] : null;
}

// meanOf says what the means of the pictures are of.
const meanOf = ({ targets }) => (drawn.facts?.class ? `share of ${shortened(drawn.facts.class, 40)}` : `mean ${shortened(drawn.meant ?? targets[0], 40)}`);

// meanChoice chooses the target or the class that the means are of, if there are several; chosen gets its name.
function meanChoice(host, { targets }, chosen) {
  const { class: one, classes } = drawn.facts ?? {}, all = one ? classes : targets, of = JSON.stringify([all, drawn.meant]);
  if (host.dataset.of === of) return;
  host.dataset.of = of;
  host.hidden = all.length < (one ? 3 : 2);
  host.replaceChildren(...(host.hidden ? [] : [choice(one ? "Show the share of" : "Show the mean of", all, all.indexOf(drawn.meant ?? one ?? all[0]), (i) => chosen(all[i]))]));
}

// shownMean returns a mean of the pictures as a text: a share in percent.
const shownMean = (v) => (drawn.facts?.class ? percent(v) : brief(v));

// shortened returns the beginning of a text.
const shortened = (text, long) => ([...text].length > long ? `${[...text].slice(0, long - 1).join("")}…` : text);

// inBin says what is in a bin.
const inBin = (b, of) => `${b.name}: ${counted(b.rows, "row")}${b.mean === undefined ? "" : `, ${of} ${shownMean(b.mean)} (${shownMean(b.low)} to ${shownMean(b.high)})`}`;

// pictureOf returns the picture of a column: bars of its rows, and above them the means of the target with their bands.
function pictureOf(picture, look, range) {
  const bins = binsOf(picture).filter((b) => b.rows > 0 || b.level === undefined), of = meanOf(look);
  const met = bins.filter((b) => b.mean !== undefined).sort((a, b) => a.mean - b.mean), most = bins.reduce((a, b) => (b.rows > a.rows ? b : a), bins[0]);
  const beyond = [picture.below && `${counted(picture.below, "row")} below`, picture.above && `${counted(picture.above, "row")} above`].filter(Boolean);
  const alt = [`${picture.name}: most rows at ${most.name}`, ...beyond, met.length > 1 && `${of} from ${shownMean(met[0].mean)} at ${met[0].name} to ${shownMean(met.at(-1).mean)} at ${met.at(-1).name}`].filter(Boolean).join("; ");
  return (bins[0].level === undefined ? histogramOf : levelsOf)(bins, { picture, of, range: met.length ? range : null, alt, most: most.rows });
}

// whisker draws a mean and its band.
function whisker(b, at, place, along) {
  const [x, y] = along ? [(v) => place(v), () => at] : [() => at, (v) => place(v)];
  return [svg("line", { class: "band", x1: x(b.low), x2: x(b.high), y1: y(b.low), y2: y(b.high) }), svg("circle", { class: "size", cx: x(b.mean), cy: y(b.mean), r: 2.2 })];
}

// histogramOf draws bins of numbers side by side.
function histogramOf(bins, { picture, of, range, alt, most }) {
  const width = 230, wide = 38, top = range ? 48 : 4, bottom = top + 34, { period } = picture, rests = bins.filter((b) => b.rest), inner = width - (wide + 8) * rests.length, each = inner / (bins.length - rests.length);
  const root = svg("svg", { viewBox: `0 0 ${width} ${bottom + (period ? 27 : 14)}`, role: "img", "aria-label": alt });
  const means = svg("svg", { class: "means", width, height: top - 2 }), py = range && ((v) => ((range[1] - v) / (range[1] - range[0])) * (top - 2)), x = (i) => (bins[i].rest ? inner + 8 + (wide + 8) * rests.indexOf(bins[i]) : i * each);
  const at = (v) => ((v - picture.from) / picture.width) * each;
  bins.forEach((b, i) => {
    const across = b.rest ? wide : Math.max(each - 0.5, 0.5), height = Math.max((30 * b.rows) / most, b.rows ? 0.7 : 0);
    root.append(svg("rect", { class: b.rest ? "rows rest" : "rows", x: x(i), y: bottom - height, width: across, height }),
      svg("rect", { class: "hit", x: x(i), y: 0, width: across, height: bottom }, svg("title", {}, inBin(b, of))));
    if (b.rest) root.append(svg("text", { x: x(i) + wide / 2, y: bottom + 11, "text-anchor": "middle" }, b.name));
    if (py && b.rest && b.mean !== undefined) means.append(...whisker(b, x(i) + wide / 2, py));
  });
  const way = (points) => points.map(([a, b], i) => `${i ? "L" : "M"}${a.toFixed(1)} ${b.toFixed(1)}`).join(""), runs = []; // of neighbours with means
  bins.forEach((b, i) => {
    if (b.rest || b.mean === undefined) return;
    if (bins[i - 1]?.mean === undefined) runs.push([]);
    runs.at(-1).push({ ...b, at: x(i) + each / 2 });
  });
  for (const run of py ? runs : []) {
    if (run.length > 2) means.append(svg("path", { class: "area", d: `${way([...run.map((b) => [b.at, py(b.high)]), ...run.toReversed().map((b) => [b.at, py(b.low)])])}Z` }), svg("path", { class: "line", fill: "none", d: way(run.map((b) => [b.at, py(b.mean)])) }));
    else means.append(...run.flatMap((b) => whisker(b, b.at, py)));
  }
  const [low, high] = period ? [bins[0].from, bins.findLast((b) => !b.rest).from] : [brief(picture.low), brief(picture.high)];
  root.append(means, svg("line", { class: "base", x1: 0, x2: inner, y1: bottom, y2: bottom }),
    svg("text", { x: Math.min(at(picture.low), inner / 4), y: bottom + 11 }, `${picture.below ? `(◂ ${grouped(picture.below)}) ` : ""}${low}`),
    svg("text", { x: Math.max(at(picture.high), 0.75 * inner), y: bottom + 11, "text-anchor": "end" }, `${high}${picture.above ? ` (${grouped(picture.above)} ▸)` : ""}`),
    ...(period ? [svg("text", { x: 0, y: bottom + 24 }, `a bar per ${period}`)] : []));
  return root;
}

// levelsOf draws a bar for each level, one below the other.
function levelsOf(bins, { of, range, alt, most }) {
  const width = 230, row = 15, name = 84, bar = range ? 60 : 140;
  const root = svg("svg", { viewBox: `0 0 ${width} ${bins.length * row + 2}`, role: "img", "aria-label": alt });
  const at = name + bar + 6, px = range && ((v) => ((v - range[0]) / (range[1] - range[0])) * (width - at));
  const means = svg("svg", { class: "means", x: at, width: width - at, height: bins.length * row });
  bins.forEach((b, i) => {
    const y = i * row + 1;
    root.append(svg("text", { x: name - 5, y: y + 11, "text-anchor": "end", class: b.rest && "rest" }, shortened(b.name, 14)),
      svg("rect", { class: b.rest ? "rows rest" : "rows", x: name, y: y + 2, width: Math.max((bar * b.rows) / most, 0.7), height: row - 4 }));
    if (px && b.mean !== undefined) means.append(...whisker(b, y + row / 2, px, true));
    root.append(svg("rect", { class: "hit", x: 0, y, width, height: row }, svg("title", {}, inBin(b, of))));
  });
  root.append(means);
  return root;
}
