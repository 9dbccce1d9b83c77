
// thousands separates the thousands of a number of five digits or more before the point.
const thousands = (text) => text.replace(/^(−?)(\d{5,})/, (_, sign, n) => sign + n.replace(/\B(?=(\d{3})+$)/g, ","));

// grouped formats a number of things. Intl would take 15 ms for its first number.
const grouped = (n) => thousands(String(n));

// cellText formats a number of the data with at most six digits.
function cellText(v) {
  const size = Math.abs(v), text = (x) => String(Number(x.toPrecision(6))).replace("-", "−");
  return size >= 1e6 && size < 1e9 ? `${text(v / 1e6)} M` : thousands(text(v));
}

// figure formats a number with four digits, from a million on as in 1.37 M.
function figure(v, digits = 4) {
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return "–";
  const size = Math.abs(v);
  if (size >= 1e6 && size < 1e9) return `${(v / 1e6).toPrecision(digits)} M`.replace("-", "−");
  if (size >= 1e9 || size < 1e-4) return v.toExponential(digits - 1).replace(/-/g, "−").replace("e+", "e");
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Number(size.toPrecision(digits)))));
  return thousands(v.toFixed(decimals).replace("-", "−"));
}

// percent formats a share in percent.
const percent = (v) => `${(100 * v).toFixed(v < 0.0995 && v > 0 ? 1 : 0)}%`;

// label returns a name with its unit.
const label = (name, unit) => (unit ? `${name} [${unit}]` : name);

// withUnit formats a number with its unit.
const withUnit = (v, unit) => (unit ? `${figure(v)} ${unit}` : figure(v));

// niceStep returns the least of 1, 2 or 5 times a power of ten that is at least v.
function niceStep(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= v * (1 - 1e-9));
}

// ticks returns about n round numbers in a range.
function ticks(from, to, n) {
  const step = niceStep((to - from) / n);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const all = [], largest = Math.max(Math.abs(from), Math.abs(to)), millions = largest >= 1e6 && largest < 1e9;
  const text = (v) => {
    if (v === 0) return "0";
    if (millions) return `${cellText(v / 1e6)} M`;
    return decimals > 5 || largest >= 1e9 ? figure(v, 3) : thousands(v.toFixed(decimals).replace("-", "−"));
  };
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
    const v = i * step;
    all.push({ at: v, text: text(v) });
  }
  return all;
}

// extent returns the range of numbers, extended by a share of it on either side.
function extent(values, margin = 0) {
  let from = Infinity, to = -Infinity;
  for (const v of values) {
    if (v < from) from = v;
    if (v > to) to = v;
  }
  if (!(from <= to)) return [0, 1];
  const more = (to - from) * margin || (from === to ? Math.abs(from) * 0.1 || 1 : 0);
  return [from - more, to + more];
}
