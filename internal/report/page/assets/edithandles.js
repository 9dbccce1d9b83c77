
// Handles change the parameters of a membership function, in the units of the file. A handle has at, its position for
// parameters p or null if it has none, and to, the parameters for a new position. Constraints hold: a spread has a
// least value, and the positions of a trapezoid keep their order.

// handlesOf returns the handles of a term. A function of one position has its centre and both borders, where its grade is half
// of that at the centre. Any other has its positions, the widths of its flanks, and one handle that moves all.
function handlesOf(term) {
  const index = editing.params.map((param, j) => ({ ...param, j }));
  const positions = index.filter(({ kind }) => kind === "position");
  const centre = (p) => {
    const closed = positions.filter(({ j }) => !isOpen(term, p[j]));
    return closed.length ? closed.reduce((sum, { j }) => sum + p[j] / closed.length, 0) : null;
  };
  const shifted = (p, by) => admitted(term, p.map((v, j) => (editing.params[j].kind === "position" && !isOpen(term, v) ? Number((v + by).toPrecision(12)) : v)));
  const whole = { name: positions.length === 1 ? "centre" : "whole function", at: centre, to: (p, x) => shifted(p, x - (centre(p) ?? x)), whole: positions.length > 1 };
  if (positions.length === 1) {
    return [border(term, positions[0].j, -1), whole, border(term, positions[0].j, 1)];
  }
  const own = positions.map(({ j, meaning }) => ({
    name: meaning, open: (p) => isOpen(term, p[j]),
    at: (p) => p[j],
    to: (p, x) => admitted(term, p.with(j, between(term, p, j, x))),
  }));
  const flanks = index.filter(({ j }) => borderOf(j) !== null).map(({ j, kind, meaning }) => flank(term, j, borderOf(j), kind, meaning));
  return [...own, ...flanks, ...(positions.length ? [whole] : [])];
}

// isOpen reports whether a position is that of an open border, which is farther away than any value.
const isOpen = (term, v) => Math.abs(term.toRules("position", v)) >= 1e100;

// gradesFor returns the function that gives the grade of a term at a position in the units of the file, for parameters p.
function gradesFor(term, p) {
  const scaled = p.map((v, j) => term.toRules(editing.params[j].kind, v));
  return (x) => edited.shape.grade(term.toRules("position", x), scaled);
}

const gradeAt = (term, p, x) => gradesFor(term, p)(x);

// border returns the handle of a border of a function with one position, parameter c. Moving it stretches the function; the
// other border stays.
function border(term, c, side) {
  const other = (p) => halfway(term, p, c, -side), here = (p) => halfway(term, p, c, side);
  return {
    name: side < 0 ? "lower border" : "upper border", at: here, open: (p) => here(p) === null,
    to: (p, x) => {
      const from = here(p), fixed = other(p);
      if (from === null || fixed === null) return p;
      const least = Math.max(...editing.params.map(({ kind, least }, j) => (kind === "spread" ? term.ofRules("spread", least ?? 0) / p[j] : 0)), 1e-6);
      const stretch = Math.max(least, (x - fixed) / (from - fixed));
      return admitted(term, p.map((v, j) => ({ position: fixed + (v - fixed) * stretch, spread: v * stretch, slope: v / stretch })[editing.params[j].kind] ?? v));
    },
  };
}

// halfway returns the position on a side of parameter c where the grade is half of that at c; null if it does not fall so
// far.
function halfway(term, p, c, side) {
  const unit = term.ofRules("spread", 1), grade = gradesFor(term, p), half = grade(p[c]) / 2, low = (d) => grade(p[c] + side * d) < half;
  let near = 0, far = unit / 1024;
  while (!low(far)) {
    near = far;
    far *= 2;
    if (far > 1e6 * unit) return null;
  }
  for (let i = 0; i < 60; i++) {
    const middle = (near + far) / 2;
    if (low(middle)) far = middle;
    else near = middle;
  }
  return p[c] + side * far;
}

// flank returns the handle of the width of a flank at the position of parameter c, on the side where the grade is lower.
function flank(term, j, c, kind, name) {
  const width = (p) => (kind === "slope" ? 1 / Math.abs(p[j]) : p[j]);
  const side = (p) => (gradeAt(term, p, p[c] - width(p)) < gradeAt(term, p, p[c] + width(p)) ? -1 : 1);
  return {
    name, open: (p) => isOpen(term, p[c]),
    at: (p) => p[c] + side(p) * width(p),
    to: (p, x) => {
      const least = term.ofRules("spread", editing.params[j].least ?? 1e-6), w = Math.max(least, side(p) * (x - p[c]));
      return admitted(term, p.with(j, kind === "slope" ? Math.sign(p[j]) / w : w));
    },
  };
}

// between returns a position x for parameter j that keeps the positions of the function in the order in which they are.
function between(term, p, j, x) {
  const positions = editing.params.flatMap(({ kind }, i) => (kind === "position" ? [i] : [])), k = positions.indexOf(j), gap = stepOf(term.span);
  const before = p[positions[k - 1]] ?? -Infinity, after = p[positions[k + 1]] ?? Infinity;
  if (!editing.ordered && !(before < p[j] && p[j] < after)) return x;
  return Math.min(after - gap, Math.max(before + gap, x));
}

// admitted returns parameters not below their least values.
const admitted = (term, p) => p.map((v, j) => {
  const { kind, least } = editing.params[j];
  return least === undefined ? v : Math.max(v, term.ofRules(kind, least));
});

// stepOf returns the step to which what a handle or a slider gives is rounded: about a thousandth of the range.
const stepOf = (range) => niceStep(range / 1000);

function tidy(v, range) {
  const step = stepOf(range), rounded = Math.round(v / step) * step;
  return Number.isFinite(rounded) ? Number(rounded.toPrecision(12)) : v;
}
