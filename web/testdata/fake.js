
// engine is a stand-in for tests of the page alone: it answers at once, from a made-up table.
const fake = window.fake = {
  pace: 5, // milliseconds per training of the race
  hold: "", // the stage of training and its step at which it waits to be stopped
  calls: [], // of methods: [name, arguments]
  runs: [],
  uploads: [], // names of files
  click: (text) => [...document.querySelectorAll("button")].find((b) => b.textContent === text && b.getClientRects().length > 0).click(),
  card: (text) => [...document.querySelectorAll(".card")].find((c) => c.textContent.includes(text)).click(),
  put: (id, value) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("change"));
  },
};
const engine = (() => {
  const hostile = '<img src=x onerror="fail()">';
  const column = (name, kind, more) => ({ name, kind, unit: "", missing: 0, distinct: 40, use: "input", why: "", ...more });
  const tables = {
    "heating.csv": [
      column("outside", "number", { min: -4, max: 20.7, mean: 8.93, unit: "°C" }), column("wind", "number", { min: 0.1, max: 8.5, mean: 3.2, missing: 12 }),
      column("day", "words", { examples: ["workday", "weekend"], distinct: 2 }), column("id", "number", { min: 1, max: 900, mean: 450.5, use: "left out", why: "a row number" }),
      column("heating", "number", { min: 0, max: 31.2, mean: 9.02, unit: "kW" }),
    ],
    "hostile.csv": [column(hostile, "words", { examples: [hostile, "</script><script>fail()</script>"] }), column("javascript:fail()", "number", { min: 0, max: 1e300, mean: -1e-9, unit: hostile }), column("when", "date", { examples: ["2023-11-20"], use: "left out" }), column("y".repeat(300), "number", { min: 0, max: 1, mean: 0.5 })],
    "builtin:mackey-glass": [column("x(t)", "number", { min: 0.2, max: 1.3, mean: 0.9 }), column("x(t+6)", "number", { min: 0.2, max: 1.3, mean: 0.9 })],
    get "wider.csv"() { return Array.from({ length: 200_000 }, (_, i) => column(`x${i + 1}`, "words", { examples: ["a"] })); },
    "wide.csv": Array.from({ length: 250 }, (_, i) => column(`x${i + 1}`, "number", { min: 0, max: i, mean: i / 2 })),
  };
  const optionOf = (o) => ({ title: o.key.split(".").at(-1), effect: o.doc, words: String(o.value), ...o });
  const options = (preset) => [
    { key: "model.rules", value: preset === "robust" ? 32 : 8, doc: "number of rules", kind: "integer", min: 1, max: 1000 },
    { key: "model.membership", value: "gaussian", doc: "shape of the membership functions", kind: "choice", choices: ["gaussian", "sigmoid", "triangle"] },
    { key: "train.iterations", value: 500, doc: "updates per training", kind: "integer", min: 1 },
    { key: "model.order", value: true, doc: "linear formulas in the THEN parts", kind: "boolean" },
    { key: "model.monotone", value: {}, doc: "directions of predictions by column", kind: "text" },
    { key: "rate", value: 0.01, doc: "learning rate", kind: "number", above: 0, below: 1 },
  ].map(optionOf);
  const proposals = [{ text: '"outside": 1 cell is far out', label: "Limit it to at most 30", column: "outside", set: { "data.limits": "[~, 30]" } },
    { text: "heating has amounts: train.loss tweedie", label: "Take loss tweedie", set: { "train.loss": "tweedie" } },
    { text: "a leak? day", label: "Leave out day", leave_out: ["day"] }];
  const typed = (c, parts = {}, set = {}) => {
    const coding = parts["data.categorical"]?.[c.name], types = [...(c.kind === "number" ? ["number"] : []), "category", "ordered", "group", "unused"];
    const type = set["data.group"] === c.name ? "group" : c.use === "left out" ? "unused" : Array.isArray(coding) ? "ordered" : coding === "onehot" || c.kind !== "number" ? "category" : "number";
    return { ...c, type, types, use: type === "group" ? "beside" : c.use, order: Array.isArray(coding) ? coding : undefined, role: parts["model.roles"]?.[c.name], direction: parts["model.monotone"]?.[c.name] };
  };
  const part = (rows, mean, more) => ({ rows, mean, low: mean - 1, high: mean + 1, ...more });
  const weeks = [7, 9, 8, 0, 0, 6, 7].map((n, i) => (n ? part(n, 9 + i, { from: `2023-11-${10 + i}` }) : { rows: 0, from: `2023-11-${10 + i}` }));
  const picture = ({ name, levels, dates }) => (dates ? { name, from: 0, width: 1, low: 0, high: 7, period: "week", bins: weeks, missing: part(2, 3) } : levels ? { name, from: 0, width: 0, bins: [part(600, 9, { level: "workday" }), part(300, 8, { level: hostile })], levels: [hostile, "workday"], others: part(5, 7) } :
    { name, from: -4.5, width: 1, low: -4, high: 3, bins: [1, 20, 300, 400, 120, 50, 5, 4].map((n, i) => part(n, 20 - 2 * i)), above: 3, missing: part(12, 9) });
  const wait = (ms, signal) => new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => { clearTimeout(timer); done(); });
  });
  const pace = (stage, i, signal) => wait(stage + i === fake.hold ? 1e8 : fake.pace, signal);
  const { runs } = fake;
  const methods = {
    start: () => ({ version: "test", table: null, tables: Object.keys(tables).filter((name) => !name.startsWith("builtin:")), builtins: [{ name: "iris", doc: "three kinds of flowers by four lengths" }, { name: "mackey-glass", doc: "a time series" }],
      presets: [{ name: "readable", doc: "at most eight short rules that can be read one by one" }, { name: "robust", doc: "up to 32 rules, for accuracy" }, { name: "paper", doc: "as published" }],
      runs, exports: [{ target: "report.html", file: "report.html", doc: "the report" }, { target: "c", file: "model.c", doc: "C" }], limits: { bytes: 50e6 } }),
    look: ({ table, preset, target, leave_out: leaveOut, columns: parts, set }) => {
      const columns = tables[table];
      if (!columns) throw { kind: "data", message: `${table}: line 7: 3 cells, expected 5` };
      const targets = target ?? [columns.at(-1).name];
      const uses = columns.map((c) => ({ ...c, use: targets.includes(c.name) ? "target" : (leaveOut ? leaveOut.includes(c.name) : c.use === "left out") ? "left out" : "input" }))
        .map((c) => typed(c, parts, set));
      return { table, rows: 900, fixed: table.startsWith("builtin:"), inputs: uses.filter((c) => c.use === "input").length, targets, guessed: !target, task: "regression", notes: ["id left out: a row number", "heating has amounts: train.loss tweedie"], proposals: table === "heating.csv" ? proposals : [],
        warnings: table === "hostile.csv" ? [`${hostile} determines the target: a leak?`] : [], columns: uses, config: `preset: ${preset}\n`, options: options(preset) };
    },
    pictures: ({ columns }) => ({ rows: 900, drawn: 900, columns: columns.map(picture) }),
    async train({ table, preset, target }, { onEvent, signal }) {
      const progress = (stage, done, total, more) => onEvent({ event: "progress", stage, done, total, seconds: done / 10, left: (total - done) / 10, ...more });
      let led = false; // a setting, whose model is kept
      progress("reading", 0, 0);
      if (fake.hold.startsWith("pages")) { // a search of a page
        onEvent({ event: "rules", setting: 0, of: 0, metric: "", loss: null, rules: ["IF wind is at most 3 THEN heating is about 9 kW"], provisional: true });
        progress("pages", 7, 22, { left: null });
        await pace("pages", 7, signal);
        if (signal.aborted) throw { kind: "interrupted", message: "interrupted in the search" };
      }
      for (let i = 1; i <= 12 && !signal.aborted; i++) {
        await pace("race", i, signal);
        progress("race", i, 12, { loss: 2 / i, metric: "RMSE", value: 3 / i });
        led ||= i % 4 === 2 && !signal.aborted;
        if (i % 4 === 2) onEvent({ event: "rules", setting: i / 2, of: 6, metric: "RMSE", loss: 3 / i, rules: [`IF outside is at most 9.4 °C AND ${table} THEN heating is about 14.1 kW`, `IF ${hostile} THEN heating is about 2 kW`], provisional: true });
      }
      if (signal.aborted && !led) throw { kind: "interrupted", message: "interrupted in the race" };
      onEvent({ event: "note", message: "2 rows without a target left out" });
      for (let i = 10; i <= 200 && !signal.aborted; i += 10) {
        await pace("training", i, signal);
        progress("training", i, 200, { loss: 1 + 20 / i, metric: "RMSE", value: 1.1 + 30 / i });
      }
      const run = { run: `heating-${runs.length + 1}`, when: "2026-01-01T00:00:00Z", table, target, preset, rules: 6, metric: "RMSE", error_train: 1.05, error_test: 1.12, seconds: 2, stopped: signal.aborted };
      runs.unshift(run);
      return { run: run.run, summary: {}, notes: [], stopped: signal.aborted };
    },
    runs: () => runs,
    ...fakeResults(tables, runs),
  };
  return {
    kind: "browser", limit: 50e6, ready: Promise.resolve(),
    async call(method, args, options = {}) {
      fake.calls.push([method, structuredClone(args)]);
      await wait(1);
      return methods[method](args, { onEvent: () => {}, signal: new AbortController().signal, ...options });
    },
    async upload(file) {
      fake.uploads.push(file.name);
      tables[file.name] ??= tables["heating.csv"];
      return file.name;
    },
    ...fakeFiles(tables, runs),
  };
})();
