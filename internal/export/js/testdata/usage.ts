import { predict, explain, columns, outputs, type Row } from %q;
const row: Row = { x: 3, 'wind "speed", m/s': null, day: "O'Hare", "größe 100%%": "none of them", select: -41.5 };
const p: %s = predict(row)%s;
const covered: boolean = predict(row).covered;
const level: number = explain(row).members[0].rules[0].level;
const text: string = explain(row).members[0].rules[0].then.join("; ") + columns[0].name + outputs[0].name;
export { p, covered, level, text };
// @ts-expect-error a text for a number
predict({ ...row, x: "3" });
// @ts-expect-error a column is absent
predict({ x: 3 });
// @ts-expect-error a column that is not there
predict({ ...row, other: 3 });
// @ts-expect-error the type of the prediction
const wrong: boolean = predict(row)%s;
export { wrong };
