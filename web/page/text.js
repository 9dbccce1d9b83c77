
// counted returns a number of things, such as "1 row" or "20,000 rows".
const counted = (n, thing) => `${grouped(n)} ${thing}${n === 1 ? "" : "s"}`;

// sized returns a number of bytes in words.
function sized(bytes) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (bytes >= size) return `${(bytes / size).toFixed(bytes < 10 * size ? 1 : 0)} ${unit}`;
  }
  return counted(bytes, "byte");
}

// brief formats a number with at most four digits, without zeros at the end.
const brief = (v) => figure(v).replace(/(\.\d*?)0+(?=[e ]|$)/, "$1").replace(/\.(?=[e ]|$)/, "");

// lasting returns a time in words, from a number of seconds.
function lasting(seconds) {
  if (seconds < 0.95) return "less than 1 s";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

// pause lets the page answer before more work.
const pause = () => new Promise((next) => { setTimeout(next); });

// builtin is what the names of built-in tables begin with.
const builtin = "builtin:";

// titled returns the name of a table for people.
const titled = (table) => (table?.startsWith(builtin) ? table.slice(builtin.length) : table ?? "");

// button returns a button with a text.
const button = (text, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, text);
