
// comparison shows two runs side by side.
function comparison(host) {
  const show = async (runs, table = "") => {
    const result = await app.attempt("Comparing", () => app.call("compare", table ? { runs, table } : { runs }));
    if (!result) return;
    host.replaceChildren(...compared(runs, result, rowsChoice(table, (name) => show(runs, name))));
    host.querySelector(table ? "select" : "h3").focus();
  };
  return {
    clear() {
      host.replaceChildren();
    },
    show,
  };
}

// rowsChoice asks whose rows both runs predict: those of a test part or of a table.
function rowsChoice(table, chosen) {
  const names = ["", app.start.table, ...app.start.tables.map((t) => t.name ?? t)].filter((name) => name !== null);
  return make("div", { class: "controls" }, choice("Rows to compare on", names.map((name) => name || "the test part"), names.indexOf(table), (i) => chosen(names[i])));
}

// columnHeads returns the head of a table of two runs.
const columnHeads = (what, runs, ...more) => make("thead", {}, make("tr", {}, ...[what, ...runs, ...more].map((text) => make("th", { scope: "col" }, text))));

// comparedCell shows a value of a run.
const comparedCell = (v, better, whole) => make("td", { class: better ? "better" : false }, whole ? shownValue(v) : valueElement(shownValue(v)), better ? make("span", { class: "better-word" }, " better") : null);

// comparedTable is a table of values of two runs, long ones shown at once if whole.
const comparedTable = (what, runs, rows, whole) => make("div", { class: "wide", tabindex: 0 }, make("table", {}, columnHeads(what, runs), make("tbody", {}, ...rows.map((row) => make("tr", {},
  make("th", { scope: "row" }, row.what, row.rows ? make("span", { class: "note" }, ` ${counted(row.rows, "row")}`) : null), comparedCell(row.a, row.better === "a", whole), comparedCell(row.b, row.better === "b", whole))))));

function compared(runs, { rows, settings, rules, same_rows: sameRows, note, matched, compared: on, without }, choose) {
  const rulesOf = (run, list) => make("div", {}, make("h4", {}, run), make("ol", { class: "provisional" }, ...list.map((rule) => make("li", {}, rule))));
  return [
    make("h3", { tabindex: -1 }, runs.join(" and ")),
    make("p", { class: sameRows ? "note" : "warning" }, note),
    comparedTable("Measure", runs, rows),
    settings.length
      ? make("details", { open: settings.length <= 8 }, make("summary", {}, `${counted(settings.length, "setting")} differ${settings.length === 1 ? "s" : ""}`), comparedTable("Setting", runs, settings))
      : make("p", {}, "Their settings are the same."),
    make("h3", {}, "On the same rows"), choose, make("p", { class: on ? "note" : "warning" }, on?.text ?? without),
    ...(matched ? matchedRules(runs, matched) : []),
    make("details", {}, make("summary", {}, "The rules of both"), make("div", { class: "sides" }, ...runs.map((run, i) => rulesOf(run, rules[i])))),
    ...(on ? onSameRows(runs, on) : []),
  ];
}

// matchedRules shows which rules are the same, which have moved, and which only one run has.
function matchedRules(runs, { pairs, note }) {
  const both = pairs.filter((p) => p.a && p.b), same = both.filter((p) => !p.moved.length), changed = both.filter((p) => p.moved.length);
  const alone = [pairs.filter((p) => !p.b).map((p) => p.a), pairs.filter((p) => !p.a).map((p) => p.b)];
  const decided = ({ a, b, both: n }) => `${a.name} and ${b.name}${a.rows < 0 ? "" : `: decide ${grouped(a.rows)} and ${counted(b.rows, "row")}, ${grouped(n)} of them both`}`;
  const listed = (head, all) => (all.length ? [make("h4", {}, head), make("ul", { class: "worded" }, ...all.map(([name, text]) => make("li", {}, make("strong", {}, name), ruleLine(text))))] : []);
  return [
    make("h3", {}, "Rules matched"),
    pairs.length ? make("p", {}, `${same.length} the same, ${changed.length} moved, ${runs.map((run, i) => `${alone[i].length} only in ${run}`).join(", ")}.`) : "",
    make("p", { class: "note" }, note),
    ...listed("The same", same.map((p) => [decided(p), p.a.text])),
    ...(changed.length ? [make("h4", {}, "Moved"), ...changed.map((p) => make("details", { open: changed.length <= mostRules }, make("summary", {}, decided(p)), comparedTable("What moved", runs, p.moved, true)))] : []),
    ...runs.flatMap((run, i) => listed(`Only in ${run}`, alone[i].map((r) => [`${r.name}${r.rows < 0 ? "" : `, decides ${counted(r.rows, "row")}`}`, r.text]))),
  ];
}

// onSameRows shows the errors and the predictions of two runs on the same rows.
function onSameRows(runs, { refused, measure, quarters, picture }) {
  return [make("h3", {}, "Errors"), refused ? make("p", { class: "warning" }, refused) : comparedTable(`${measure}, by the target`, runs, quarters), ...(picture ? against(runs, picture) : [])];
}

// against draws the predictions of one run over those of the other, and lists the rows where they differ most.
function against(runs, { title, unit, rows, correlation, axes: [from, to], a, b, numbers, largest }) {
  const host = make("figure", { class: "against" }), known = correlation === null ? "" : `, correlation ${figure(correlation, 3)}`;
  chart(host, {
    title: `Predictions of ${label(title, unit)}${known}`, alt: `Scatter plot of the predictions of ${runs[1]} over those of ${runs[0]}${known}`, height: 340,
    x: { from, to, label: shortened(runs[0], 40) }, y: { from, to, label: shortened(runs[1], 40) },
  }, (plot) => {
    plot.g.append(svg("line", { class: "reference", x1: plot.x(from), y1: plot.y(from), x2: plot.x(to), y2: plot.y(to) }), ...a.map((v, i) => plotDot(plot, v, b[i], 2.6, `row ${numbers[i]}: ${figure(v)} and ${figure(b[i])}`)));
  });
  const decided = (row, k) => make("td", {}, withUnit(row.values[k], unit), row.rules[k] ? make("span", { class: "note" }, ` ${row.rules[k]}`) : null);
  return [
    make("h3", {}, "Predictions"), host,
    make("p", { class: "note" }, `${a.length < rows ? `${grouped(a.length)} of ${counted(rows, "row")}, drawn at random` : counted(rows, "row")}. On the line both predict the same.`),
    ...(largest.length ? [make("h4", {}, "Where they differ most"), make("div", { class: "wide", tabindex: 0 }, make("table", {}, columnHeads("Row", runs, "Observed"), ...largest.map((row) => make("tbody", { class: "differing" }, make("tr", {},
      make("th", { scope: "row" }, grouped(row.row)), decided(row, 0), decided(row, 1), make("td", {}, withUnit(row.observed, unit))), make("tr", {}, make("td", { colspan: 4 }, row.cells))))))] : [make("p", {}, "They predict the same for every row.")]),
  ];
}

// mostText is the length of a value that is shown at once.
const mostText = 100;

// valueElement shows a value; a long one is shown when it is opened.
const valueElement = (text) => (text.length <= mostText ? text : make("details", {}, make("summary", {}, `${text.slice(0, 40)}…`), make("span", { class: "long" }, text)));

// shownValue formats a value of a comparison.
const shownValue = (v) => (typeof v === "number" ? (Number.isInteger(v) ? String(v) : figure(v)) : v || "–");
