
// figure formats a number with four digits.
function figure(v, digits = 4) {
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return "–";
  const size = Math.abs(v);
  if (size >= 1e9 || size < 1e-4) return v.toExponential(digits - 1).replace(/-/g, "−").replace("e+", "e");
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Number(size.toPrecision(digits)))));
  return v.toFixed(decimals).replace("-", "−");
}

// percent formats a share in percent.
const percent = (v) => `${(100 * v).toFixed(v < 0.0995 && v > 0 ? 1 : 0)} %`;

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
  const all = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
    const v = i * step;
    all.push({ at: v, text: Math.abs(v) >= 1e6 || decimals > 5 ? figure(v, 3) : v.toFixed(Math.min(decimals, 20)).replace(/^-0(\.0*)?$/, "0$1").replace("-", "−") });
  }
  return all;
}

// bulk returns the values without outliers: those in the range of the middle 99 %, extended by
// its width on either side.
function bulk(values) {
  const sorted = values.slice().sort((a, b) => a - b), n = sorted.length;
  const low = sorted[Math.floor(0.005 * n)], high = sorted[Math.ceil(0.995 * n) - 1], width = high - low;
  return values.filter((v) => v >= low - width && v <= high + width);
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
