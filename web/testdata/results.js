
// The part of the stand-in after training.
const fakeHostile = '<img src=x onerror="fail()">';
const fakeReport = (run) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>r</title><style>body { margin: 0; } main { height: 3000px; }</style></head>
<body><main><h1>${run}</h1><script>parent.postMessage({ kind: "frame" }, "*"); window.tskgraphPage.port.postMessage({ height: document.body.offsetHeight, drawn: true });
window.tskgraphPage.port.onmessage = ({ data }) => window.tskgraphPage.port.postMessage(data.theme === "dark" ? { rules: "rules of ${run}" } : { height: "large", rules: 7 });</script></main></body></html>`;
const fakeResults = (tables, runs) => ({
  report: ({ run }) => ({ html: fake.reports?.[run] ?? fakeReport(run) }),
  words: () => ({ ...fakeWords, page: fake.page, price: fake.page && { lines: [`On the test part this page errs 6% more than ${fakeHostile}.`] } }),
  rules: () => ({ yaml: "rules: []\n" }),
  export: ({ run, target }) => ({ name: target === "c" ? "model.c" : target, type: "text/plain", base64: btoa(`${run} ${target}`) }),
  command: ({ run }) => ({ lines: [`tskgraph train --config config.yaml --set output.name=${run}`, `tskgraph train --set 'data.path=${fakeHostile}'`] }),
  compare: ({ runs: [a, b] }) => ({ same_rows: a !== b, note: "The errors are of the same test rows.", rows: [{ what: "RMSE, test", a: 1.12, b: 1.3, better: "a" }, { what: "rules", a: 6, b: 8, better: "" }],
    settings: [{ what: "model.rules", a: "8", b: fakeHostile }], rules: [["IF outside is at most 9 °C THEN heating is 14.1 kW"], [fakeHostile]], ...fakeMatch }),
  delete: ({ run }) => {
    runs.splice(runs.findIndex((r) => r.run === run), 1);
    return {};
  },
  forget: () => {
    runs.length = 0;
    for (const name of Object.keys(tables)) delete tables[name];
    return {};
  },
});
const fakeRule = (name, rows, text = `IF outside is at most 9 °C AND ${fakeHostile} THEN heating is about 14.1 kW`) => ({ name, rows, text });
const fakeMatch = { matched: { note: "Rules are matched by their conditions.", pairs: [{ a: fakeRule("Rule 1", 40), b: fakeRule("Rule 3", 41), both: 40, moved: [] },
  { a: fakeRule("Rule 2", 71), b: fakeRule("Rule 2", 75), both: 61, moved: [{ what: "IF outside", a: "at most 9 °C", b: fakeHostile }, { what: "slope of wind", a: "0.31", b: "" }] },
  { a: fakeRule("Rule 3", 9), b: null, both: 0 }, { a: null, b: fakeRule("Rule 4", 1234), both: 0 }] },
compared: { text: `Compared on 120 rows of ${fakeHostile}.`, refused: "", measure: "RMSE", quarters: [{ what: "heating from 0 to 7", a: 0.77, b: 1.2, better: "a", rows: 60 }],
  picture: { title: fakeHostile, unit: "kW", rows: 120, correlation: 0.98, axes: [0, 30], a: [1, 12, 25], b: [2, 45, 24], numbers: [1, 2, 3],
    largest: [{ row: 2, cells: `outside -0.6, wind 4.7, ${fakeHostile}, ${"z".repeat(90)}`, observed: 26.2, values: [12, 45], rules: ["Rule 2", ""] }] } }, without: "" };
const fakeTried = { numbers: 20, lines: [`Rule 1: found again in 17 of 20 samples; its border of ${fakeHostile} between 8 and 9`],
  sizes: [[1, 1, 3], [8, 1, 2], [14, 2, 1.5], [20, 2, 1.2]].map(([numbers, rules, rmse]) => ({ numbers, rules, rmse, se: 0.1 })) };
const fakeWords = { tried: fakeTried, words: `heating is the mean of what 12 rules say.\n\nRule 1: ${fakeHostile}`, tree: "outside is at most 9 °C\n  heating is 14 kW\n",
  rules: Array.from({ length: 12 }, (_, i) => ({ name: `Rule ${i + 1}`, text: `IF ${i ? `outside is at most 9 °C AND ${fakeHostile}` : "always"} THEN heating is about ${i} kW` })) };
const fakeFiles = (tables, runs) => ({
  keep: async () => Object.fromEntries([...Object.keys(tables).filter((name) => !name.includes(":")).map((name) => [`/tables/${name}`, new TextEncoder().encode(name)]),
    ...runs.flatMap((r) => ["model.json", "train.csv"].map((file) => [`/runs/${r.run}/${file}`, new TextEncoder().encode(JSON.stringify(r))]))]),
  async restore(files) {
    fake.restored = Object.keys(files);
    for (const [path, bytes] of Object.entries(files)) if (path.endsWith("model.json")) runs.push(JSON.parse(new TextDecoder().decode(bytes)));
  },
});
