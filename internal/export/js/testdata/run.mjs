// Predicts by the modules that each line of standard input names, for the rows there, and answers in a line.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const require = createRequire(import.meta.url);

// named returns the outputs of a prediction by name.
const named = (p, outputs) => p.probabilities ?? p.quantiles ?? (typeof p.prediction === "object" ? p.prediction : { [outputs[0].name]: p.prediction });

// rowOf returns a row of cells; a missing value in each of its forms.
function rowOf(columns, cells, n) {
  return Object.fromEntries(columns.map(({ name, encoding }, i) => {
    const v = cells[i] === "" ? [null, NaN, ""][n % 3] : encoding === "numeric" ? Number(cells[i].replace("inf", "Infinity")) : cells[i];
    return [name, v];
  }));
}

// explained reports what is wrong with the explanation of a row.
function explained(module, row, prediction) {
  const { members, ...same } = module.explain(row);
  if (!isDeepStrictEqual(same, prediction)) return `explained as ${JSON.stringify(same)}`;
  for (const { covered, rules } of members) {
    const sum = rules.reduce((s, r) => s + r.level, 0);
    if (Math.abs(sum - Number(covered)) > 1e-9) return `covered ${covered} with the sum of levels ${sum}`;
    if (rules.some((r) => r.then.length === 0 || (r.says !== null && Object.values(named(r.says, module.outputs)).length !== module.outputs.length))) return "a rule says nothing";
  }
  return null;
}

async function answer({ mjs, cjs, rows, given }) {
  const modules = [await import(pathToFileURL(mjs)), require(cjs)], { columns, outputs } = modules[0];
  const all = given ?? rows.map((cells, n) => rowOf(columns, cells, n));
  const predictions = all.map(modules[0].predict), others = all.slice(0, 400).map(modules[1].predict);
  if (!isDeepStrictEqual(predictions.slice(0, 400), others)) throw new Error("the modules differ");
  const known = (row) => Object.values(row).every((v) => v !== Infinity);
  const wrong = all.slice(0, 50).map((row, n) => known(row) ? explained(modules[1], row, predictions[n]) : null).filter((text) => text !== null);
  if (wrong.length) throw new Error(wrong[0]);
  return {
    values: predictions.map((p) => outputs.map((o) => String(named(p, outputs)[o.name]))),
    predicted: predictions.map((p) => (p.prediction === null || typeof p.prediction === "object" ? "" : String(p.prediction))),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line)).catch((error) => ({ error: String(error) }))));
}
